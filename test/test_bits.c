/* Hashes over every bit of the answers to generated questions: the same for every instruction set, thread count,
   compiler and machine. test/bits.txt has them, so that a change is noticed; `./dev bits --accept` takes new ones,
   after exact arithmetic agreed with the answers.

   A line has two: that of the answer (verdict, toi, toi_upper, pairs), and that of the contact (u, v, point, normal,
   and what steps make of them: vertex_toi, alpha), which a better closest point may change. No file, no GMP, no libm.
 */
#include "check.h"

#include "expected_bits.h"
#include "scaled_pairs.h"

enum { COUNT = 6000, FEW = 1000, ROW = 9, SHEET = ROW * ROW };

static FILE *accepted; /* with --accept: the new file, and exact arithmetic judges */

typedef struct bits {
    uint64_t answer, contact;
} bits;
#define NO_BITS                                                                                                        \
    { 0xcbf29ce484222325u, 0xcbf29ce484222325u }

static uint64_t add_bytes(uint64_t hash, const void *bytes, size_t size) { /* FNV-1a */
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++) hash = (hash ^ at[i]) * 0x100000001b3u;
    return hash;
}

/* Numbers by value, the least byte first, on every machine. */
static uint64_t add_number(uint64_t hash, uint64_t number, int size) {
    unsigned char bytes[8];
    for (int i = 0; i < size; i++) bytes[i] = (unsigned char)(number >> 8 * i);
    return add_bytes(hash, bytes, (size_t)size);
}

static uint64_t add_words(uint64_t hash, const int32_t *words, int count) {
    for (int i = 0; i < count; i++) hash = add_number(hash, (uint32_t)words[i], 4);
    return hash;
}

static uint64_t add_double(uint64_t hash, double x) {
    uint64_t word = 0x7ff8000000000000u; /* NaNs differ between machines, and mean the same */
    if (x == x) memcpy(&word, &x, sizeof word);
    return add_number(hash, word, 8);
}

static void add_result(bits *b, const graze_result *result) {
    int32_t words[3] = {(int32_t)result->verdict, (int32_t)result->reason, result->proven};
    b->answer = add_words(b->answer, words, 3);
    b->answer = add_double(add_double(b->answer, result->toi), result->toi_upper);
    b->contact = add_double(add_double(b->contact, result->u), result->v);
    for (int c = 0; c < 3; c++) b->contact = add_double(add_double(b->contact, result->point[c]), result->normal[c]);
}

static void add_pair(bits *b, const graze_pair *pair) {
    int32_t words[3] = {(int32_t)pair->kind, (int32_t)pair->a, (int32_t)pair->b};
    b->answer = add_words(b->answer, words, 3);
}

static void add_pairs(bits *b, const graze_pair *pairs, size_t count) {
    for (size_t i = 0; i < count; i++) add_pair(b, &pairs[i]);
}

static void add_pair_results(bits *b, const graze_pair_result *pairs, size_t count) {
    for (size_t i = 0; i < count; i++) {
        add_pair(b, &pairs[i].pair);
        add_result(b, &pairs[i].result);
    }
}

/* ---- queries ---- */

typedef enum form { BATCH, FLOAT32, ONE_RADIUS, RADII, PLANE } form;
static const char *const form_names[] = {"", " float32", " one radius a side", " radii", " 2D"};

/* The question that a line is about. */
typedef struct setup {
    graze_method method;
    double separation;
    form form;
    graze_step_mode mode;
    graze_broad broad;
    bool thick;
} setup;

/* Coordinates made without the C library, so that they have the same bits everywhere. */
static void make_query(test_random *random, graze_query *query) {
    static const double sizes[] = {0x1p-40, 0x1p-6, 1, 1, 1, 0x1p20};
    double size = sizes[test_random_below(random, 6)];
    bool lattice = test_random_below(random, 4) == 0, near = test_random_below(random, 3) == 0;
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            query->x0[i][c] =
                lattice ? (double)test_random_below(random, 4) : size * test_random_between(random, -1, 1);
            query->x1[i][c] =
                lattice ? (double)test_random_below(random, 4) : size * test_random_between(random, -1, 1);
            if (near) query->x1[i][c] = query->x0[i][c] + 0.25 * (query->x1[i][c] - query->x0[i][c]);
        }
}

