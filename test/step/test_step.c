/* Whole steps: the same answer by every way, closed on every failure. */
#include "soup.h"

#include <pthread.h>
#include <stdatomic.h>

#define POSITIONS(s) (const double(*)[3])(s)->x0, (const double(*)[3])(s)->x1

static bool closed(const graze_step_result *r) {
    return r->verdict == GRAZE_UNRESOLVED && r->toi == 0 && !r->has_pair && !r->pairs && r->pair_count == 0;
}

static bool same_double(double a, double b) { return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)); }

static bool same_result(const graze_result *a, const graze_result *b) {
    bool same = a->verdict == b->verdict && a->reason == b->reason && a->proven == b->proven &&
                same_double(a->toi, b->toi) && same_double(a->toi_upper, b->toi_upper) && same_double(a->u, b->u) &&
                same_double(a->v, b->v) && a->checks == b->checks;
    for (int c = 0; c < 3; c++)
        same &= same_double(a->point[c], b->point[c]) && same_double(a->normal[c], b->normal[c]);
    return same;
}

static bool same_pair(const graze_pair *a, const graze_pair *b) {
    return a->kind == b->kind && a->a == b->a && a->b == b->b;
}

static bool have_method(void) {
    if (graze_method_get(GRAZE_METHOD_DEFAULT)->available) return true;
    test_skip("the default method is not in this build");
    return false;
}

/* The answer that a step must give, from the narrow phase on each candidate of the two plain loops. */
typedef struct expectation {
    plain_list candidates;
    graze_result *results;
    size_t limiting; /* index, or SIZE_MAX */
    size_t hits;
} expectation;

static expectation expect(const soup *s, graze_context *context, const graze_step_options *options) {
    expectation e = {.candidates = plain_candidates(s, options->narrow ? options->narrow->min_separation : 0),
                     .limiting = SIZE_MAX};
    e.results = malloc(e.candidates.count * sizeof *e.results + 1);
    CHECK(graze_ccd_pairs(context, &s->mesh, POSITIONS(s), e.candidates.pairs, e.candidates.count, options,
                          e.results) == GRAZE_OK);
    for (size_t i = 0; i < e.candidates.count; i++) {
        if (e.results[i].verdict == GRAZE_CLEAR) continue;
        e.hits++;
        if (e.limiting == SIZE_MAX || e.results[i].toi < e.results[e.limiting].toi) e.limiting = i;
    }
    return e;
}

static void forget(expectation *e) {
    free(e->candidates.pairs);
    free(e->results);
}

static void check_step(const expectation *e, const graze_step_result *r, double t_max, bool all) {
    if (e->limiting == SIZE_MAX) {
        CHECK(r->verdict == GRAZE_CLEAR && r->toi == t_max && !r->has_pair && isinf(r->toi_upper));
    } else {
        const graze_result *limit = &e->results[e->limiting];
        CHECK(r->has_pair && same_pair(&r->limiting.pair, &e->candidates.pairs[e->limiting]));
        CHECK(same_result(&r->limiting.result, limit));
        CHECK(r->verdict == limit->verdict && r->toi == limit->toi && r->toi_upper == limit->toi_upper);
    }
    if (!all) return;
    uint64_t candidates = 0, hits = 0;
    for (int kind = 0; kind < 4; kind++) candidates += r->candidates[kind], hits += r->hits[kind];
    CHECK(candidates == e->candidates.count && hits == e->hits && r->pair_count == e->hits);
    size_t next = 0;
    for (size_t i = 0; i < e->candidates.count && next < r->pair_count; i++) {
        if (e->results[i].verdict == GRAZE_CLEAR) continue;
        CHECK(same_pair(&r->pairs[next].pair, &e->candidates.pairs[i]));
        CHECK(same_result(&r->pairs[next].result, &e->results[i]));
        next++;
    }
}

static void drop_kinds_the_method_lacks(soup *s) {
    unsigned kinds = graze_method_get(GRAZE_METHOD_DEFAULT)->kinds;
    if (!(kinds >> GRAZE_PE & 1u) || !(kinds >> GRAZE_PP & 1u)) s->mesh.codim_point_count = 0;
}

