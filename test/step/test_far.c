/* The first look of a fused step (docs/numerics.md, section 4.14) drops only pairs that are apart by more than
   separation and tolerance over the window, exactly, wherever the scene lies. No answer changes by it. */
#include "check.h"

#include "broad/bvh.h"
#include "step/float_look.h"
#include "step/search.h"

enum { PAIRS = 100 }; /* not a multiple of any number of lanes */

/* Pairs with vertices of their own: face i and vertex 4i, or edges 2i and 2i + 1. */
typedef struct pair_scene {
    double x0[4 * PAIRS][3], x1[4 * PAIRS][3];
    uint32_t faces[PAIRS][3], edges[2 * PAIRS][2], pairs[PAIRS][2];
    graze_mesh mesh;
} pair_scene;

static void link_rows(pair_scene *s, graze_kind kind) {
    for (uint32_t i = 0; i < PAIRS; i++) {
        for (uint32_t k = 0; k < 3; k++) s->faces[i][k] = 4 * i + 1 + k;
        for (uint32_t k = 0; k < 4; k++) s->edges[2 * i + k / 2][k % 2] = 4 * i + k;
        s->pairs[i][0] = kind == GRAZE_VF ? 4 * i : 2 * i;
        s->pairs[i][1] = kind == GRAZE_VF ? i : 2 * i + 1;
    }
    s->mesh = graze_default_mesh();
    s->mesh.vertex_count = 4 * PAIRS;
    s->mesh.face_count = PAIRS;
    s->mesh.edge_count = 2 * PAIRS;
    s->mesh.faces = (const uint32_t(*)[3])s->faces;
    s->mesh.edges = (const uint32_t(*)[2])s->edges;
}

/* Positions that the vertices have at the time `window`, each on its own way of up to `most` on each axis. */
static void set_moving(test_random *random, double (*x)[3], double most, double window, double (*x0)[3],
                       double (*x1)[3]) {
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            double motion = most * test_random_between(random, -1, 1);
            x0[i][c] = x[i][c] - window * motion;
            x1[i][c] = x[i][c] + (1 - window) * motion;
        }
}

/* A pair somewhere in the unit cube whose primitives come within about `height` of each other at the time `window`. */
static void close_pair(test_random *random, graze_kind kind, double size, double height, double window, double (*x0)[3],
                       double (*x1)[3]) {
    double a[3], b[3], u = test_random_unit(random), v = test_random_unit(random) * (1 - u), x[4][3];
    for (int c = 0; c < 3; c++) {
        a[c] = size * test_random_between(random, -1, 1);
        b[c] = size * test_random_between(random, -1, 1);
        x[0][c] = test_random_unit(random);
    }
    for (int c = 0; c < 3; c++) {
        double normal = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
        double foot = x[0][c] + height * normal / (size * size);
        x[1][c] = kind == GRAZE_VF ? foot - u * a[c] - v * b[c] : x[0][c] + a[c];
        x[2][c] = kind == GRAZE_VF ? x[1][c] + a[c] : foot + u * a[c] - v * b[c];
        x[3][c] = (kind == GRAZE_VF ? x[1][c] : x[2][c]) + b[c];
    }
    set_moving(random, x, 0.1 * size, window, x0, x1);
}

static void make_scene(pair_scene *s, test_random *random, graze_kind kind, double window, double offset) {
    link_rows(s, kind);
    for (int i = 0; i < PAIRS; i++) {
        double size = ldexp(1, -(int)test_random_below(random, 8));
        double height = ldexp(test_random_between(random, -1, 1), -(int)test_random_below(random, 30));
        close_pair(random, kind, size, height, window, s->x0 + 4 * i, s->x1 + 4 * i);
    }
    for (int i = 0; i < 4 * PAIRS; i++)
        for (int c = 0; c < 3; c++) s->x0[i][c] += offset, s->x1[i][c] += offset;
}

/* A call that looks at the scene, with boxes and positions of the window. */
typedef struct look {
    gz_step_call call;
    gz_workspace workspace;
} look;

