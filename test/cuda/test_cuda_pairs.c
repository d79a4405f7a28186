/* Candidates and mode vertices on a device have the bits of the CPU. Skipped, with the reason, where there is none. */
#include "scenes.h"

#include "step/on_backend.h"

/* The number of candidates: by `broad` on the device, every box against every other on the CPU. */
static size_t compare_candidates(graze_context *context, const soup *s, graze_step_options *options, graze_broad broad,
                                 const char *what) {
    graze_pair *pairs[2] = {NULL, NULL};
    size_t count[2] = {0, 0};
    graze_error error;
    for (int i = 0; i < 2; i++) {
        options->backend = i ? GRAZE_BACKEND_CUDA : GRAZE_BACKEND_CPU;
        options->broad = i ? broad : GRAZE_BROAD_BRUTE;
        graze_status status = graze_candidates(context, &s->mesh, POSITIONS(s), options, &pairs[i], &count[i]);
        graze_context_last_error(context, &error);
        CHECK_MSG(status == GRAZE_OK, "%s: %s", what, error.message);
    }
    CHECK_MSG(count[0] == count[1] && (!count[0] || memcmp(pairs[0], pairs[1], count[0] * sizeof *pairs[0]) == 0),
              "%s: %zu and %zu candidates", what, count[0], count[1]);
    for (int i = 0; i < 2; i++) graze_pairs_release(context, pairs[i], count[i]);
    options->broad = GRAZE_BROAD_AUTO;
    return count[1];
}

/* The number of vertices that stop before the end. */
static uint32_t compare_vertices(graze_context *context, const soup *s, graze_step_options *options, const char *what) {
    uint32_t count = s->mesh.vertex_count, stopped = 0;
    double *times[2] = {malloc(count * sizeof(double)), malloc(count * sizeof(double))};
    graze_step_result r[2];
    graze_error error;
    options->mode = GRAZE_STEP_VERTICES;
    for (int i = 0; i < 2; i++) {
        options->backend = i ? GRAZE_BACKEND_CUDA : GRAZE_BACKEND_CPU;
        options->vertex_toi = times[i];
        r[i] = graze_default_step_result();
        graze_status status = graze_step(context, &s->mesh, POSITIONS(s), options, &r[i]);
        graze_context_last_error(context, &error);
        CHECK_MSG(status == GRAZE_OK && r[i].backend == options->backend, "%s: %s", what, error.message);
    }
    check_same(&r[0], NULL, &r[1], NULL, what);
    CHECK_MSG(r[0].reason == r[1].reason && memcmp(times[0], times[1], count * sizeof(double)) == 0,
              "%s: the times of the vertices", what);
    for (uint32_t v = 0; v < count; v++) stopped += times[1][v] < 1;
    for (int i = 0; i < 2; i++) free(times[i]);
    return stopped;
}

static uint32_t stopped; /* vertices, of all tests */

static void compare_both(graze_context *context, const soup *s, graze_step_options *options, const char *what) {
    compare_candidates(context, s, options, GRAZE_BROAD_AUTO, what);
    stopped += compare_vertices(context, s, options, what);
}

static void compare_all(graze_context *context, const soup *s, const char *what) {
    with_every_question(context, s, what, compare_both);
}

/* Another mask each time. */
static void compare_masked(graze_context *context, const soup *s, graze_step_options *options, const char *what) {
    static unsigned mask;
    options->kinds = mask++ % 16;
    compare_both(context, s, options, what);
}

static void compare_all_masked(graze_context *context, const soup *s, const char *what) {
    with_every_question(context, s, what, compare_masked);
}

TEST(candidates_and_vertices_of_soups_have_the_bits_of_the_cpu) {
    if (!have_device()) return;
    stopped = 0;
    with_every_soup(compare_all);
    CHECK_MSG(stopped > 1000, "%u vertices stop", stopped);
}

TEST(candidates_and_vertices_with_thickness_groups_and_kinds_have_the_bits_of_the_cpu) {
    if (have_device()) with_thick_soups(compare_all_masked);
}

/* Sweep and tiniest queue, and the tree with two children a node. */
TEST(broad_phases_for_comparison_find_what_every_box_against_every_other_finds) {
    if (!have_device()) return;
    static const graze_broad broads[] = {GRAZE_BROAD_STQ, GRAZE_BROAD_LBVH};
    static soup s;
    graze_context *context = test_context(4, GRAZE_ISA_AUTO);
    size_t found = 0;
    for (int style = 0; style < SOUP_STYLES; style++)
        for (uint32_t count = 1; count <= SOUP_MAX; count = count * 3 + 11)
            for (int b = 0; b < 4; b++) {
                soup_make(&s, context, (soup_style)style, count, count);
                s.mesh.groups = b >= 2 ? s.groups : NULL;
                s.mesh.group_count = b >= 2 ? 3 : 0;
                s.mesh.skip_same_group = b >= 2;
                graze_step_options options = graze_default_step_options();
                graze_options narrow = graze_default_options();
                narrow.min_separation = b == 1 ? 0.01 : 0;
                options.narrow = &narrow;
                options.kinds = 1u << GRAZE_VF | 1u << GRAZE_EE;
                char what[80];
                snprintf(what, sizeof what, "style %d, %u triangles, broad phase %s", style, count,
                         graze_broad_name(broads[b % 2]));
                found += compare_candidates(context, &s, &options, broads[b % 2], what);
                graze_mesh_release(context, &s.mesh);
            }
    CHECK_MSG(found > 1000, "%zu candidates", found);
    graze_context_destroy(context);
}