/* Every broad phase, instruction set and mode against the plain loops; the number of threads goes round. */
static void check_all_ways(soup *s, graze_method method, bool fused_only) {
    graze_context *maker = test_context(1, GRAZE_ISA_SCALAR);
    graze_options narrow = graze_default_options();
    narrow.method = method;
    narrow.max_checks = method == GRAZE_METHOD_TI ? 2000 : 0;
    graze_step_options options = graze_default_step_options();
    options.narrow = &narrow;
    expectation e = expect(s, maker, &options);
    int round = 0;
    for (int broad = 0; graze_broad_name((graze_broad)broad); broad++) {
        if (!graze_broad_available((graze_broad)broad) || (fused_only && broad != GRAZE_BROAD_AUTO)) continue;
        for (int isa = GRAZE_ISA_SCALAR; isa <= GRAZE_ISA_WASM; isa++) {
            if (!graze_isa_available((graze_isa)isa)) continue;
            graze_context *context = test_context(1 + (uint32_t)(round++ % 8), (graze_isa)isa);
            options.broad = (graze_broad)broad;
            for (int call = 0; call < 3; call++) {
                if (fused_only && call == 1) continue;
                options.mode = call == 1 ? GRAZE_STEP_ALL : GRAZE_STEP_EARLIEST;
                options.memory_limit = call == 2 ? 1 : 0;
                graze_step_result r = graze_default_step_result();
                CHECK(graze_step(context, &s->mesh, POSITIONS(s), &options, &r) == GRAZE_OK);
                check_step(&e, &r, 1, call == 1);
                graze_step_release(context, &r);
            }
            graze_context_destroy(context);
        }
    }
    forget(&e);
    graze_context_destroy(maker);
}

static const graze_method step_methods[] = {GRAZE_METHOD_TI, GRAZE_METHOD_ORACLE, GRAZE_METHOD_CERTIFIED,
                                            GRAZE_METHOD_EXACT};

TEST(every_broad_phase_isa_and_thread_count_gives_the_step_of_the_plain_loops) {
    static soup s;
    graze_context *maker = test_context(1, GRAZE_ISA_SCALAR);
    for (int m = 0; m < 4; m++)
        for (int style = 0; style < SOUP_STYLES && graze_method_get(step_methods[m])->available; style++) {
            soup_make(&s, maker, (soup_style)style, style == SOUP_SAME || style == SOUP_DEGENERATE ? 9 : 40, 21);
            if (!(graze_method_get(step_methods[m])->kinds >> GRAZE_PE & 1u)) s.mesh.codim_point_count = 0;
            check_all_ways(&s, step_methods[m], false);
            graze_mesh_release(maker, &s.mesh);
        }
    graze_context_destroy(maker);
}

TEST(a_mesh_of_several_rounds_gives_the_step_of_the_plain_loops) {
    static soup s;
    graze_context *maker = test_context(1, GRAZE_ISA_SCALAR);
    for (int m = 1; m < 4; m++)
        for (int style = 0; style < 3 && graze_method_get(step_methods[m])->available; style++)
            for (uint64_t seed = 0; seed < 2; seed++) {
                soup_make(&s, maker, style ? SOUP_UNIFORM : SOUP_OFFSET, SOUP_MAX, 30 + seed);
                if (style == 2) /* one contact only, late: most windows stay long */
                    for (uint32_t v = 6; v < s.mesh.vertex_count; v++) memcpy(s.x1[v], s.x0[v], sizeof s.x1[v]);
                check_all_ways(&s, step_methods[m], true);
                graze_mesh_release(maker, &s.mesh);
            }
    graze_context_destroy(maker);
}