static void open_look(look *l, pair_scene *s, graze_isa isa, const graze_options *narrow, double window) {
    *l = (look){.call = {.context = test_context(1, isa), .mesh = &s->mesh, .narrow = *narrow, .question.t_max = 1}};
    l->call.workspace = &l->workspace;
    l->call.positions = (gz_positions){(const char *)s->x0, (const char *)s->x1, sizeof s->x0[0], NULL};
    l->call.question.separation = narrow->min_separation;
    l->call.method = gz_method_get(GRAZE_METHOD_CERTIFIED);
    CHECK(gz_step_open_trees(&l->call) == GRAZE_OK && gz_far_open(&l->call));
    l->call.trees->window = window;
    gz_tree_renew(l->call.trees);
}

static void close_look(look *l) {
    gz_workspace_clear(l->call.context, &l->workspace);
    graze_context_destroy(l->call.context);
}

/* The pairs that are left, by `isa`; how many. */
static size_t pairs_left(pair_scene *s, graze_kind kind, graze_isa isa, const graze_options *narrow, double window,
                         bool quarters, uint32_t (*left)[2]) {
    look l;
    open_look(&l, s, isa, narrow, window);
    gz_far_job job = gz_far_job_of(&l.call);
    job.quarters = quarters;
    size_t count = l.call.context->kernels->far(&job, kind, (const uint32_t(*)[2])s->pairs, PAIRS, left);
    close_look(&l);
    return count;
}

static graze_query query_of(const pair_scene *s, uint32_t pair) {
    graze_query query;
    memcpy(query.x0, s->x0 + 4 * pair, sizeof query.x0);
    memcpy(query.x1, s->x1 + 4 * pair, sizeof query.x1);
    return query;
}

/* Those that are not left are exactly clear of separation and tolerance over the window. Returns how many. */
static size_t check_dropped(const pair_scene *s, graze_kind kind, const graze_options *narrow, double window,
                            uint32_t (*left)[2], size_t count) {
    size_t next = 0, dropped = 0;
    graze_options exactly = graze_default_options();
    exactly.method = GRAZE_METHOD_ORACLE;
    exactly.min_separation = narrow->min_separation + narrow->tolerance;
    exactly.t_max = window;
    for (uint32_t i = 0; i < PAIRS; i++) {
        if (next < count && memcmp(left[next], s->pairs[i], sizeof left[next]) == 0) {
            next++;
            continue;
        }
        graze_query query = query_of(s, i);
        graze_result result;
        CHECK(graze_ccd(kind, &query, &exactly, &result) == GRAZE_OK);
        CHECK_QUERY(result.verdict == GRAZE_CLEAR, kind, &query);
        dropped++;
    }
    CHECK(next == count); /* those that are left are pairs, in their order */
    return dropped;
}

TEST(what_is_dropped_is_exactly_apart_over_the_window_wherever_the_scene_lies) {
    static pair_scene s;
    test_random random = {71};
    for (int kind = GRAZE_VF; kind <= GRAZE_EE; kind++)
        for (int k = 0; k < 3; k++) {
            static const double offsets[] = {0, 0x1p20, 0x1p36};
            size_t dropped[2] = {0, 0}; /* by one look, and by quarters */
            for (int i = 0; i < 600; i++) {
                double window = i % 3 ? test_random_unit(&random) : 1;
                graze_options narrow = graze_default_options();
                if (i % 4 == 1) narrow.min_separation = ldexp(1, -(int)test_random_below(&random, 25));
                if (i % 4 == 2) narrow.tolerance = ldexp(1, -(int)test_random_below(&random, 25));
                uint32_t left[PAIRS][2];
                double near =
                    i < 400 ? window : window * test_random_unit(&random); /* when they come near each other */
                make_scene(&s, &random, (graze_kind)kind, near, offsets[k]);
                for (int q = 0; q < 2; q++) {
                    size_t count = pairs_left(&s, (graze_kind)kind, GRAZE_ISA_AUTO, &narrow, window, q, left);
                    dropped[q] += check_dropped(&s, (graze_kind)kind, &narrow, window, left, count);
                }
            }
            CHECK_MSG(dropped[0] > 500 && dropped[1] > dropped[0], "%zu and %zu pairs were dropped: little was tested",
                      dropped[0], dropped[1]);
        }
}

