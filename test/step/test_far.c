/* What the first look of a fused step drops (docs/numerics.md, section 4.14): pairs that are apart by more than
   separation and tolerance over the window, exactly, wherever the scene lies; and no answer changes by it. */
#include "check.h"

#include "step/far.h"

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
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            double motion = size * test_random_between(random, -0.1, 0.1);
            x0[i][c] = x[i][c] - window * motion;
            x1[i][c] = x[i][c] + (1 - window) * motion;
        }
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

/* The pairs that are left, by `isa`; how many. */
static size_t pairs_left(pair_scene *s, graze_kind kind, graze_isa isa, const graze_options *narrow, double window,
                         uint32_t (*left)[2]) {
    graze_context *context = test_context(1, isa);
    gz_workspace workspace = {.seed_count = 0};
    gz_step_call call = {.context = context, .workspace = &workspace, .mesh = &s->mesh, .narrow = *narrow, .t_max = 1};
    call.positions = (gz_positions){(const char *)s->x0, (const char *)s->x1, sizeof s->x0[0], NULL};
    call.separation = narrow->min_separation;
    call.method = gz_method_get(GRAZE_METHOD_CERTIFIED);
    CHECK(gz_step_open_trees(&call) == GRAZE_OK && gz_far_open(&call));
    call.trees->window = window;
    gz_tree_renew(call.trees);
    gz_far_job job = gz_far_job_of(&call);
    size_t count = context->kernels->far(&job, kind, (const uint32_t(*)[2])s->pairs, PAIRS, left);
    gz_workspace_clear(context, &workspace);
    graze_context_destroy(context);
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
            size_t dropped = 0;
            for (int i = 0; i < 400; i++) {
                double window = i % 3 ? test_random_unit(&random) : 1;
                graze_options narrow = graze_default_options();
                if (i % 4 == 1) narrow.min_separation = ldexp(1, -(int)test_random_below(&random, 25));
                if (i % 4 == 2) narrow.tolerance = ldexp(1, -(int)test_random_below(&random, 25));
                uint32_t left[PAIRS][2];
                make_scene(&s, &random, (graze_kind)kind, window, offsets[k]);
                size_t count = pairs_left(&s, (graze_kind)kind, GRAZE_ISA_AUTO, &narrow, window, left);
                dropped += check_dropped(&s, (graze_kind)kind, &narrow, window, left, count);
            }
            CHECK_MSG(dropped > 500, "only %zu pairs were dropped: little was tested", dropped);
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
            size_t plain = pairs_left(&s, (graze_kind)kind, GRAZE_ISA_SCALAR, &narrow, 0.5, expected);
            size_t count = pairs_left(&s, (graze_kind)kind, (graze_isa)isa, &narrow, 0.5, left);
            CHECK(count == plain && memcmp(left, expected, count * sizeof *left) == 0);
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
