/* Lists of pairs on a device: the first contact of a caller's, and the pairs within a distance of each other. Both have
   the bits of the CPU. Skipped, with the reason, where there is no device. */
#include "drawn_pairs.h"
#include "driver.h"
#include "scenes.h"

#define MOST 20000

/* ---- the first contact of a list ---- */

/* All candidates and others, some of them twice, in any order. */
static size_t draw_list(graze_context *context, const soup *s, const graze_step_options *options, uint64_t seed,
                        graze_pair *pairs) {
    test_random random = {seed};
    graze_pair *candidates;
    size_t listed, count = 0;
    graze_step_options on_cpu = *options;
    on_cpu.backend = GRAZE_BACKEND_CPU;
    CHECK(graze_candidates(context, &s->mesh, POSITIONS(s), &on_cpu, &candidates, &listed) == GRAZE_OK);
    for (size_t i = 0; i < listed && count < MOST / 2; i++)
        if (seed % 2 || test_random_below(&random, 50) == 0) pairs[count++] = candidates[i];
    for (size_t i = 0; i < 500; i++, count++)
        pairs[count] = count && test_random_below(&random, 4) == 0 ? pairs[test_random_below(&random, count)]
                                                                   : draw_pair(&random, &s->mesh, 4);
    shuffle(&random, pairs, count);
    graze_pairs_release(context, candidates, listed);
    return count;
}

static size_t hits; /* of all tests */

static void compare_listed(graze_context *context, const soup *s, const graze_pair *pairs, size_t count,
                           graze_step_options *options, const char *what) {
    graze_step_result r[2];
    graze_error error;
    for (int i = 0; i < 2; i++) {
        options->backend = i ? GRAZE_BACKEND_CUDA : GRAZE_BACKEND_CPU;
        r[i] = graze_default_step_result();
        graze_status status = graze_earliest_of_pairs(context, &s->mesh, POSITIONS(s), pairs, count, options, &r[i]);
        graze_context_last_error(context, &error);
        CHECK_MSG(status == GRAZE_OK && r[i].backend == options->backend, "%s: %s", what, error.message);
    }
    check_same(&r[0], NULL, &r[1], NULL, what);
    hits += r[1].verdict == GRAZE_HIT && r[1].toi > 0;
}

static void compare_drawn(graze_context *context, const soup *s, graze_step_options *options, const char *what) {
    static graze_pair pairs[MOST];
    static uint64_t seed;
    size_t count = draw_list(context, s, options, seed++, pairs);
    compare_listed(context, s, pairs, count, options, what);
}

static void compare_lists(graze_context *context, const soup *s, const char *what) {
    with_every_question(context, s, what, compare_drawn);
}

static void compare_limited(graze_context *context, const soup *s, graze_step_options *options, const char *what) {
    options->memory_limit = 1;
    compare_drawn(context, s, options, what);
}

static void compare_lists_limited(graze_context *context, const soup *s, const char *what) {
    with_every_question(context, s, what, compare_limited);
}

static void compare_kept(graze_context *context, const soup *s, graze_step_options *options, const char *what) {
    for (double part = 0.999; part > 1e-3; part /= 9) {
        options->relative_separation = part;
        compare_drawn(context, s, options, what);
    }
}

static void compare_lists_kept(graze_context *context, const soup *s, const char *what) {
    with_every_question(context, s, what, compare_kept);
}

TEST(lists_of_pairs_that_keep_a_part_of_their_distance_have_the_bits_of_the_cpu) {
    if (have_device()) with_every_soup(compare_lists_kept);
}

TEST(the_first_contact_of_lists_has_the_bits_of_the_cpu) {
    if (!have_device()) return;
    hits = 0;
    with_every_soup(compare_lists);
    CHECK_MSG(hits > 50 / one_in(), "%zu", hits);
}

TEST(lists_of_thick_pairs_have_the_bits_of_the_cpu) {
    if (have_device()) with_thick_soups(compare_lists);
}

TEST(lists_under_a_memory_limit_have_the_bits_of_the_cpu) {
    if (have_device()) with_thick_soups(compare_lists_limited);
}