static graze_query_f32 narrowed(const graze_query *query) {
    graze_query_f32 q;
    for (int k = 0; k < 12; k++) {
        q.x0[k / 3][k % 3] = (float)query->x0[k / 3][k % 3];
        q.x1[k / 3][k % 3] = (float)query->x1[k / 3][k % 3];
    }
    return q;
}

static graze_query_2d flattened(const graze_query *query) {
    graze_query_2d q;
    for (int k = 0; k < 6; k++) {
        q.x0[k / 2][k % 2] = query->x0[k / 2][k % 2];
        q.x1[k / 2][k % 2] = query->x1[k / 2][k % 2];
    }
    return q;
}

static graze_status ask_each(const setup *s, graze_kind kind, const graze_query *queries, size_t count,
                             const graze_options *options, graze_result *results) {
    test_random random = {(uint64_t)kind + 77};
    graze_status status = GRAZE_OK;
    for (size_t i = 0; i < count && status == GRAZE_OK; i++) {
        double radii[4];
        for (int k = 0; k < 4; k++) radii[k] = 0.0625 * test_random_unit(&random);
        if (s->form == ONE_RADIUS) radii[1] = kind == GRAZE_EE ? radii[0] : radii[2], radii[2] = radii[3] = radii[1];
        graze_query_2d flat = flattened(&queries[i]);
        status = s->form == PLANE ? graze_ccd_2d(kind, &flat, options, &results[i])
                                  : graze_ccd_thick(kind, &queries[i], radii, options, &results[i]);
    }
    return status;
}

static graze_status ask(graze_context *context, const setup *s, graze_kind kind, const graze_query *queries,
                        size_t count, const graze_options *options, graze_result *results) {
    static graze_query_f32 floats[COUNT];
    if (s->form == BATCH) return graze_ccd_batch(context, kind, queries, count, options, results);
    if (s->form != FLOAT32) return ask_each(s, kind, queries, count, options, results);
    for (size_t i = 0; i < count; i++) floats[i] = narrowed(&queries[i]);
    return graze_ccd_batch_f32(context, kind, floats, count, options, results);
}

static graze_query widened(const graze_query_f32 *query) {
    graze_query q;
    for (int k = 0; k < 12; k++) {
        q.x0[k / 3][k % 3] = query->x0[k / 3][k % 3];
        q.x1[k / 3][k % 3] = query->x1[k / 3][k % 3];
    }
    return q;
}

/* The promise of a method, held against exact arithmetic: clear only what is clear, no toi after the first contact, and
   of an exact method no false alarm. */
static bool keeps_its_promise(const graze_method_info *info, const graze_result *result, const graze_result *truth) {
    if (!info->conservative) return true;
    bool clear = truth->verdict == GRAZE_CLEAR;
    if (result->verdict == GRAZE_CLEAR) return clear;
    if (info->exact && result->verdict == GRAZE_HIT && clear) return false;
    return clear || result->toi <= truth->toi_upper;
}

static void judge_queries(graze_context *context, const setup *s, graze_kind kind, const graze_query *queries,
                          size_t count, const graze_options *asked, const graze_result *results) {
    graze_options options = *asked;
    options.method = GRAZE_METHOD_ORACLE;
    options.max_checks = 0;
    for (size_t i = 0; i < count; i++) {
        graze_query_f32 narrow = narrowed(&queries[i]);
        graze_query query = s->form == FLOAT32 ? widened(&narrow) : queries[i];
        graze_result truth;
        graze_status status = graze_ccd_batch(context, kind, &query, 1, &options, &truth);
        CHECK_QUERY(status == GRAZE_OK && truth.verdict != GRAZE_UNRESOLVED, kind, &query);
        CHECK_QUERY(keeps_its_promise(graze_method_get(s->method), &results[i], &truth), kind, &query);
    }
}