TEST(mode_any_names_a_proven_contact_or_answers_in_full) {
    static soup s;
    graze_options narrow = graze_default_options();
    graze_step_options options = graze_default_step_options();
    options.narrow = &narrow;
    options.mode = GRAZE_STEP_ANY;
    for (int m = 0; m < 4; m++)
        for (uint32_t threads = 1; threads <= 4 && graze_method_get(step_methods[m])->available; threads += 3) {
            graze_context *context = test_context(threads, GRAZE_ISA_AUTO);
            narrow.method = step_methods[m];
            graze_step_result r = graze_default_step_result();
            soup_make(&s, context, SOUP_UNIFORM, 100, 31);
            if (m == 0) s.mesh.codim_point_count = 0;
            CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &r) == GRAZE_OK);
            CHECK(r.verdict == GRAZE_HIT && r.has_pair);
            if (r.limiting.result.proven) {
                graze_result again;
                CHECK(graze_ccd_pairs(context, &s.mesh, POSITIONS(&s), &r.limiting.pair, 1, &options, &again) ==
                      GRAZE_OK);
                CHECK(again.verdict == GRAZE_HIT && again.proven);
                CHECK(r.toi == 0 && r.toi_upper == r.limiting.result.toi_upper);
                CHECK(r.hits[GRAZE_EE] == GRAZE_NOT_COUNTED);
            }
            /* nothing moves; no four points of the curve (v, v², v³) lie in a plane, so nothing touches */
            for (uint32_t v = 0; v < s.mesh.vertex_count; v++)
                for (int c = 0; c < 3; c++) s.x0[v][c] = s.x1[v][c] = pow(v / 64.0, c + 1);
            CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &r) == GRAZE_OK);
            CHECK(r.verdict == GRAZE_CLEAR && r.toi == 1 && !r.has_pair);
            graze_mesh_release(context, &s.mesh);
            graze_context_destroy(context);
        }
}

/* A grid of n × n vertices at height z, moving by dz. */
static void add_sheet(soup *s, uint32_t *vertices, uint32_t *faces, uint32_t n, double z, double dz, double shift) {
    uint32_t first = *vertices;
    for (uint32_t i = 0; i < n * n; i++) {
        double *x0 = s->x0[*vertices], *x1 = s->x1[(*vertices)++];
        x0[0] = x1[0] = (i % n) + shift;
        x0[1] = x1[1] = (i / n) + shift;
        x0[2] = z;
        x1[2] = z + dz;
    }
    for (uint32_t i = 0; i + 1 < n; i++)
        for (uint32_t j = 0; j + 1 < n; j++) {
            uint32_t a = first + j * n + i, b = a + 1, c = a + n, d = c + 1;
            uint32_t quad[2][3] = {{a, b, c}, {b, d, c}};
            memcpy(s->faces[*faces], quad, sizeof quad);
            *faces += 2;
        }
}

static void two_sheets(soup *s, graze_context *context, double gap, double dz) {
    uint32_t vertices = 0, faces = 0;
    add_sheet(s, &vertices, &faces, 6, 0, 0, 0);
    add_sheet(s, &vertices, &faces, 6, gap, dz, 0.3);
    s->mesh = graze_default_mesh();
    CHECK(graze_mesh_from_faces(context, vertices, (const uint32_t(*)[3])s->faces, faces, &s->mesh) == GRAZE_OK);
}

TEST(a_falling_sheet_stops_at_the_time_that_arithmetic_says) {
    if (!have_method()) return;
    static soup s;
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    graze_options narrow = graze_default_options();
    graze_step_options options = graze_default_step_options();
    options.narrow = &narrow;
    graze_step_result r = graze_default_step_result();
    two_sheets(&s, context, 1, -2); /* contact at t = 1/2 */
    CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &r) == GRAZE_OK);
    CHECK(r.verdict == GRAZE_HIT && r.has_pair && r.toi <= 0.5 && r.toi > 0.499);
    narrow.min_separation = 0.25; /* then at 3/8 */
    CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &r) == GRAZE_OK);
    CHECK(r.verdict == GRAZE_HIT && r.toi <= 0.375 && r.toi > 0.374);
    narrow.min_separation = 0;
    narrow.t_max = 0.499; /* just before */
    CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &r) == GRAZE_OK);
    CHECK(r.verdict == GRAZE_CLEAR && r.toi == 0.499 && !r.has_pair);
    narrow.t_max = 0.5; /* touching counts, also at the end */
    CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &r) == GRAZE_OK);
    CHECK(r.verdict == GRAZE_HIT && r.toi <= 0.5 && r.toi > 0.499);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

/* ---- mode vertices ---- */

static void mix_positions(const soup *s, const double *fraction, soup *to) {
    for (uint32_t v = 0; v < s->mesh.vertex_count; v++)
        for (int c = 0; c < 3; c++) {
            to->x0[v][c] = s->x0[v][c];
            to->x1[v][c] = fraction[v] == 1 ? s->x1[v][c] : s->x0[v][c] + fraction[v] * (s->x1[v][c] - s->x0[v][c]);
        }
}