/* Every error of a list, as the CPU tells it. */
static void compare_refused(graze_context *context, const soup *s, const graze_pair *pairs, size_t count) {
    graze_error error[2];
    graze_status status[2];
    for (int i = 0; i < 2; i++) {
        graze_step_options options = graze_default_step_options();
        graze_step_result result = graze_default_step_result();
        options.backend = i ? GRAZE_BACKEND_CUDA : GRAZE_BACKEND_CPU;
        status[i] = graze_earliest_of_pairs(context, &s->mesh, POSITIONS(s), pairs, count, &options, &result);
        CHECK(result.verdict == GRAZE_UNRESOLVED && result.toi == 0 && !result.has_pair);
        graze_context_last_error(context, &error[i]);
    }
    CHECK_MSG(status[0] != GRAZE_OK && status[0] == status[1] && error[0].index == error[1].index &&
                  strcmp(error[0].message, error[1].message) == 0,
              "%s; %s", error[0].message, error[1].message);
}

TEST(what_is_wrong_with_a_list_is_told_as_by_the_cpu) {
    if (!have_device()) return;
    static soup s;
    static graze_pair pairs[MOST];
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_UNIFORM, 60, 1);
    graze_step_options options = graze_default_step_options();
    size_t count = draw_list(context, &s, &options, 1, pairs);
    const graze_pair bad[] = {
        {(graze_kind)9, 0, 0},     {GRAZE_VF, s.mesh.vertex_count, 0}, {GRAZE_VF, 0, s.mesh.face_count},
        {GRAZE_EE, 0, UINT32_MAX}, {GRAZE_PP, 0, s.mesh.vertex_count}, {GRAZE_VF, s.mesh.faces[5][2], 5},
        {GRAZE_EE, 7, 7},          {GRAZE_PE, s.mesh.edges[3][1], 3},  {GRAZE_PP, 4, 4}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        graze_pair kept = pairs[k * 37], last = pairs[count - 1];
        pairs[k * 37] = bad[k];
        pairs[count - 1] = bad[(k + 4) % 9];
        compare_refused(context, &s, pairs, count);
        pairs[k * 37] = kept;
        pairs[count - 1] = last;
        compare_listed(context, &s, pairs, count, &options, "a list after one that was refused");
    }
    double x = s.x1[7][1];
    s.x1[7][1] = NAN;
    compare_refused(context, &s, pairs, count);
    s.x1[7][1] = x;
    compare_listed(context, &s, NULL, 0, &options, "an empty list");
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

/* A list needs no more of a mesh than its pairs name; a step of the same mesh does, and is refused after it, too. */
TEST(lists_take_meshes_that_steps_refuse) {
    if (!have_device()) return;
    static soup s;
    static graze_pair pairs[MOST];
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_UNIFORM, 60, 3);
    graze_mesh bare = {.struct_size = sizeof bare,
                       .vertex_count = s.mesh.vertex_count,
                       .faces = s.mesh.faces,
                       .face_count = s.mesh.face_count};
    graze_mesh whole = s.mesh;
    s.mesh = bare; /* without edges */
    test_random random = {4};
    for (size_t i = 0; i < 3000; i++) do
            pairs[i] = draw_pair(&random, &whole, 1);
        while (pairs[i].kind != GRAZE_VF);
    for (int again = 0; again < 2; again++) {
        graze_step_options options = graze_default_step_options();
        graze_step_result result = graze_default_step_result();
        compare_listed(context, &s, pairs, 3000, &options, "a mesh without edges");
        for (int i = 0; i < 2; i++) {
            options.backend = i ? GRAZE_BACKEND_CUDA : GRAZE_BACKEND_CPU;
            CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &result) != GRAZE_OK);
        }
    }
    s.mesh = whole;
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

/* ---- pairs within a distance of each other ---- */

static size_t near_pairs, doubtful; /* of all tests */

/* `x` is where the device finds what the host has at s->x0. */
static graze_proximity_result find_near(graze_context *context, const soup *s, const double (*x)[3], double distance,
                                        const graze_proximity_options *options) {
    graze_proximity_result found = graze_default_proximity_result();
    graze_error error;
    graze_status status = graze_proximity(context, &s->mesh, x, distance, options, &found);
    graze_context_last_error(context, &error);
    CHECK_MSG(status == GRAZE_OK, "%s", error.message);
    return found;
}