/* On all kinds that the method takes. */
static bits bits_of_queries(graze_context *context, const setup *s) {
    static graze_query queries[COUNT];
    static graze_result results[COUNT];
    bits b = NO_BITS;
    graze_options options = graze_default_options();
    options.method = s->method;
    options.min_separation = s->separation;
    const graze_method_info *info = graze_method_get(s->method);
    bool certificates = s->method == GRAZE_METHOD_CERTIFIED || s->method == GRAZE_METHOD_EXACT;
    size_t count = certificates && s->form < ONE_RADIUS ? COUNT : FEW;
    if (info->default_max_checks && !certificates) options.max_checks = 100;
    for (int kind = s->form == PLANE ? GRAZE_PE : GRAZE_VF; kind <= GRAZE_PP; kind++) {
        if (!(info->kinds >> kind & 1)) continue;
        test_random random = {(uint64_t)kind + 1};
        for (size_t i = 0; i < count; i++) make_query(&random, &queries[i]);
        graze_status status = ask(context, s, (graze_kind)kind, queries, count, &options, results);
        CHECK_MSG(status == GRAZE_OK, "%s: %s", info->name, graze_status_name(status));
        if (accepted && (s->form == BATCH || s->form == FLOAT32))
            judge_queries(context, s, (graze_kind)kind, queries, count, &options, results);
        size_t verdicts[3] = {0};
        for (size_t i = 0; i < count; i++) {
            add_result(&b, &results[i]);
            verdicts[results[i].verdict == GRAZE_CLEAR ? 0 : results[i].verdict == GRAZE_HIT ? 1 : 2]++;
        }
        CHECK_MSG(verdicts[0] > 20 && verdicts[1] > 1, "%s, kind %d: %zu clear, %zu hits, %zu unresolved", info->name,
                  kind, verdicts[0], verdicts[1], verdicts[2]);
    }
    return b;
}

/* ---- pairs whose parts have sizes of their own ---- */

enum { SCALED_BATCHES = 40, SCALED = 30 }; /* lanes that are full, and some that are not */

static const scaled_range scaled_little = {-1060, 156, 100};

/* A batch of one size. Returns its separation. */
static double make_scaled(test_random *random, graze_kind kind, const setup *s, graze_query *queries,
                          double (*radii)[4]) {
    /* radii are asked about without a context, and so with little memory for exact arithmetic */
    scaled_range range = s->form == FLOAT32 ? scaled_floats : s->form == RADII ? scaled_little : scaled_doubles;
    scaled_pair pair;
    scaled_draw(random, kind, range, &pair);
    int exponent = ilogb(pair.size);
    for (size_t i = 0; i < SCALED; i++) {
        scaled_draw(random, kind, (scaled_range){exponent, exponent, range.spread}, &pair);
        queries[i] = pair.query;
        memcpy(radii[i], pair.radii, sizeof pair.radii);
    }
    return test_random_below(random, 3) ? pair.separation : 0;
}

static graze_status ask_scaled(graze_context *context, const setup *s, graze_kind kind, const graze_query *queries,
                               const double (*radii)[4], const graze_options *options, graze_result *results) {
    graze_status status = GRAZE_OK;
    if (s->form != RADII) return ask(context, s, kind, queries, SCALED, options, results);
    for (size_t i = 0; i < SCALED && status == GRAZE_OK; i++)
        status = graze_ccd_thick(kind, &queries[i], radii[i], options, &results[i]);
    return status;
}

static bits bits_of_scaled(graze_context *context, const setup *s) {
    bits b = NO_BITS;
    for (int kind = GRAZE_VF; kind <= GRAZE_PP; kind++) {
        test_random random = {(uint64_t)kind + 1};
        size_t hits = 0, clear = 0;
        for (int batch = 0; batch < SCALED_BATCHES; batch++) {
            graze_query queries[SCALED];
            graze_result results[SCALED];
            double radii[SCALED][4];
            graze_options options = graze_default_options();
            options.method = s->method;
            options.min_separation = make_scaled(&random, (graze_kind)kind, s, queries, radii);
            CHECK(ask_scaled(context, s, (graze_kind)kind, queries, (const double(*)[4])radii, &options, results) ==
                  GRAZE_OK);
            if (accepted && s->form != RADII)
                judge_queries(context, s, (graze_kind)kind, queries, SCALED, &options, results);
            for (size_t i = 0; i < SCALED; i++) {
                add_result(&b, &results[i]);
                CHECK(results[i].reason != GRAZE_REASON_MEMORY);
                hits += results[i].verdict == GRAZE_HIT;
                clear += results[i].verdict == GRAZE_CLEAR;
            }
        }
        CHECK_MSG(hits > 50 && clear > 50, "kind %d: %zu hits, %zu clear", kind, hits, clear);
    }
    return b;
}

/* ---- steps ---- */