TEST(vertices_may_take_any_parts_of_their_own_times_and_nothing_touches) {
    static soup s, moved;
    static double limit[3 * SOUP_MAX], other[3 * SOUP_MAX], fraction[3 * SOUP_MAX];
    graze_context *context = test_context(2, GRAZE_ISA_AUTO), *single = test_context(1, GRAZE_ISA_SCALAR);
    test_random random = {41};
    graze_options narrow = graze_default_options();
    narrow.method = GRAZE_METHOD_ORACLE;
    for (int round = 0; round < 12; round++) {
        narrow.min_separation = round % 3 == 2 ? 1e-3 : 0;
        soup_make(&s, context, round % 2 ? SOUP_UNIFORM : SOUP_CLUSTERED, 60, 41 + (uint64_t)round);
        graze_step_options options = graze_default_step_options();
        options.narrow = &narrow;
        /* start from a state that is free: what touches at x0 stops there and proves nothing */
        graze_pair *touching;
        size_t count;
        CHECK(graze_candidates(context, &s.mesh, (const double(*)[3])s.x0, (const double(*)[3])s.x0, &options,
                               &touching, &count) == GRAZE_OK);
        graze_result *at_start = malloc(count * sizeof *at_start + 1);
        CHECK(graze_ccd_pairs(context, &s.mesh, (const double(*)[3])s.x0, (const double(*)[3])s.x0, touching, count,
                              &options, at_start) == GRAZE_OK);
        options.mode = GRAZE_STEP_VERTICES;
        options.vertex_toi = limit;
        graze_step_result r = graze_default_step_result();
        CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &r) == GRAZE_OK);
        options.vertex_toi = other;
        options.broad = GRAZE_BROAD_SAP;
        CHECK(graze_step(single, &s.mesh, POSITIONS(&s), &options, &r) == GRAZE_OK);
        CHECK(memcmp(limit, other, s.mesh.vertex_count * sizeof *limit) == 0);
        double least = 1;
        size_t stopped = 0, going = 0;
        for (uint32_t v = 0; v < s.mesh.vertex_count; v++) {
            CHECK(limit[v] >= 0 && limit[v] <= 1);
            least = fmin(least, limit[v]);
            stopped += limit[v] < 1;
            going += limit[v] > 0;
        }
        CHECK(r.toi == least && (r.verdict == GRAZE_CLEAR) == (stopped == 0) && r.has_pair == (stopped > 0));
        CHECK(stopped > 0 && going > 0);
        for (int mixture = 0; mixture < 4; mixture++) {
            for (uint32_t v = 0; v < s.mesh.vertex_count; v++) {
                double part = mixture == 0 ? 1 : test_random_below(&random, 2) ? test_random_unit(&random) : 1;
                fraction[v] = part == 1 && limit[v] == 1 ? 1 : part * limit[v] * (1 - 1e-12);
            }
            memcpy(moved.faces, s.faces, sizeof s.faces);
            mix_positions(&s, fraction, &moved);
            moved.mesh = s.mesh;
            options = graze_default_step_options();
            options.narrow = &narrow;
            options.mode = GRAZE_STEP_ALL;
            CHECK(graze_step(context, &moved.mesh, POSITIONS(&moved), &options, &r) == GRAZE_OK);
            for (size_t i = 0; i < r.pair_count; i++) {
                bool touched = false; /* already at the start */
                for (size_t k = 0; k < count && !touched; k++)
                    touched = same_pair(&touching[k], &r.pairs[i].pair) && at_start[k].verdict == GRAZE_HIT;
                CHECK_MSG(touched, "round %d mixture %d: kind %d, %u, %u at %g", round, mixture,
                          (int)r.pairs[i].pair.kind, r.pairs[i].pair.a, r.pairs[i].pair.b, r.pairs[i].result.toi);
            }
            graze_step_release(context, &r);
        }
        free(at_start);
        graze_pairs_release(context, touching, count);
        graze_mesh_release(context, &s.mesh);
    }
    graze_context_destroy(context);
    graze_context_destroy(single);
}