static double compare_near(graze_context *context, const soup *s, double distance, unsigned kinds, const char *what) {
    graze_proximity_options options = graze_default_proximity_options();
    options.kinds = kinds;
    static double vertices[2][3 * SOUP_MAX];
    options.backend = GRAZE_BACKEND_CPU;
    options.vertex_distance = vertices[0];
    graze_proximity_result here = find_near(context, s, (const double(*)[3])s->x0, distance, &options);
    options.backend = GRAZE_BACKEND_CUDA;
    options.vertex_distance = vertices[1];
    graze_proximity_result there = find_near(context, s, (const double(*)[3])s->x0, distance, &options);
    CHECK_MSG(memcmp(vertices[0], vertices[1], s->mesh.vertex_count * sizeof **vertices) == 0, "%s", what);
    size_t count = here.pair_count;
    double middle = count ? here.pairs[count / 2].distance.value : 0;
    CHECK_MSG(there.backend == GRAZE_BACKEND_CUDA && count == there.pair_count &&
                  (!count || memcmp(here.pairs, there.pairs, count * sizeof *here.pairs) == 0),
              "%s, within %a: %zu and %zu pairs", what, distance, count, there.pair_count);
    near_pairs += count;
    graze_proximity_release(context, &here);
    graze_proximity_release(context, &there);
    return middle;
}

/* Distances of pairs themselves and next to them, which doubles cannot tell, among others. */
static void compare_distances(graze_context *context, const soup *s, const char *what) {
    static unsigned mask, turn;
    double distance = s->x0[0][0] == 0 ? 1 : fabs(s->x0[0][0]);
    for (int round = 0; round < 8; round++, distance /= 4) {
        if (left_out(&turn)) continue;
        double middle = compare_near(context, s, distance, mask++ % 16, what);
        if (middle > 0 && middle < distance) {
            compare_near(context, s, middle, 0, what);
            compare_near(context, s, nextafter(middle, 0), 0, what);
            compare_near(context, s, nextafter(middle, INFINITY), 0, what);
            doubtful++;
        }
    }
    compare_near(context, s, 0, 0, what);
}

TEST(near_pairs_of_soups_have_the_bits_of_the_cpu) {
    if (!have_device()) return;
    near_pairs = doubtful = 0;
    with_every_soup(compare_distances);
    CHECK_MSG(near_pairs > (one_in() > 1 ? 50000 / one_in() : 100000) && doubtful > 30 / one_in(), "%zu, %zu",
              near_pairs, doubtful);
}

TEST(near_pairs_with_thickness_and_groups_have_the_bits_of_the_cpu) {
    if (have_device()) with_thick_soups(compare_distances);
}

/* A context without threads of its own, of which the device gets as much for its lists as the host has in all. */
TEST(near_pairs_under_a_memory_limit_have_the_bits_of_none) {
    if (!have_device()) return;
    static soup s;
    graze_context_options limited = graze_default_context_options();
    graze_context *context = test_context(2, GRAZE_ISA_AUTO), *little;
    limited.threads = 1;
    limited.memory_limit = 250000;
    CHECK(graze_context_create(&limited, &little) == GRAZE_OK);
    soup_make(&s, context, SOUP_UNIFORM, SOUP_MAX, 5);
    graze_proximity_options options = graze_default_proximity_options();
    for (double distance = 0x1p-20; distance < 0.02; distance *= 8) {
        options.backend = GRAZE_BACKEND_CPU;
        graze_proximity_result here = find_near(context, &s, (const double(*)[3])s.x0, distance, &options);
        options.backend = GRAZE_BACKEND_CUDA;
        graze_proximity_result there = find_near(little, &s, (const double(*)[3])s.x0, distance, &options);
        size_t size = here.pair_count * sizeof *here.pairs;
        CHECK(here.pair_count == there.pair_count && memcmp(here.pairs, there.pairs, size) == 0);
        graze_proximity_release(context, &here);
        graze_proximity_release(little, &there);
    }
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(little);
    graze_context_destroy(context);
}