typedef struct sheets {
    double x0[2 * SHEET + 8][3], x1[2 * SHEET + 8][3];
    uint32_t faces[4 * (ROW - 1) * (ROW - 1)][3];
    uint32_t edges[16 * SHEET][2];
    uint32_t codim_edges[4], codim_points[8];
    double thickness[2 * SHEET + 8];
    graze_mesh mesh; /* as graze_mesh_from_faces made it */
    graze_mesh with_loose_ends;
} sheets;

static void add_faces(sheets *s, uint32_t first) {
    uint32_t count = s->mesh.face_count;
    for (uint32_t j = 0; j + 1 < ROW; j++)
        for (uint32_t i = 0; i + 1 < ROW; i++) {
            uint32_t v = first + j * ROW + i;
            uint32_t quad[2][3] = {{v, v + 1, v + ROW}, {v + 1, v + ROW + 1, v + ROW}};
            memcpy(s->faces[count], quad, sizeof quad);
            count += 2;
        }
    s->mesh.face_count = count;
}

/* Two rough sheets, the upper one falls on the lower one and here and there through it; four loose edges between them.
 */
static void make_sheets(sheets *s, graze_context *context, double fall) {
    test_random random = {99};
    s->mesh = graze_default_mesh();
    uint32_t vertices = 2 * SHEET + 8;
    for (uint32_t v = 0; v < vertices; v++) {
        uint32_t loose = v < 2 * SHEET ? 0 : v - 2 * SHEET,
                 k = v < 2 * SHEET ? v % SHEET : 10 * loose - 9 * (loose & 1);
        double height = v < SHEET ? 0 : v < 2 * SHEET ? 0.5 : 0.25;
        double x[3] = {k % ROW * 0.125, (double)(k / ROW) * 0.125, height};
        for (int c = 0; c < 3; c++) {
            s->x0[v][c] = x[c] + 0.03125 * test_random_between(&random, -1, 1);
            s->x1[v][c] = s->x0[v][c] + 0.015625 * test_random_between(&random, -1, 1);
        }
        s->x1[v][2] -= v < SHEET ? 0 : fall * height;
        s->thickness[v] = 0x1p-10 * test_random_unit(&random);
    }
    add_faces(s, 0);
    add_faces(s, SHEET);
    CHECK(graze_mesh_from_faces(context, vertices, (const uint32_t(*)[3])s->faces, s->mesh.face_count, &s->mesh) ==
          GRAZE_OK);
    graze_mesh *m = &s->with_loose_ends;
    *m = s->mesh;
    memcpy(s->edges, s->mesh.edges, s->mesh.edge_count * sizeof *s->edges);
    for (uint32_t i = 0; i < 4; i++) {
        s->codim_edges[i] = m->edge_count;
        s->codim_points[2 * i] = s->edges[m->edge_count][0] = 2 * SHEET + 2 * i;
        s->codim_points[2 * i + 1] = s->edges[m->edge_count++][1] = 2 * SHEET + 2 * i + 1;
    }
    m->edges = (const uint32_t(*)[2])s->edges;
    m->codim_edges = s->codim_edges;
    m->codim_edge_count = 4;
    m->codim_points = s->codim_points;
    m->codim_point_count = 8;
}

#define POSITIONS(s) (const double(*)[3])(s)->x0, (const double(*)[3])(s)->x1

typedef struct step_case {
    sheets *s;
    graze_options narrow;
    graze_step_options options;
} step_case;

static step_case make_case(graze_context *context, const setup *s, double fall) {
    static sheets scene;
    step_case c = {.s = &scene, .narrow = graze_default_options(), .options = graze_default_step_options()};
    make_sheets(&scene, context, fall);
    scene.with_loose_ends.thickness = s->thick ? scene.thickness : NULL;
    c.narrow.method = s->method;
    c.narrow.min_separation = s->separation;
    c.options.mode = s->mode;
    c.options.broad = s->broad;
    return c;
}

/* Against the oracle on all pairs. */
static void judge_step(graze_context *context, step_case c, const graze_step_result *r) {
    graze_step_result truth = graze_default_step_result();
    c.narrow.method = GRAZE_METHOD_ORACLE;
    c.options.narrow = &c.narrow;
    c.options.mode = GRAZE_STEP_EARLIEST;
    c.options.broad = GRAZE_BROAD_BRUTE;
    c.options.vertex_toi = NULL;
    CHECK(graze_step(context, &c.s->with_loose_ends, POSITIONS(c.s), &c.options, &truth) == GRAZE_OK);
    CHECK(truth.verdict != GRAZE_UNRESOLVED);
    CHECK(r->verdict != GRAZE_CLEAR || truth.verdict == GRAZE_CLEAR);
    CHECK(truth.verdict == GRAZE_CLEAR || r->toi <= truth.toi_upper);
    graze_step_release(context, &truth);
}