/* A vertex that touches its face at the start, where the face is so large beside all that the view is made for that
   products of coordinates are no floats: one that is infinite has the sign of a part of the sum. */
static void touch_far_out(pair_scene *s, uint32_t pair, double size) {
    static const double corner[3] = {1.2, -0.7, -0.7}, aside[3] = {0, 0.1, -0.1}, motion[3] = {-1.4, 2.4, 2.4};
    for (int c = 0; c < 3; c++) {
        double at[4] = {0, corner[c], aside[c] - corner[c], -aside[c] - corner[c]};
        for (uint32_t k = 0; k < 4; k++) {
            s->x0[4 * pair + k][c] = size * at[k];
            s->x1[4 * pair + k][c] = size * (at[k] + (k ? motion[c] : 0));
        }
    }
}

TEST(products_that_are_no_floats_prove_nothing) {
    static pair_scene s;
    test_random random = {76};
    graze_options narrow = graze_default_options();
    for (int power = 20; power < 120; power++) {
        uint32_t left[PAIRS][2], pair = 2; /* its vertices are none of those that the view is made of */
        make_scene(&s, &random, GRAZE_VF, 1, 0);
        touch_far_out(&s, pair, ldexp(1, power));
        for (int quarters = 0; quarters < 2; quarters++) {
            size_t count = pairs_left(&s, GRAZE_VF, GRAZE_ISA_AUTO, &narrow, 1, quarters, left), seen = 0;
            for (size_t i = 0; i < count; i++) seen += left[i][1] == pair;
            CHECK_MSG(seen == 1, "a face of 2^%d", power);
        }
    }
}

TEST(every_instruction_set_drops_the_same) {
    static pair_scene s;
    test_random random = {72};
    graze_options narrow = graze_default_options();
    for (int kind = GRAZE_VF; kind <= GRAZE_EE; kind++)
        for (int isa = GRAZE_ISA_SCALAR; isa <= GRAZE_ISA_WASM; isa++) {
            if (!graze_isa_available((graze_isa)isa)) continue;
            uint32_t left[PAIRS][2], expected[PAIRS][2];
            make_scene(&s, &random, (graze_kind)kind, 0.5, 0);
            size_t plain = pairs_left(&s, (graze_kind)kind, GRAZE_ISA_SCALAR, &narrow, 0.5, true, expected);
            size_t count = pairs_left(&s, (graze_kind)kind, (graze_isa)isa, &narrow, 0.5, true, left);
            CHECK(count == plain && memcmp(left, expected, count * sizeof *left) == 0);
        }
}

/* ---- edges beside each other ---- */

/* An edge, and one that leads away from it at a right angle, `gap` from a point in its middle part at the time
 * `window`.
 */
static void beside_pair(test_random *random, double size, double gap, double most, double window, double (*x0)[3],
                        double (*x1)[3]) {
    double a[3], b[3], x[4][3], along = 0, square = 0, length = 0, at = test_random_between(random, 0.2, 0.8);
    for (int c = 0; c < 3; c++) {
        a[c] = size * test_random_between(random, -1, 1);
        b[c] = size * test_random_between(random, -1, 1);
        x[0][c] = test_random_unit(random);
        along += a[c] * b[c];
        square += a[c] * a[c];
    }
    for (int c = 0; c < 3; c++) {
        b[c] -= along / square * a[c];
        length += b[c] * b[c];
    }
    for (int c = 0; c < 3; c++) {
        x[1][c] = x[0][c] + a[c];
        x[2][c] = x[0][c] + at * a[c] + gap * b[c] / sqrt(length);
        x[3][c] = x[2][c] + b[c] + 0.3 * a[c];
    }
    set_moving(random, x, most, window, x0, x1);
}

typedef struct found_pairs {
    bool has[2 * PAIRS][2 * PAIRS];
} found_pairs;

static bool note_pairs(void *state, uint32_t worker, graze_kind kind, const uint32_t (*pairs)[2], size_t count) {
    (void)worker, (void)kind;
    found_pairs *found = state;
    for (size_t i = 0; i < count; i++) found->has[pairs[i][0]][pairs[i][1]] = true;
    return true;
}