TEST(a_falling_sheet_and_one_at_rest_share_the_way_between_them) {
    static soup s;
    static double limit[3 * SOUP_MAX];
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    graze_step_options options = graze_default_step_options();
    options.mode = GRAZE_STEP_VERTICES;
    options.vertex_toi = limit;
    graze_step_result r = graze_default_step_result();
    two_sheets(&s, context, 1, -2);
    CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &r) == GRAZE_OK);
    /* planes half-way, at 1/2: the sheet that falls by 2 stops after 1/4, the one at rest is free */
    for (uint32_t v = 0; v < 36; v++) CHECK(limit[v] == 1);
    for (uint32_t v = 36; v < 72; v++) CHECK(limit[v] <= 0.25 && limit[v] > (v == 36 + 35 ? 0.2499 : 0.2));
    CHECK(r.verdict == GRAZE_UNRESOLVED && r.has_pair && r.toi <= 0.25 && r.toi > 0.2);
    options.vertex_toi = NULL;
    CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &r) == GRAZE_ERR_INVALID_ARGUMENT && closed(&r));
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

TEST(thickness_adds_to_the_separation) {
    if (!have_method()) return;
    static soup s;
    static double thickness[3 * SOUP_MAX];
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    graze_step_result r = graze_default_step_result();
    two_sheets(&s, context, 1, -2);
    for (uint32_t v = 0; v < s.mesh.vertex_count; v++) thickness[v] = v < 36 ? 0.125 : 0.1875;
    s.mesh.thickness = thickness;
    CHECK(graze_step(context, &s.mesh, POSITIONS(&s), NULL, &r) == GRAZE_OK);
    CHECK(r.verdict == GRAZE_HIT && r.toi <= 0.34375 && r.toi > 0.343); /* 1 − 2t = 5/16 */
    thickness[40] = 0x1p160;
    CHECK(graze_step(context, &s.mesh, POSITIONS(&s), NULL, &r) == GRAZE_ERR_INVALID_ARGUMENT && closed(&r));
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

TEST(positions_may_have_a_stride) {
    static soup s;
    static double wide0[3 * SOUP_MAX][5], wide1[3 * SOUP_MAX][5];
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_CLUSTERED, 60, 22);
    for (uint32_t v = 0; v < s.mesh.vertex_count; v++)
        for (int c = 0; c < 5; c++) {
            wide0[v][c] = c < 3 ? s.x0[v][c] : NAN;
            wide1[v][c] = c < 3 ? s.x1[v][c] : INFINITY;
        }
    graze_step_options options = graze_default_step_options();
    graze_pair *plain, *wide;
    size_t plain_count, wide_count;
    CHECK(graze_candidates(context, &s.mesh, POSITIONS(&s), &options, &plain, &plain_count) == GRAZE_OK);
    options.stride = 40;
    CHECK(graze_candidates(context, &s.mesh, (const double(*)[3])(void *)wide0, (const double(*)[3])(void *)wide1,
                           &options, &wide, &wide_count) == GRAZE_OK);
    CHECK(plain_count == wide_count && plain_count > 0 && !memcmp(plain, wide, plain_count * sizeof *plain));
    graze_pairs_release(context, plain, plain_count);
    graze_pairs_release(context, wide, wide_count);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

/* ---- bad input ---- */

static void check_refused(graze_context *context, const soup *s, const graze_mesh *mesh,
                          const graze_step_options *options, graze_status expected, uint64_t index, const char *what) {
    graze_step_result r = graze_default_step_result();
    memset(&r, 0x5a, sizeof r);
    graze_status status = graze_step(context, mesh, POSITIONS(s), options, &r);
    CHECK_MSG(status == expected, "%s: %s", what, graze_status_name(status));
    CHECK_MSG(closed(&r), "%s", what);
    graze_error error;
    graze_context_last_error(context, &error);
    CHECK_MSG(error.status == expected && error.index == index && error.message[0], "%s: %s", what, error.message);
    graze_pair *pairs = (graze_pair *)&r;
    size_t count = 7;
    status = graze_candidates(context, mesh, POSITIONS(s), options, &pairs, &count);
    CHECK_MSG(status == expected && !pairs && count == 0, "%s: candidates: %s", what, graze_status_name(status));
    graze_result result;
    graze_pair pair = {GRAZE_VF, 0, 0};
    memset(&result, 0x5a, sizeof result);
    CHECK(graze_ccd_pairs(context, mesh, POSITIONS(s), &pair, 1, options, &result) == expected);
    CHECK(result.verdict == GRAZE_UNRESOLVED && result.toi == 0);
}

TEST(bad_positions_are_named_and_leave_the_result_closed) {
    static soup s;
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_UNIFORM, 20, 23);
    s.mesh.codim_point_count = 0;
    static const double wrong[] = {NAN, INFINITY, -INFINITY, 1e308, -1e60};
    for (int i = 0; i < 5; i++)
        for (int end = 0; end < 2; end++) {
            double *x = end ? &s.x1[17][i % 3] : &s.x0[17][i % 3], kept = *x;
            *x = wrong[i];
            check_refused(context, &s, &s.mesh, NULL, i < 3 ? GRAZE_ERR_NOT_FINITE : GRAZE_ERR_OUT_OF_RANGE, 17,
                          "coordinate");
            *x = kept;
        }
    graze_step_result r = graze_default_step_result();
    CHECK(graze_step(context, &s.mesh, NULL, (const double(*)[3])s.x1, NULL, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(closed(&r));
    CHECK(graze_step(context, &s.mesh, (const double(*)[3])s.x0, NULL, NULL, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_step(NULL, &s.mesh, POSITIONS(&s), NULL, &r) == GRAZE_ERR_INVALID_ARGUMENT && closed(&r));
    CHECK(graze_step(context, &s.mesh, POSITIONS(&s), NULL, NULL) == GRAZE_ERR_INVALID_ARGUMENT);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

TEST(bad_meshes_and_options_are_refused) {
    static soup s;
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_UNIFORM, 20, 24);
    s.mesh.codim_point_count = 0;
    graze_mesh mesh = s.mesh;
    mesh.vertex_count = 0;
    check_refused(context, &s, &mesh, NULL, GRAZE_ERR_BAD_INDEX, 0, "no vertex");
    check_refused(context, &s, NULL, NULL, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "NULL mesh");
    mesh = s.mesh;
    mesh.vertex_count--;
    check_refused(context, &s, &mesh, NULL, GRAZE_ERR_BAD_INDEX, 19, "face index");
    static const double separations[] = {NAN, -1, INFINITY, 1e50};
    for (int i = 0; i < 4; i++) {
        graze_options narrow = graze_default_options();
        narrow.min_separation = separations[i];
        graze_step_options options = graze_default_step_options();
        options.narrow = &narrow;
        check_refused(context, &s, &s.mesh, &options, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "separation");
    }
    static const double ends[] = {NAN, -0x1p-1074, -1, 1.5, INFINITY};
    for (int i = 0; i < 5; i++) {
        graze_options narrow = graze_default_options();
        narrow.t_max = ends[i];
        graze_step_options options = graze_default_step_options();
        options.narrow = &narrow;
        check_refused(context, &s, &s.mesh, &options, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "t_max");
    }
    graze_step_options options = graze_default_step_options();
    options.struct_size = 8;
    check_refused(context, &s, &s.mesh, &options, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "struct_size");
    options = graze_default_step_options();
    options.mode = (graze_step_mode)9;
    check_refused(context, &s, &s.mesh, &options, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "mode");
    options = graze_default_step_options();
    options.broad = (graze_broad)77;
    check_refused(context, &s, &s.mesh, &options, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "broad");
    options = graze_default_step_options();
    options.broad = GRAZE_BROAD_LBVH;
    check_refused(context, &s, &s.mesh, &options, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "a broad phase of the GPU");
    options = graze_default_step_options();
    options.backend = (graze_backend)5;
    check_refused(context, &s, &s.mesh, &options, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "back end");
    static const size_t strides[] = {8, 20, 25, 23};
    for (int i = 0; i < 4; i++) {
        options = graze_default_step_options();
        options.stride = strides[i];
        check_refused(context, &s, &s.mesh, &options, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "stride");
    }
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

TEST(pairs_that_name_nothing_are_refused) {
    if (!have_method()) return;
    static soup s;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_UNIFORM, 20, 25);
    graze_pair wrong[] = {{GRAZE_VF, s.mesh.vertex_count, 0}, {GRAZE_VF, 0, s.mesh.face_count},
                          {GRAZE_EE, 0, s.mesh.edge_count},   {GRAZE_PE, 0, s.mesh.edge_count},
                          {GRAZE_PP, 0, s.mesh.vertex_count}, {(graze_kind)9, 0, 0}};
    for (int i = 0; i < 6; i++) {
        graze_pair pairs[2] = {{GRAZE_VF, 0, 5}, wrong[i]};
        graze_result results[2];
        graze_status status = graze_ccd_pairs(context, &s.mesh, POSITIONS(&s), pairs, 2, NULL, results);
        CHECK(status == (i < 5 ? GRAZE_ERR_BAD_INDEX : GRAZE_ERR_INVALID_ARGUMENT));
        CHECK(results[0].verdict == GRAZE_UNRESOLVED && results[0].toi == 0);
        graze_error error;
        graze_context_last_error(context, &error);
        CHECK(error.index == 1);
    }
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

/* ---- memory ---- */

typedef struct counted {
    atomic_long made, left, held;
} counted;

static void *counted_allocate(void *user, size_t size, size_t alignment) {
    counted *state = user;
    state->made++;
    if (state->left-- <= 0) return NULL;
    state->held++;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void counted_release(void *user, void *block, size_t size) {
    (void)size;
    counted *state = user;
    state->held--;
    free(block);
}

static graze_context *counted_context(counted *state) {
    graze_context_options options = graze_default_context_options();
    options.allocator = (graze_allocator){counted_allocate, counted_release, state};
    options.threads = 1;
    graze_context *context = NULL;
    CHECK(graze_context_create(&options, &context) == GRAZE_OK);
    return context;
}

TEST(steps_survive_failure_of_every_allocation) {
    if (!have_method()) return;
    static soup s;
    graze_context *maker = test_context(1, GRAZE_ISA_AUTO);
    soup_make(&s, maker, SOUP_CLUSTERED, 60, 26);
    drop_kinds_the_method_lacks(&s);
    for (int broad = 0; graze_broad_name((graze_broad)broad); broad++) {
        if (!graze_broad_available((graze_broad)broad)) continue;
        for (int what = 0; what < 3; what++) {
            graze_step_options options = graze_default_step_options();
            options.broad = (graze_broad)broad;
            options.mode = what == 1 ? GRAZE_STEP_ALL : GRAZE_STEP_EARLIEST;
            graze_status status = GRAZE_ERR_OUT_OF_MEMORY;
            long tries = 0;
            for (; status == GRAZE_ERR_OUT_OF_MEMORY && tries < 300; tries++) {
                counted state = {.left = 1000};
                graze_context *context = counted_context(&state);
                state.left = tries;
                if (what == 2) {
                    graze_pair *pairs;
                    size_t count;
                    status = graze_candidates(context, &s.mesh, POSITIONS(&s), &options, &pairs, &count);
                    CHECK(status == GRAZE_OK || (!pairs && !count));
                    graze_pairs_release(context, pairs, count);
                } else {
                    graze_step_result r = graze_default_step_result();
                    status = graze_step(context, &s.mesh, POSITIONS(&s), &options, &r);
                    CHECK(status == GRAZE_OK || closed(&r));
                    /* a method that runs out of memory says so in its verdict and keeps the step conservative */
                    if (status == GRAZE_OK && r.has_pair && r.limiting.result.reason == GRAZE_REASON_MEMORY)
                        status = GRAZE_ERR_OUT_OF_MEMORY;
                    graze_step_release(context, &r);
                }
                graze_context_destroy(context);
                CHECK(state.held == 0);
            }
            CHECK_MSG(status == GRAZE_OK && tries > 5, "%s: %ld tries", graze_broad_name((graze_broad)broad), tries);
        }
    }
    graze_mesh_release(maker, &s.mesh);
    graze_context_destroy(maker);
}

TEST(a_second_step_of_the_same_size_allocates_nothing) {
    if (!have_method()) return;
    static soup s;
    counted state = {.left = 100000};
    graze_context *context = counted_context(&state);
    soup_make(&s, context, SOUP_CLUSTERED, 100, 27);
    drop_kinds_the_method_lacks(&s);
    for (int broad = 0; graze_broad_name((graze_broad)broad); broad++) {
        if (!graze_broad_available((graze_broad)broad)) continue;
        graze_step_options options = graze_default_step_options();
        options.broad = (graze_broad)broad;
        graze_step_result r = graze_default_step_result();
        CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &r) == GRAZE_OK);
        long before = state.made;
        CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &r) == GRAZE_OK);
        CHECK_MSG(state.made == before, "%s: %ld allocations", graze_broad_name((graze_broad)broad),
                  (long)state.made - before);
    }
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
    CHECK(state.held == 0);
}

/* ---- limits ---- */

static int cancel_after(void *user) { return atomic_fetch_sub((atomic_int *)user, 1) <= 0; }

TEST(a_cancelled_step_is_unresolved_at_zero) {
    if (!have_method()) return;
    static soup s;
    atomic_int left = 1 << 30;
    graze_context_options context_options = graze_default_context_options();
    context_options.cancel = cancel_after;
    context_options.cancel_user = &left;
    context_options.threads = 2;
    graze_context *context;
    CHECK(graze_context_create(&context_options, &context) == GRAZE_OK);
    two_sheets(&s, context, 1, -2);
    graze_step_result r = graze_default_step_result();
    for (int calls = 0; calls < 6; calls++) {
        left = calls;
        CHECK(graze_step(context, &s.mesh, POSITIONS(&s), NULL, &r) == GRAZE_OK);
        /* either it was done before the callback said so, or nothing is claimed */
        if (r.verdict != GRAZE_HIT) {
            CHECK(r.verdict == GRAZE_UNRESOLVED && r.toi == 0 && r.reason == GRAZE_REASON_CANCELLED && !r.has_pair);
            CHECK(r.candidates[GRAZE_VF] == GRAZE_NOT_COUNTED);
        }
        if (calls == 0) CHECK(r.verdict == GRAZE_UNRESOLVED);
    }
    left = 1 << 30;
    CHECK(graze_step(context, &s.mesh, POSITIONS(&s), NULL, &r) == GRAZE_OK && r.verdict == GRAZE_HIT);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

typedef struct nested {
    graze_context *context;
    const soup *s;
    graze_status status;
} nested;

static void *step_elsewhere(void *state) {
    nested *n = state;
    graze_step_result r = graze_default_step_result();
    n->status = graze_step(n->context, &n->s->mesh, POSITIONS(n->s), NULL, &r);
    CHECK(closed(&r));
    return NULL;
}

static int filter_that_steps(void *user, graze_kind kind, uint32_t a, uint32_t b) {
    (void)kind, (void)a, (void)b;
    nested *n = user;
    if (n->status != GRAZE_OK) return 1;
    pthread_t thread;
    if (pthread_create(&thread, NULL, step_elsewhere, n) == 0)
        pthread_join(thread, NULL);
    else
        step_elsewhere(n); /* WebAssembly has no threads; the context is as busy for this one */
    return 1;
}

TEST(the_list_of_candidates_is_whole_though_the_call_is_cancelled) {
    static soup s;
    atomic_int left = 0;
    graze_context_options context_options = graze_default_context_options();
    context_options.cancel = cancel_after;
    context_options.cancel_user = &left;
    context_options.deadline_seconds = 1e-9;
    graze_context *context;
    CHECK(graze_context_create(&context_options, &context) == GRAZE_OK);
    soup_make(&s, context, SOUP_UNIFORM, 60, 55);
    graze_pair *pairs;
    size_t count;
    CHECK(graze_candidates(context, &s.mesh, POSITIONS(&s), NULL, &pairs, &count) == GRAZE_OK);
    plain_list expected = plain_candidates(&s, 0);
    CHECK(expected.count > 0 && count == expected.count);
    for (size_t i = 0; i < count && i < expected.count; i++) CHECK(same_pair(&pairs[i], &expected.pairs[i]));
    graze_pairs_release(context, pairs, count);
    free(expected.pairs);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

TEST(a_second_thread_on_a_context_is_told_that_it_is_busy) {
    static soup s;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    two_sheets(&s, context, 1, -2);
    nested n = {.context = context, .s = &s};
    s.mesh.filter = filter_that_steps;
    s.mesh.filter_user = &n;
    graze_pair *pairs;
    size_t count;
    CHECK(graze_candidates(context, &s.mesh, POSITIONS(&s), NULL, &pairs, &count) == GRAZE_OK);
    CHECK(count > 0 && n.status == GRAZE_ERR_BUSY);
    graze_pairs_release(context, pairs, count);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