static bits bits_of_step(graze_context *context, const setup *s) {
    static double vertex_toi[2 * SHEET + 8];
    bits b = NO_BITS;
    /* free all the way; a few contacts; many */
    static const double falls[] = {0.5, 0.9375, 1.25};
    for (int i = 0; i < 3; i++) {
        step_case c = make_case(context, s, falls[i]);
        c.options.narrow = &c.narrow;
        if (s->mode == GRAZE_STEP_VERTICES) c.options.vertex_toi = vertex_toi;
        graze_step_result r = graze_default_step_result();
        CHECK(graze_step(context, &c.s->with_loose_ends, POSITIONS(c.s), &c.options, &r) == GRAZE_OK);
        if (accepted && !s->thick) judge_step(context, c, &r);
        CHECK((r.verdict == GRAZE_CLEAR) == (i == 0 && s->mode != GRAZE_STEP_VERTICES));
        int32_t verdict = (int32_t)r.verdict;
        b.answer = add_double(add_words(b.answer, &verdict, 1), r.toi);
        if (s->mode != GRAZE_STEP_ANY || i == 0) { /* which contact it is may depend on the threads */
            b.answer = add_double(b.answer, r.toi_upper);
            if (r.has_pair) add_pair_results(&b, &r.limiting, 1);
        }
        add_pair_results(&b, r.pairs, r.pair_count);
        for (uint32_t v = 0; c.options.vertex_toi && v < 2 * SHEET + 8; v++)
            b.contact = add_double(b.contact, vertex_toi[v]);
        graze_step_release(context, &r);
        graze_mesh_release(context, &c.s->mesh);
    }
    return b;
}

static bits bits_of_active_set(graze_context *context, const setup *s) {
    bits b = NO_BITS;
    step_case c = make_case(context, s, 1);
    c.options.narrow = &c.narrow;
    graze_pair_result *pairs;
    size_t count;
    CHECK(graze_active_set(context, &c.s->with_loose_ends, POSITIONS(c.s), &c.options, &pairs, &count) == GRAZE_OK);
    CHECK(count > 10);
    add_pair_results(&b, pairs, count);
    graze_active_set_release(context, pairs, count);
    graze_mesh_release(context, &c.s->mesh);
    return b;
}

/* The candidates, and the narrow phase on their list. */
static bits bits_of_candidates(graze_context *context, const setup *s) {
    bits b = NO_BITS;
    step_case c = make_case(context, s, 1);
    c.options.narrow = &c.narrow;
    const graze_mesh *mesh = &c.s->with_loose_ends;
    graze_pair *pairs;
    size_t count;
    CHECK(graze_candidates(context, mesh, POSITIONS(c.s), &c.options, &pairs, &count) == GRAZE_OK);
    CHECK(count > 100);
    add_pairs(&b, pairs, count);
    graze_result *results = malloc(count * sizeof *results);
    CHECK(graze_ccd_pairs(context, mesh, POSITIONS(c.s), pairs, count, &c.options, results) == GRAZE_OK);
    for (size_t i = 0; i < count; i++) add_result(&b, &results[i]);
    free(results);
    graze_pairs_release(context, pairs, count);
    graze_mesh_release(context, &c.s->mesh);
    return b;
}

/* Pairs that are too close, or intersect, at one state: that at the end of the motion. */
static bits bits_of_start(graze_context *context, const setup *s) {
    bits b = NO_BITS;
    step_case c = make_case(context, s, 1);
    c.options.narrow = &c.narrow;
    graze_pair *pairs;
    size_t count;
    const double(*x)[3] = (const double(*)[3])c.s->x1;
    CHECK(graze_start_violations(context, &c.s->with_loose_ends, x, &c.options, &pairs, &count) == GRAZE_OK);
    CHECK(count > 0 || s->separation == 0);
    add_pairs(&b, pairs, count);
    graze_pairs_release(context, pairs, count);
    CHECK(graze_static_intersections(context, &c.s->with_loose_ends, x, &c.options, &pairs, &count) == GRAZE_OK);
    CHECK(count > 0);
    add_pairs(&b, pairs, count);
    graze_pairs_release(context, pairs, count);
    graze_mesh_release(context, &c.s->mesh);
    return b;
}