/* The pairs of edges whose boxes meet, but for those that lie beside; how many those are. */
static uint64_t find_edges(pair_scene *s, graze_isa isa, const graze_options *narrow, double window, bool beside,
                           found_pairs *found) {
    look l;
    uint32_t room[64][2];
    memset(found, 0, sizeof *found);
    open_look(&l, s, isa, narrow, window);
    gz_bvh_job job = {.a = {.slopes = true}, .beside = beside ? gz_far_beside(&l.call) : 0};
    CHECK(gz_tree_build(l.call.trees, GZ_TREE_EDGES, &job.a));
    job.b = job.a;
    gz_traversal traversal = {.mesh = &s->mesh, .kind = GRAZE_EE, .sink = note_pairs, .sink_state = found};
    gz_emitter emitter = {.traversal = &traversal, .pairs = room, .room = 64};
    l.call.context->kernels->bvh(&job, 0, job.a.blocks[0], &emitter);
    gz_emit_flush(&emitter);
    close_look(&l);
    return emitter.beside;
}

static void check_apart(const pair_scene *s, uint32_t a, uint32_t b, const graze_options *narrow, double window) {
    graze_query query;
    for (int k = 0; k < 4; k++) {
        uint32_t vertex = s->edges[k < 2 ? a : b][k % 2];
        memcpy(query.x0[k], s->x0[vertex], sizeof query.x0[k]);
        memcpy(query.x1[k], s->x1[vertex], sizeof query.x1[k]);
    }
    graze_options exactly = graze_default_options();
    graze_result result;
    exactly.method = GRAZE_METHOD_ORACLE;
    exactly.min_separation = narrow->min_separation + narrow->tolerance;
    exactly.t_max = window;
    CHECK(graze_ccd(GRAZE_EE, &query, &exactly, &result) == GRAZE_OK);
    CHECK_QUERY(result.verdict == GRAZE_CLEAR, GRAZE_EE, &query);
}

TEST(edges_that_are_left_out_as_beside_each_other_are_exactly_apart_over_the_window) {
    static pair_scene s;
    static found_pairs all, rest;
    test_random random = {74};
    uint64_t left_out = 0;
    for (int i = 0; i < 600; i++) {
        double window = i % 3 ? test_random_unit(&random) : 1, most = i % 2 ? 0 : ldexp(1, -(int)(3 + i / 2 % 12));
        graze_options narrow = graze_default_options();
        narrow.min_separation = 0x1p-40; /* rounding leaves no two edges in one plane */
        if (i % 8 == 1) narrow.min_separation = ldexp(1, -(int)test_random_below(&random, 25));
        if (i % 8 == 3) narrow.tolerance = ldexp(1, -(int)test_random_below(&random, 25));
        link_rows(&s, GRAZE_EE);
        for (int k = 0; k < PAIRS; k++) {
            double size = ldexp(1, -(int)test_random_below(&random, 6));
            double gap = ldexp(test_random_between(&random, -1, 1), -(int)test_random_below(&random, 30));
            beside_pair(&random, size, gap, most, window, s.x0 + 4 * k, s.x1 + 4 * k);
        }
        find_edges(&s, GRAZE_ISA_AUTO, &narrow, window, false, &all);
        uint64_t told = find_edges(&s, GRAZE_ISA_AUTO, &narrow, window, true, &rest), seen = 0;
        for (uint32_t a = 0; a < 2 * PAIRS; a++)
            for (uint32_t b = 0; b < 2 * PAIRS; b++) {
                CHECK(all.has[a][b] || !rest.has[a][b]);
                if (!all.has[a][b] || rest.has[a][b]) continue;
                check_apart(&s, a, b, &narrow, window);
                seen++;
            }
        CHECK(seen == told);
        left_out += seen;
    }
    CHECK_MSG(left_out > 20000, "only %llu pairs were left out: little was tested", (unsigned long long)left_out);
}