/* With positions there and with the list left there, in turn with steps. */
TEST(near_pairs_and_lists_read_and_leave_memory_of_the_device) {
    driver d;
    if (!have_device() || !driver_open(&d)) return;
    static soup s;
    static graze_pair listed[MOST];
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_UNIFORM, 150, 6);
    size_t bytes = s.mesh.vertex_count * sizeof *s.x0;
    device_address x[2] = {driver_array(&d, bytes), driver_array(&d, bytes)};
    CHECK(d.to_device(x[0], s.x0, bytes) == 0 && d.to_device(x[1], s.x1, bytes) == 0);
    const double(*at[2])[3] = {(const double(*)[3])(uintptr_t)x[0], (const double(*)[3])(uintptr_t)x[1]};
    for (int round = 0; round < 3; round++) {
        graze_proximity_options options = graze_default_proximity_options();
        graze_proximity_result here = find_near(context, &s, (const double(*)[3])s.x0, 0.01 * (round + 1), &options);
        options.positions_in = GRAZE_MEMORY_DEVICE;
        options.pairs_in = round % 2 ? GRAZE_MEMORY_HOST : GRAZE_MEMORY_DEVICE;
        graze_proximity_result there = find_near(context, &s, at[0], 0.01 * (round + 1), &options);
        size_t size = here.pair_count * sizeof *here.pairs;
        graze_proximity_pair *fetched = malloc(size + 1);
        CHECK(there.pair_count == here.pair_count && here.pair_count > 10 && !there.pairs == !(round % 2));
        if (round % 2)
            memcpy(fetched, there.pairs, size);
        else
            CHECK(d.to_host(fetched, (device_address)(uintptr_t)there.device_pairs, size) == 0);
        CHECK(memcmp(fetched, here.pairs, size) == 0);
        free(fetched);
        graze_proximity_release(context, &here);
        graze_proximity_release(context, &there);
        graze_step_options step = graze_default_step_options();
        graze_step_result r[2] = {graze_default_step_result(), graze_default_step_result()};
        size_t count = draw_list(context, &s, &step, (uint64_t)round, listed);
        step.backend = GRAZE_BACKEND_CPU;
        CHECK(graze_earliest_of_pairs(context, &s.mesh, POSITIONS(&s), listed, count, &step, &r[0]) == GRAZE_OK);
        step.backend = GRAZE_BACKEND_AUTO;
        step.positions_in = GRAZE_MEMORY_DEVICE;
        CHECK(graze_earliest_of_pairs(context, &s.mesh, at[0], at[1], listed, count, &step, &r[1]) == GRAZE_OK);
        check_same(&r[0], NULL, &r[1], NULL, "a list, positions on the device");
        step.positions_in = GRAZE_MEMORY_HOST;
        compare_modes(context, &s, &step, "a step between lists");
    }
    for (int i = 0; i < 2; i++) CHECK(d.release(x[i]) == 0);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

TEST(what_is_wrong_with_proximity_is_told_as_by_the_cpu) {
    if (!have_device()) return;
    static soup s;
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_UNIFORM, 30, 7);
    for (int wrong = 0; wrong < 3; wrong++) {
        graze_error error[2];
        graze_status status[2];
        double x = s.x0[5][2];
        if (wrong == 0) s.x0[5][2] = INFINITY;
        if (wrong == 1) s.faces[3][1] = s.mesh.vertex_count;
        for (int i = 0; i < 2; i++) {
            graze_proximity_options options = graze_default_proximity_options();
            graze_proximity_result found = graze_default_proximity_result();
            options.backend = i ? GRAZE_BACKEND_CUDA : GRAZE_BACKEND_CPU;
            status[i] =
                graze_proximity(context, &s.mesh, (const double(*)[3])s.x0, wrong == 2 ? -1 : 0.1, &options, &found);
            CHECK(!found.pairs && !found.pair_count);
            graze_context_last_error(context, &error[i]);
        }
        CHECK_MSG(status[0] != GRAZE_OK && status[0] == status[1] && error[0].index == error[1].index, "%d: %s; %s",
                  wrong, error[0].message, error[1].message);
        s.x0[5][2] = x;
        if (wrong == 1) s.faces[3][1] = s.faces[3][0] == 0 ? 1 : 0;
    }
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

/* All kernels of lists, in little time: what compute-sanitizer watches. */
TEST(lists_of_a_small_scene_have_the_bits_of_the_cpu) {
    if (!have_device()) return;
    static soup s;
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_UNIFORM, 30, 1);
    graze_step_options options = graze_default_step_options();
    compare_drawn(context, &s, &options, "small");
    compare_near(context, &s, compare_near(context, &s, 0.1, 0, "small"), 0, "small, in doubt");
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