static double sum_of_heights(void *user, const double (*x)[3]) {
    double sum = 0;
    for (uint32_t v = 0; v < *(const uint32_t *)user; v++) sum += x[v][2];
    return sum;
}

static bits bits_of_line_search(graze_context *context, const setup *s) {
    bits b = NO_BITS;
    step_case c = make_case(context, s, 1);
    c.options.narrow = &c.narrow;
    graze_line_search_options options = graze_default_line_search_options();
    options.step = &c.options;
    uint32_t vertices = c.s->mesh.vertex_count;
    graze_line_search_result r = graze_default_line_search_result();
    CHECK(graze_line_search(context, &c.s->with_loose_ends, POSITIONS(c.s), sum_of_heights, &vertices, &options, &r) ==
          GRAZE_OK);
    CHECK(r.alpha > 0 && r.alpha < 1 && r.has_pair);
    add_pair(&b, &r.limiting);
    b.contact = add_double(add_double(add_double(b.contact, r.alpha), r.alpha_free), r.energy);
    graze_mesh_release(context, &c.s->mesh);
    return b;
}

/* ---- curves and links ---- */

/* Control points from the ends of four other rows, so that every coordinate bends. */
static graze_curve_query bent(const graze_query *query) {
    graze_curve_query q;
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            q.x[i][0][c] = query->x0[i][c];
            q.x[i][1][c] = query->x1[(i + 1) % 4][c];
            q.x[i][2][c] = query->x0[(i + 2) % 4][c];
            q.x[i][3][c] = query->x1[i][c];
        }
    return q;
}

static bits bits_of_scaled_curves(graze_context *context, const setup *s) {
    bits b = NO_BITS;
    for (int kind = GRAZE_VF; kind <= GRAZE_PP; kind++) {
        test_random random = {(uint64_t)kind + 1};
        for (int batch = 0; batch < SCALED_BATCHES; batch++) {
            graze_query queries[SCALED];
            graze_curve_query curves[SCALED];
            graze_result results[SCALED];
            double radii[SCALED][4];
            graze_options options = graze_default_options();
            options.min_separation = make_scaled(&random, (graze_kind)kind, s, queries, radii);
            for (size_t i = 0; i < SCALED; i++) curves[i] = bent(&queries[i]);
            CHECK(graze_ccd_curve_batch(context, (graze_kind)kind, curves, SCALED, &options, results) == GRAZE_OK);
            for (size_t i = 0; i < SCALED; i++) add_result(&b, &results[i]);
        }
    }
    return b;
}

static bits bits_of_curves(graze_context *context, const setup *s) {
    static graze_curve_query queries[FEW];
    static graze_result results[FEW];
    bits b = NO_BITS;
    graze_options options = graze_default_options();
    options.min_separation = s->separation;
    for (int kind = GRAZE_VF; kind <= GRAZE_PP; kind++) {
        test_random random = {(uint64_t)kind + 1};
        size_t hits = 0;
        for (size_t i = 0; i < FEW; i++) {
            graze_query query;
            make_query(&random, &query);
            queries[i] = bent(&query);
        }
        CHECK(graze_ccd_curve_batch(context, (graze_kind)kind, queries, FEW, &options, results) == GRAZE_OK);
        for (size_t i = 0; i < FEW; i++) {
            add_result(&b, &results[i]);
            hits += results[i].verdict == GRAZE_HIT;
        }
        CHECK_MSG(hits > 5 && hits < FEW - 5, "kind %d: %zu hits", kind, hits);
    }
    return b;
}