TEST(every_instruction_set_leaves_out_the_same_edges) {
    static pair_scene s;
    static found_pairs expected, found;
    test_random random = {75};
    graze_options narrow = graze_default_options();
    link_rows(&s, GRAZE_EE);
    for (int k = 0; k < PAIRS; k++)
        beside_pair(&random, 0.5, ldexp(1, -(k % 20)), 0x1p-10, 0.5, s.x0 + 4 * k, s.x1 + 4 * k);
    uint64_t plain = find_edges(&s, GRAZE_ISA_SCALAR, &narrow, 0.5, true, &expected);
    CHECK(plain > 100);
    for (int isa = GRAZE_ISA_SCALAR; isa <= GRAZE_ISA_WASM; isa++) {
        if (!graze_isa_available((graze_isa)isa)) continue;
        CHECK(find_edges(&s, (graze_isa)isa, &narrow, 0.5, true, &found) == plain);
        CHECK(memcmp(&found, &expected, sizeof found) == 0);
    }
}

/* ---- answers ---- */

static graze_step_result run_mode(graze_context *context, const pair_scene *s, graze_step_mode mode,
                                  const graze_options *narrow) {
    graze_step_options options = graze_default_step_options();
    graze_step_result result = graze_default_step_result();
    options.mode = mode;
    if (mode == GRAZE_STEP_ALL) options.broad = GRAZE_BROAD_BRUTE; /* which looks at nothing first */
    options.narrow = narrow;
    CHECK(graze_step(context, &s->mesh, (const double(*)[3])s->x0, (const double(*)[3])s->x1, &options, &result) ==
          GRAZE_OK);
    graze_step_release(context, &result);
    return result;
}

/* Pairs in a row that nearly touch half-way, and a vertex that goes through its face. */
static void row_of_pairs(pair_scene *s, test_random *random) {
    for (int i = 0; i < PAIRS; i++) {
        double height = ldexp(1, -(int)test_random_below(random, 12));
        close_pair(random, GRAZE_VF, 0.5, height, 0.5, s->x0 + 4 * i, s->x1 + 4 * i);
        for (int k = 0; k < 4; k++) s->x0[4 * i + k][0] += 4 * i, s->x1[4 * i + k][0] += 4 * i;
    }
    static const double through[2][4][3] = {{{0, 0, 1}, {-1, -1, 0}, {1, -1, 0}, {0, 1, 0}},
                                            {{0, 0, -1}, {-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}};
    memcpy(s->x0, through[0], sizeof through[0]);
    memcpy(s->x1, through[1], sizeof through[1]);
}

/* With few checks or a large tolerance `certified` stops pairs that are apart, and they count all the same, also when
   the vertex that goes through, kept from the last step, has made the window small. */
TEST(few_checks_and_large_tolerances_end_where_mode_all_ends) {
    static pair_scene s;
    test_random random = {73};
    graze_context *kept = test_context(1, GRAZE_ISA_AUTO), *other = test_context(1, GRAZE_ISA_AUTO);
    size_t unproven = 0;
    link_rows(&s, GRAZE_VF);
    CHECK(graze_mesh_from_faces(other, 4 * PAIRS, (const uint32_t(*)[3])s.faces, PAIRS, &s.mesh) == GRAZE_OK);
    for (int i = 0; i < 300; i++) {
        graze_options narrow = graze_default_options();
        if (i % 2) narrow.tolerance = ldexp(1, -i / 20);
        if (i % 2 == 0) narrow.max_checks = 1 + (uint64_t)i / 20;
        row_of_pairs(&s, &random);
        graze_step_result first = run_mode(kept, &s, GRAZE_STEP_EARLIEST, &narrow);
        graze_step_result all = run_mode(other, &s, GRAZE_STEP_ALL, &narrow);
        CHECK_MSG(first.verdict == all.verdict && first.toi == all.toi && first.has_pair == all.has_pair &&
                      memcmp(&first.limiting.pair, &all.limiting.pair, sizeof first.limiting.pair) == 0,
                  "%d: %a, %a", i, first.toi, all.toi);
        unproven += all.has_pair && !all.limiting.result.proven;
    }
    CHECK_MSG(unproven > 20, "%zu: little was tested", unproven);
    graze_mesh_release(other, &s.mesh);
    graze_context_destroy(kept);
    graze_context_destroy(other);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