/* The interval-parallel ti gives one time for all pairs: no contact comes before it, and it is not much too early. */
TEST(the_interval_parallel_ti_is_never_late) {
    if (!have_device()) return;
    static soup s;
    graze_context *context = test_context(4, GRAZE_ISA_AUTO);
    size_t hits = 0;
    for (uint32_t seed = 0; seed < 40; seed++) {
        soup_make(&s, context, SOUP_UNIFORM, 20 + 10 * (seed % 8), seed);
        graze_options narrow = graze_default_options();
        narrow.method = GRAZE_METHOD_EXACT;
        narrow.t_max = seed % 3 ? 1 : 0.3;
        graze_step_options options = graze_default_step_options();
        options.narrow = &narrow;
        options.kinds = 1u << GRAZE_VF | 1u << GRAZE_EE;
        options.backend = GRAZE_BACKEND_CPU;
        graze_step_result exact = graze_default_step_result();
        CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &exact) == GRAZE_OK);
        double toi = -1;
        uint64_t checks = 0;
        graze_status status = gz_step_ti_on_backend(context, &s.mesh, POSITIONS(&s), &options, &toi, &checks);
        graze_error error;
        graze_context_last_error(context, &error);
        CHECK_MSG(status == GRAZE_OK, "%s", error.message);
        double latest = exact.verdict == GRAZE_CLEAR ? narrow.t_max : exact.toi_upper;
        CHECK_MSG(toi <= latest && toi >= exact.toi - 1e-3 && checks > 0,
                  "seed %u: %.17g, exactly %.17g, %llu intervals", seed, toi, exact.toi, (unsigned long long)checks);
        hits += exact.verdict == GRAZE_HIT;
        graze_mesh_release(context, &s.mesh);
    }
    CHECK_MSG(hits > 20, "%zu", hits);
    graze_context_destroy(context);
}

/* All kernels but those of batches, in little time: what compute-sanitizer watches. */
TEST(every_kernel_on_a_small_scene_has_the_bits_of_the_cpu) {
    if (!have_device()) return;
    static const graze_broad broads[] = {GRAZE_BROAD_AUTO, GRAZE_BROAD_STQ, GRAZE_BROAD_LBVH};
    static soup s;
    static double thickness[3 * SOUP_MAX];
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_UNIFORM, 30, 1);
    for (int way = 0; way < 3; way++) { /* plain; under a limit; thick and in groups */
        graze_step_options options = graze_default_step_options();
        options.memory_limit = way == 1;
        s.mesh.thickness = way == 2 ? thickness : NULL;
        s.mesh.groups = way == 2 ? s.groups : NULL;
        s.mesh.group_count = 3;
        for (uint32_t v = 0; v < s.mesh.vertex_count; v++) thickness[v] = 0.01 * (v % 3);
        compare_modes(context, &s, &options, "small");
        compare_candidates(context, &s, &options, GRAZE_BROAD_AUTO, "small");
        compare_vertices(context, &s, &options, "small");
    }
    graze_step_options options = graze_default_step_options();
    options.kinds = 1u << GRAZE_VF | 1u << GRAZE_EE;
    s.mesh.thickness = NULL;
    s.mesh.groups = NULL;
    for (int b = 0; b < 3; b++) compare_candidates(context, &s, &options, broads[b], "small");
    double toi = -1;
    uint64_t checks = 0;
    graze_step_result exact = graze_default_step_result();
    options.backend = GRAZE_BACKEND_CPU;
    CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &exact) == GRAZE_OK);
    CHECK(gz_step_ti_on_backend(context, &s.mesh, POSITIONS(&s), &options, &toi, &checks) == GRAZE_OK && checks > 0);
    CHECK(toi <= (exact.verdict == GRAZE_CLEAR ? 1 : exact.toi_upper));
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

/* A table that is not symmetric, by mistake, hides no pair that one half of it allows. */
TEST(a_table_of_groups_is_read_both_ways) {
    if (!have_device()) return;
    static soup s;
    static const uint8_t table[9] = {0, 1, 0, 0, 0, 0, 1, 1, 0};
    graze_context *context = test_context(4, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_UNIFORM, 200, 3);
    s.mesh.groups = s.groups;
    s.mesh.group_count = 3;
    s.mesh.group_pairs = table;
    graze_step_options options = graze_default_step_options();
    CHECK(compare_candidates(context, &s, &options, GRAZE_BROAD_AUTO, "half a table") > 100);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

/* Steps of every kind in turn share what is on the device. */
TEST(lists_and_steps_in_turn_have_the_bits_of_the_cpu) {
    if (!have_device()) return;
    static soup s[2];
    graze_context *context = test_context(4, GRAZE_ISA_AUTO);
    for (int i = 0; i < 2; i++) soup_make(&s[i], context, SOUP_UNIFORM, 100, (uint64_t)(10 + i));
    for (int round = 0; round < 8; round++) {
        const soup *turn = &s[round % 2];
        graze_step_result r[2];
        for (int i = 0; i < 2; i++) {
            graze_step_options options = graze_default_step_options();
            options.mode = round % 3 ? GRAZE_STEP_ALL : GRAZE_STEP_EARLIEST;
            options.backend = i ? GRAZE_BACKEND_CUDA : GRAZE_BACKEND_CPU;
            r[i] = graze_default_step_result();
            CHECK(graze_step(context, &turn->mesh, POSITIONS(turn), &options, &r[i]) == GRAZE_OK);
        }
        check_same(&r[0], r[0].pairs, &r[1], r[1].pairs, "a step between lists");
        for (int i = 0; i < 2; i++) graze_step_release(context, &r[i]);
        compare_all(context, turn, "lists between steps");
    }
    for (int i = 0; i < 2; i++) graze_mesh_release(context, &s[i].mesh);
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