/* A bar on a revolute joint that hangs on a spherical one, and a body that flies past it on a free joint. */
static void make_models(graze_context *context, graze_model *models[2]) {
    static const double bar[4][3] = {{0, 0, 0}, {1, 0.125, 0}, {1, -0.125, 0.125}, {1, 0, -0.125}};
    static const uint32_t faces[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
    graze_link_mesh mesh = graze_default_link_mesh();
    mesh.vertex_count = mesh.face_count = 4;
    mesh.vertices = bar;
    mesh.faces = faces;
    graze_link plain = graze_default_link();
    plain.meshes = &mesh;
    plain.mesh_count = 1;
    graze_link links[2] = {plain, plain}, flying = plain;
    links[0].joint = GRAZE_JOINT_SPHERICAL;
    links[1].parent = 0;
    links[1].joint = GRAZE_JOINT_REVOLUTE;
    links[1].origin = (graze_frame){{1, 0, 0}, {2, 1, 0, 1}};
    for (int c = 0; c < 3; c++) links[1].axis[c] = c + 1;
    flying.joint = GRAZE_JOINT_FREE;
    flying.origin = (graze_frame){{1.5, 0, 0}, {3, 0, 1, 2}};
    CHECK(graze_model_create(context, links, 2, &models[0]) == GRAZE_OK);
    CHECK(graze_model_create(context, &flying, 1, &models[1]) == GRAZE_OK);
}

static bits bits_of_motions(graze_context *context, const setup *s) {
    bits b = NO_BITS;
    graze_model *models[2] = {NULL, NULL};
    graze_articulated_options options = graze_default_articulated_options();
    options.min_separation = s->separation;
    make_models(context, models);
    test_random random = {5};
    size_t hits = 0, motions = 300;
    for (size_t i = 0; i < motions; i++) {
        double from[2][6], to[2][6];
        uint8_t screws[1] = {i & 1};
        for (int k = 0; k < 12; k++) {
            from[k / 6][k % 6] = test_random_between(&random, -1.5, 1.5);
            to[k / 6][k % 6] = test_random_between(&random, -1.5, 1.5);
        }
        graze_motion motion[2] = {graze_default_motion(), graze_default_motion()};
        for (int m = 0; m < 2; m++) {
            motion[m].from = from[m];
            motion[m].to = to[m];
        }
        motion[1].screws = screws;
        graze_articulated_result r = graze_default_articulated_result();
        CHECK(graze_articulated_step(context, (const graze_model *const *)models, 2, motion, &options, &r) == GRAZE_OK);
        int32_t words[2] = {(int32_t)r.verdict, r.has_contact};
        b.answer = add_double(add_double(add_words(b.answer, words, 2), r.toi), r.toi_upper);
        hits += r.verdict == GRAZE_HIT;
        if (!r.has_contact) continue;
        add_pair(&b, &r.contact.pair);
        for (int c = 0; c < 3; c++)
            b.contact = add_double(add_double(b.contact, r.contact.point[c]), r.contact.normal[c]);
    }
    CHECK_MSG(hits > 30 && hits < motions - 30, "%zu hits", hits);
    for (int i = 0; i < 2; i++) graze_model_destroy(context, models[i]);
    return b;
}

/* ---- all of them, on every instruction set ---- */

typedef bits bits_of(graze_context *context, const setup *s);

enum { CONTEXTS = 16 };
static graze_context *contexts[CONTEXTS];
static const char *context_names[CONTEXTS];
static int context_count;
static size_t lines;

static void make_contexts(void) {
    for (int isa = GRAZE_ISA_SCALAR; strcmp(graze_isa_name((graze_isa)isa), "unknown") != 0; isa++) {
        if (!graze_isa_available((graze_isa)isa)) continue;
        uint32_t thread_counts[2] = {1, 3};
        for (int k = 0; k < (isa == GRAZE_ISA_SCALAR ? 2 : 1); k++) {
            context_names[context_count] = graze_isa_name((graze_isa)isa);
            contexts[context_count++] = test_context(thread_counts[k], (graze_isa)isa);
        }
    }
}

/* One more line; whole lines of the file begin after another's end. */
static void compare(const char *text) {
    printf("    %s", text);
    lines++;
    if (accepted) {
        fputs(text, accepted);
        return;
    }
    const char *at = strstr(expected_bits, text);
    CHECK_MSG(at && (at == expected_bits || at[-1] == '\n'), "test/bits.txt has other hashes; see ./dev bits");
}

static size_t expected_lines(void) {
    size_t count = 0;
    for (const char *at = expected_bits; *at; at++) count += *at == '\n';
    return count;
}

static void line(const char *name, const char *more, bits_of *function, const setup *s) {
    bits first = function(contexts[0], s);
    char text[200];
    snprintf(text, sizeof text, "%s%s%s%s: answers %016llx contacts %016llx\n", name, more,
             s->separation > 0 ? " separation" : "", s->thick ? " thick" : "", (unsigned long long)first.answer,
             (unsigned long long)first.contact);
    compare(text);
    bool of_single_calls = function == bits_of_queries && s->form >= ONE_RADIUS;
    for (int k = 1; k < context_count && !of_single_calls; k++) {
        bits other = function(contexts[k], s);
        CHECK_MSG(other.answer == first.answer && other.contact == first.contact,
                  "%s, %u threads: answers %016llx contacts %016llx", context_names[k],
                  graze_context_threads(contexts[k]), (unsigned long long)other.answer,
                  (unsigned long long)other.contact);
    }
}

static void lines_of_method(graze_method method) {
    static const double separations[] = {0, 0.01};
    const graze_method_info *info = graze_method_get(method);
    bool certificates = method == GRAZE_METHOD_CERTIFIED || method == GRAZE_METHOD_EXACT;
    for (int k = 0; k < 2; k++)
        for (form f = BATCH; f <= PLANE; f++) {
            setup s = {.method = method, .separation = separations[k], .form = f};
            graze_options options = graze_default_options();
            graze_result result;
            options.method = method;
            options.min_separation = s.separation;
            if (graze_ccd(GRAZE_VF, &(graze_query){{{0}}, {{0}}}, &options, &result) == GRAZE_ERR_UNSUPPORTED) continue;
            if (f == PLANE && !(info->kinds >> GRAZE_PE & 1)) continue;
            if ((f == ONE_RADIUS || f == RADII) && !certificates) continue;
            line(info->name, form_names[f], bits_of_queries, &s);
        }
}

static void lines_of_scaled(graze_method method) {
    static const form forms[] = {BATCH, FLOAT32, RADII};
    char more[40];
    for (int k = 0; k < 3; k++) {
        setup s = {.method = method, .form = forms[k]};
        snprintf(more, sizeof more, "%s parts of any size", form_names[s.form]);
        line(graze_method_get(method)->name, more, bits_of_scaled, &s);
    }
}

static void lines_of_steps(graze_method method) {
    static const char *const mode_names[] = {" earliest", " any", " vertices", " all"};
    const char *name = graze_method_get(method)->name;
    for (int k = 0; k < 3; k++) { /* plain, with a separation, with radii */
        setup s = {.method = method, .separation = k == 1 ? 0x1p-8 : 0, .thick = k == 2};
        for (int mode = 0; mode < 4; mode++) {
            s.mode = (graze_step_mode)mode;
            line(name, mode_names[mode], bits_of_step, &s);
        }
        line(name, " active set", bits_of_active_set, &s);
        line(name, " line search", bits_of_line_search, &s);
        if (method == GRAZE_METHOD_CERTIFIED) line("start", "", bits_of_start, &s);
    }
}

TEST(answers_have_the_known_bits_for_every_instruction_set_and_thread_count) {
    make_contexts();
    for (int method = 1; graze_method_get((graze_method)method); method++) lines_of_method((graze_method)method);
    lines_of_scaled(GRAZE_METHOD_CERTIFIED);
    lines_of_scaled(GRAZE_METHOD_EXACT);
    lines_of_steps(GRAZE_METHOD_CERTIFIED);
    lines_of_steps(GRAZE_METHOD_EXACT);
    for (int broad = 1; graze_broad_name((graze_broad)broad); broad++) {
        if (!graze_broad_available((graze_broad)broad) || broad == GRAZE_BROAD_CGAL) continue; /* not everywhere */
        setup s = {.method = GRAZE_METHOD_CERTIFIED, .separation = 0x1p-8, .broad = (graze_broad)broad};
        line("candidates ", graze_broad_name((graze_broad)broad), bits_of_candidates, &s);
    }
    for (int k = 0; k < 2; k++) {
        setup s = {.separation = k ? 0x1p-6 : 0};
        line("curves", "", bits_of_curves, &s);
        line("motions", "", bits_of_motions, &s);
    }
    line("curves", " parts of any size", bits_of_scaled_curves, &(setup){.method = GRAZE_METHOD_CERTIFIED});
    CHECK_MSG(accepted || lines == expected_lines(), "%zu lines, and %zu in test/bits.txt", lines, expected_lines());
    for (int k = 0; k < context_count; k++) graze_context_destroy(contexts[k]);
}

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "--accept") == 0) {
        accepted = fopen(argv[2], "w");
        if (!accepted) return 2;
        argc = 1;
    }
    int status = RUN_TESTS(argc, argv);
    return accepted && fclose(accepted) != 0 ? 2 : status;
}
