/* Back ends are loaded at run time, chosen as asked, and completed by the host; without one every call is closed. */
#include "resident.h"
#include "soup.h"

#include "base/backend_load.h"

#define POSITIONS(s) (const double(*)[3])(s)->x0, (const double(*)[3])(s)->x1

static void behave(const char *library, const char *mode) {
    setenv("GRAZE_CUDA_LIBRARY", library, 1);
    setenv("GRAZE_FAKE", mode, 1);
}

typedef struct scene {
    soup s;
    graze_context *context;
} scene;

static void open_scene(scene *t) {
    t->context = test_context(2, GRAZE_ISA_AUTO);
    soup_make(&t->s, t->context, SOUP_UNIFORM, 24, 5);
    t->s.mesh.groups = NULL;
    t->s.mesh.codim_edge_count = t->s.mesh.codim_point_count = 0;
}

static void close_scene(scene *t) {
    graze_mesh_release(t->context, &t->s.mesh);
    graze_context_destroy(t->context);
}

static graze_status step(scene *t, graze_backend backend, graze_step_mode mode, graze_step_result *result) {
    graze_step_options options = graze_default_step_options();
    options.backend = backend;
    options.mode = mode;
    *result = graze_default_step_result();
    return graze_step(t->context, &t->s.mesh, POSITIONS(&t->s), &options, result);
}

static void check_refused(scene *t, graze_step_mode mode, graze_status expected, const char *why) {
    graze_step_result r;
    graze_error error;
    CHECK(step(t, GRAZE_BACKEND_CUDA, mode, &r) == expected);
    CHECK(r.verdict == GRAZE_UNRESOLVED && r.toi == 0 && !r.has_pair && !r.pairs);
    CHECK(graze_context_last_error(t->context, &error) == GRAZE_OK);
    CHECK_MSG(strstr(error.message, why) != NULL, "'%s' does not say '%s'", error.message, why);
}

TEST(a_library_that_is_not_there_is_refused_with_its_name) {
    scene t;
    behave("/nowhere/libgraze_cuda.so", "ask");
    open_scene(&t);
    check_refused(&t, GRAZE_STEP_EARLIEST, GRAZE_ERR_UNSUPPORTED, "/nowhere/libgraze_cuda.so");
    CHECK(!graze_backend_available(GRAZE_BACKEND_CUDA) && graze_backend_available(GRAZE_BACKEND_CPU));
    close_scene(&t);
}

TEST(no_device_and_another_version_are_refused_with_the_reason) {
    scene t;
    behave(GRAZE_FAKE_LIBRARY, "none");
    open_scene(&t);
    check_refused(&t, GRAZE_STEP_EARLIEST, GRAZE_ERR_UNSUPPORTED, "no device was made for this test");
    close_scene(&t);
    behave(GRAZE_OLD_LIBRARY, "ask");
    open_scene(&t);
    check_refused(&t, GRAZE_STEP_EARLIEST, GRAZE_ERR_UNSUPPORTED, "another version");
    close_scene(&t);
}

/* It may have had no memory when it was asked; asking takes a while, so it is not done by every step. One that is open
   is closed by a trim. */
TEST(a_device_that_could_not_be_opened_is_asked_again_after_a_trim) {
    scene t;
    graze_step_result r;
    behave(GRAZE_FAKE_LIBRARY, "none");
    open_scene(&t);
    check_refused(&t, GRAZE_STEP_EARLIEST, GRAZE_ERR_UNSUPPORTED, "no device was made for this test");
    behave(GRAZE_FAKE_LIBRARY, "ask");
    check_refused(&t, GRAZE_STEP_EARLIEST, GRAZE_ERR_UNSUPPORTED, "no device was made for this test");
    CHECK(graze_context_trim(t.context) == GRAZE_OK);
    CHECK(step(&t, GRAZE_BACKEND_CUDA, GRAZE_STEP_EARLIEST, &r) == GRAZE_OK && r.backend == GRAZE_BACKEND_CUDA);
    behave(GRAZE_FAKE_LIBRARY, "none");
    CHECK(graze_context_trim(t.context) == GRAZE_OK);
    check_refused(&t, GRAZE_STEP_EARLIEST, GRAZE_ERR_UNSUPPORTED, "no device was made for this test");
    close_scene(&t);
}

TEST(what_a_back_end_does_not_have_is_refused_by_name_and_done_on_the_cpu_else) {
    scene t;
    behave(GRAZE_FAKE_LIBRARY, "ask");
    open_scene(&t);
    graze_step_options options = graze_default_step_options();
    graze_options narrow = graze_default_options();
    narrow.method = GRAZE_METHOD_TI;
    options.narrow = &narrow;
    options.backend = GRAZE_BACKEND_CUDA;
    graze_step_result r = graze_default_step_result();
    CHECK(graze_step(t.context, &t.s.mesh, POSITIONS(&t.s), &options, &r) == GRAZE_ERR_UNSUPPORTED);
    options.backend = GRAZE_BACKEND_AUTO;
    CHECK(graze_step(t.context, &t.s.mesh, POSITIONS(&t.s), &options, &r) == GRAZE_OK);
    CHECK(r.backend == GRAZE_BACKEND_CPU);
    narrow = graze_default_options();
    narrow.t_max = 0;
    options.backend = GRAZE_BACKEND_CUDA;
    CHECK(graze_step(t.context, &t.s.mesh, POSITIONS(&t.s), &options, &r) == GRAZE_ERR_UNSUPPORTED);
    close_scene(&t);
}

static bool same_pair(const graze_pair_result *x, const graze_pair_result *y) {
    const graze_result *a = &x->result, *b = &y->result;
    size_t numbers = offsetof(graze_result, toi); /* from there on there are no gaps, and NaN equals NaN */
    return x->pair.kind == y->pair.kind && x->pair.a == y->pair.a && x->pair.b == y->pair.b &&
           a->verdict == b->verdict && a->reason == b->reason && a->proven == b->proven &&
           memcmp((const char *)a + numbers, (const char *)b + numbers, sizeof *a - numbers) == 0;
}

static void check_same(const graze_step_result *here, const graze_step_result *there, graze_step_mode mode) {
    CHECK(here->backend == GRAZE_BACKEND_CPU && there->backend == GRAZE_BACKEND_CUDA);
    CHECK(there->verdict == here->verdict && there->reason == here->reason && there->toi == here->toi);
    CHECK(there->pair_count == here->pair_count && (mode != GRAZE_STEP_ALL || here->pair_count > 1));
    for (size_t i = 0; i < here->pair_count; i++) CHECK(same_pair(&here->pairs[i], &there->pairs[i]));
    CHECK(here->has_pair && there->has_pair);
    if (mode != GRAZE_STEP_ANY) CHECK(same_pair(&here->limiting, &there->limiting));
    for (int kind = 0; kind < 4 && mode == GRAZE_STEP_ALL; kind++)
        CHECK(here->hits[kind] == there->hits[kind] && here->candidates[kind] == there->candidates[kind]);
}

/* Every mode on the CPU, and as `given` says. */
static void compare_modes(scene *t, graze_step_options given) {
    for (int mode = GRAZE_STEP_EARLIEST; mode <= GRAZE_STEP_ALL; mode++) {
        static double times[2][3 * SOUP_MAX];
        graze_step_options options[2] = {graze_default_step_options(), given};
        graze_step_result r[2];
        options[0].backend = GRAZE_BACKEND_CPU;
        options[0].relative_separation = given.relative_separation;
        if (mode == GRAZE_STEP_VERTICES && given.relative_separation > 0) continue; /* they do not go together */
        for (int i = 0; i < 2; i++) {
            options[i].mode = (graze_step_mode)mode;
            options[i].vertex_toi = times[i];
            if (mode != GRAZE_STEP_VERTICES) options[i].pairs_in = GRAZE_MEMORY_HOST;
            memset(times[i], 0xff, sizeof times[i]);
            r[i] = graze_default_step_result();
            CHECK(graze_step(t->context, &t->s.mesh, POSITIONS(&t->s), &options[i], &r[i]) == GRAZE_OK);
        }
        check_same(&r[0], &r[1], (graze_step_mode)mode);
        CHECK(!r[1].device_pairs && memcmp(times[0], times[1], sizeof times[0]) == 0);
        for (int i = 0; i < 2; i++) graze_step_release(t->context, &r[i]);
    }
}

TEST(pairs_that_a_back_end_asks_about_make_the_answer_that_the_cpu_gives) {
    scene t;
    behave(GRAZE_FAKE_LIBRARY, "ask");
    open_scene(&t);
    graze_step_options options = graze_default_step_options();
    options.backend = GRAZE_BACKEND_CUDA;
    compare_modes(&t, options);
    options.memory_limit = 1000;
    compare_modes(&t, options);
    close_scene(&t);
}

TEST(pairs_that_keep_a_part_of_their_distance_have_the_same_answer_there) {
    scene t;
    behave(GRAZE_FAKE_LIBRARY, "ask");
    open_scene(&t);
    graze_step_options options = graze_default_step_options();
    for (int on_device = 0; on_device < 2; on_device++) {
        options.backend = on_device ? GRAZE_BACKEND_AUTO : GRAZE_BACKEND_CUDA;
        options.positions_in = (graze_memory)on_device;
        for (double part = 0.999; part > 1e-3; part /= 3) {
            options.relative_separation = part;
            compare_modes(&t, options);
        }
    }
    close_scene(&t);
}

/* ---- memory of the device ---- */

static graze_status step_on_device(scene *t, graze_backend backend, graze_step_mode mode, graze_memory pairs_in,
                                   graze_step_result *result) {
    graze_step_options options = graze_default_step_options();
    options.backend = backend;
    options.mode = mode;
    options.positions_in = GRAZE_MEMORY_DEVICE;
    options.pairs_in = pairs_in;
    *result = graze_default_step_result();
    return graze_step(t->context, &t->s.mesh, POSITIONS(&t->s), &options, result);
}

TEST(positions_on_the_device_make_the_answer_that_the_cpu_gives) {
    scene t;
    behave(GRAZE_FAKE_LIBRARY, "ask");
    open_scene(&t);
    graze_step_options options = graze_default_step_options();
    options.positions_in = GRAZE_MEMORY_DEVICE;
    compare_modes(&t, options);
    options.pairs_in = GRAZE_MEMORY_DEVICE; /* times of the vertices are left there, too */
    compare_modes(&t, options);
    close_scene(&t);
}

TEST(pairs_are_left_on_the_device_on_request) {
    scene t;
    behave(GRAZE_FAKE_LIBRARY, "ask");
    open_scene(&t);
    graze_step_result here, there;
    CHECK(step(&t, GRAZE_BACKEND_CPU, GRAZE_STEP_ALL, &here) == GRAZE_OK);
    CHECK(step_on_device(&t, GRAZE_BACKEND_AUTO, GRAZE_STEP_ALL, GRAZE_MEMORY_DEVICE, &there) == GRAZE_OK);
    CHECK(!there.pairs && there.device_pairs && there.pair_count == here.pair_count && here.pair_count > 1);
    CHECK(there.has_pair && same_pair(&here.limiting, &there.limiting));
    for (size_t i = 0; i < here.pair_count; i++) CHECK(same_pair(&here.pairs[i], &there.device_pairs[i]));
    graze_step_release(t.context, &here);
    graze_step_release(t.context, &there);
    CHECK(step_on_device(&t, GRAZE_BACKEND_AUTO, GRAZE_STEP_EARLIEST, GRAZE_MEMORY_DEVICE, &there) ==
          GRAZE_ERR_UNSUPPORTED);
    close_scene(&t);
}

TEST(what_is_wrong_with_positions_on_the_device_is_told_as_by_the_cpu) {
    scene t;
    behave(GRAZE_FAKE_LIBRARY, "ask");
    open_scene(&t);
    graze_step_result r;
    graze_error error[2];
    t.s.x1[7][2] = NAN;
    CHECK(step(&t, GRAZE_BACKEND_CPU, GRAZE_STEP_EARLIEST, &r) == GRAZE_ERR_NOT_FINITE);
    graze_context_last_error(t.context, &error[0]);
    CHECK(step_on_device(&t, GRAZE_BACKEND_CUDA, GRAZE_STEP_EARLIEST, GRAZE_MEMORY_HOST, &r) == GRAZE_ERR_NOT_FINITE);
    graze_context_last_error(t.context, &error[1]);
    CHECK(strcmp(error[0].message, error[1].message) == 0 && error[0].index == error[1].index);
    close_scene(&t);
}

/* Nothing but the device can read them: no step on the CPU in its place, and no other call. */
TEST(positions_on_a_device_that_is_not_there_are_refused) {
    scene t;
    graze_step_result r;
    behave(GRAZE_FAKE_LIBRARY, "none");
    open_scene(&t);
    CHECK(step_on_device(&t, GRAZE_BACKEND_AUTO, GRAZE_STEP_EARLIEST, GRAZE_MEMORY_HOST, &r) == GRAZE_ERR_UNSUPPORTED);
    CHECK(r.verdict == GRAZE_UNRESOLVED && r.toi == 0);
    close_scene(&t);
    behave(GRAZE_FAKE_LIBRARY, "lost");
    open_scene(&t);
    CHECK(step_on_device(&t, GRAZE_BACKEND_AUTO, GRAZE_STEP_EARLIEST, GRAZE_MEMORY_HOST, &r) == GRAZE_ERR_DEVICE);
    CHECK(step_on_device(&t, GRAZE_BACKEND_CPU, GRAZE_STEP_EARLIEST, GRAZE_MEMORY_HOST, &r) == GRAZE_ERR_UNSUPPORTED);
    CHECK(step_on_device(&t, GRAZE_BACKEND_CUDA, GRAZE_STEP_EARLIEST, (graze_memory)2, &r) ==
          GRAZE_ERR_INVALID_ARGUMENT);
    graze_step_options options = graze_default_step_options();
    options.positions_in = GRAZE_MEMORY_DEVICE;
    graze_pair *pairs;
    graze_pair_result *active;
    size_t count;
    CHECK(graze_candidates(t.context, &t.s.mesh, POSITIONS(&t.s), &options, &pairs, &count) == GRAZE_ERR_DEVICE);
    CHECK(graze_start_violations(t.context, &t.s.mesh, (const double(*)[3])t.s.x0, &options, &pairs, &count) ==
          GRAZE_ERR_UNSUPPORTED);
    CHECK(graze_active_set(t.context, &t.s.mesh, POSITIONS(&t.s), &options, &active, &count) == GRAZE_ERR_UNSUPPORTED);
    CHECK(graze_step_between(t.context, &t.s.mesh, POSITIONS(&t.s), &t.s.mesh, POSITIONS(&t.s), &options, &r) ==
          GRAZE_ERR_UNSUPPORTED);
    close_scene(&t);
}

static graze_status list(scene *t, const graze_step_options *options, graze_pair **pairs, size_t *count) {
    return graze_candidates(t->context, &t->s.mesh, POSITIONS(&t->s), options, pairs, count);
}

/* From here or there, to here or there. */
TEST(candidates_of_a_back_end_are_those_of_the_cpu) {
    scene t;
    behave(GRAZE_FAKE_LIBRARY, "ask");
    open_scene(&t);
    graze_pair *here, *there;
    size_t count[2];
    graze_step_options options = graze_default_step_options();
    options.backend = GRAZE_BACKEND_CPU;
    CHECK(list(&t, &options, &here, &count[0]) == GRAZE_OK && count[0] > 10);
    options.backend = GRAZE_BACKEND_CUDA;
    for (int way = 0; way < 8; way++) {
        options.positions_in = way & 1 ? GRAZE_MEMORY_DEVICE : GRAZE_MEMORY_HOST;
        options.pairs_in = way & 2 ? GRAZE_MEMORY_DEVICE : GRAZE_MEMORY_HOST;
        options.memory_limit = way & 4 ? 1000 : 0;
        CHECK(list(&t, &options, &there, &count[1]) == GRAZE_OK && count[1] == count[0]);
        CHECK(memcmp(here, there, count[0] * sizeof *here) == 0);
        graze_pairs_release(t.context, there, count[1]); /* of a list that is the device's: nothing */
    }
    graze_pairs_release(t.context, here, count[0]);
    options.memory_limit = 1000;
    options.broad = GRAZE_BROAD_STQ;
    CHECK(list(&t, &options, &there, &count[1]) == GRAZE_ERR_UNSUPPORTED && !there && count[1] == 0);
    close_scene(&t);
}

/* Nothing that the mesh has is looked for: no pair stops a vertex. */
TEST(without_a_kind_of_pair_every_vertex_goes_all_the_way) {
    scene t;
    behave(GRAZE_FAKE_LIBRARY, "ask");
    open_scene(&t);
    graze_step_options options = graze_default_step_options();
    options.mode = GRAZE_STEP_VERTICES;
    options.kinds = 1u << GRAZE_PP;
    options.backend = GRAZE_BACKEND_CUDA;
    options.vertex_toi = calloc(t.s.mesh.vertex_count, sizeof(double));
    graze_step_result r = graze_default_step_result();
    CHECK(graze_step(t.context, &t.s.mesh, POSITIONS(&t.s), &options, &r) == GRAZE_OK && r.verdict == GRAZE_CLEAR);
    for (uint32_t v = 0; v < t.s.mesh.vertex_count; v++) CHECK(options.vertex_toi[v] == 1);
    free(options.vertex_toi);
    close_scene(&t);
}

TEST(without_room_for_its_times_mode_vertices_is_refused_on_a_back_end_too) {
    scene t;
    behave(GRAZE_FAKE_LIBRARY, "ask");
    open_scene(&t);
    check_refused(&t, GRAZE_STEP_VERTICES, GRAZE_ERR_INVALID_ARGUMENT, "vertex_toi is NULL");
    close_scene(&t);
}

/* A back end checks lists and positions itself, or has the host do it; what is wrong with them is told as by the CPU.
 */
TEST(what_is_wrong_with_mesh_or_positions_is_told_as_by_the_cpu) {
    scene t;
    behave(GRAZE_FAKE_LIBRARY, "ask");
    open_scene(&t);
    graze_mesh given = t.s.mesh;
    uint32_t(*faces)[3] = malloc(given.face_count * sizeof *faces);
    memcpy(faces, given.faces, given.face_count * sizeof *faces);
    for (int wrong = 0; wrong < 3; wrong++) {
        if (wrong == 0) faces[2][1] = given.vertex_count, t.s.mesh.faces = (const uint32_t(*)[3])faces;
        if (wrong == 1) t.s.mesh = given, t.s.x1[7][2] = NAN;
        if (wrong == 2) t.s.x1[7][2] = 0x1p161;
        graze_step_result r;
        graze_error error[2];
        graze_status status[2];
        for (int i = 0; i < 2; i++) {
            status[i] = step(&t, i ? GRAZE_BACKEND_CUDA : GRAZE_BACKEND_CPU, GRAZE_STEP_EARLIEST, &r);
            CHECK(r.verdict == GRAZE_UNRESOLVED && r.toi == 0 && !r.has_pair);
            CHECK(graze_context_last_error(t.context, &error[i]) == GRAZE_OK);
        }
        CHECK(status[0] != GRAZE_OK && status[1] == status[0]);
        CHECK_MSG(strcmp(error[0].message, error[1].message) == 0 && error[0].index == error[1].index, "'%s' and '%s'",
                  error[0].message, error[1].message);
    }
    t.s.mesh = given;
    free(faces);
    close_scene(&t);
}

TEST(a_device_that_is_lost_is_an_error_by_name_and_a_step_on_the_cpu_else) {
    scene t;
    behave(GRAZE_FAKE_LIBRARY, "lost");
    open_scene(&t);
    check_refused(&t, GRAZE_STEP_ALL, GRAZE_ERR_DEVICE, "the device was lost");
    gz_backend_kept(t.context)->spent = 1e9; /* a device would long have paid */
    graze_step_result here, there;
    CHECK(step(&t, GRAZE_BACKEND_CPU, GRAZE_STEP_EARLIEST, &here) == GRAZE_OK);
    CHECK(step(&t, GRAZE_BACKEND_AUTO, GRAZE_STEP_EARLIEST, &there) == GRAZE_OK);
    CHECK(there.backend == GRAZE_BACKEND_CPU && there.toi == here.toi && there.verdict == here.verdict);
    close_scene(&t);
}

/* By name and left to us, in turn; each thousand in a context of its own. */
TEST(ten_thousand_steps_on_a_device_that_is_lost_or_not_there_leave_nothing_behind) {
    long before = 0;
    for (int round = 0; round < 10; round++) {
        scene t;
        behave(GRAZE_FAKE_LIBRARY, round % 2 ? "none" : "lost");
        open_scene(&t);
        for (int i = 0; i < 1000; i++) {
            graze_step_result r;
            graze_backend backend = i % 2 ? GRAZE_BACKEND_CUDA : GRAZE_BACKEND_AUTO;
            gz_backend_kept(t.context)->spent = 1;
            graze_status status = step(&t, backend, i % 4 < 2 ? GRAZE_STEP_EARLIEST : GRAZE_STEP_ALL, &r);
            CHECK(i % 2 ? status == (round % 2 ? GRAZE_ERR_UNSUPPORTED : GRAZE_ERR_DEVICE) : status == GRAZE_OK);
            CHECK(i % 2 ? r.verdict == GRAZE_UNRESOLVED && r.toi == 0 && !r.pairs : r.backend == GRAZE_BACKEND_CPU);
            graze_step_release(t.context, &r);
        }
        close_scene(&t);
        if (round == 1) before = resident_pages();
    }
#if !defined(__SANITIZE_ADDRESS__) /* which keeps for a while what is freed, and looks for leaks itself */
    CHECK_MSG(resident_pages() - before < 256, "%ld pages, then %ld", before, resident_pages());
#else
    (void)before;
#endif
}

TEST(left_to_us_a_step_stays_on_the_cpu_until_a_device_pays) {
    scene t;
    behave(GRAZE_FAKE_LIBRARY, "ask");
    open_scene(&t);
    graze_step_result r;
    CHECK(step(&t, GRAZE_BACKEND_AUTO, GRAZE_STEP_EARLIEST, &r) == GRAZE_OK);
    CHECK(r.backend == GRAZE_BACKEND_CPU && gz_backend_kept(t.context)->spent > 0);
    gz_backend_kept(t.context)->spent = 1;
    CHECK(step(&t, GRAZE_BACKEND_AUTO, GRAZE_STEP_EARLIEST, &r) == GRAZE_OK);
    CHECK(r.backend == GRAZE_BACKEND_CUDA);
    close_scene(&t);
}

static void hear(void *user, graze_log_level level, const char *line) {
    (void)level;
    if (strncmp(line, "back end cpu: ", 14) == 0) snprintf(user, 200, "%s", line + 14);
}

/* The log says why a step that is left to us is done on the CPU. */
static void check_told(scene *t, const graze_step_options *options, const char *heard, const char *why) {
    graze_step_result r = graze_default_step_result();
    CHECK(graze_step(t->context, &t->s.mesh, POSITIONS(&t->s), options, &r) == GRAZE_OK);
    CHECK(r.backend == GRAZE_BACKEND_CPU);
    CHECK_MSG(strstr(heard, why) != NULL, "'%s' does not say '%s'", heard, why);
}

TEST(left_to_us_the_log_says_why_a_step_is_done_on_the_cpu) {
    scene t;
    char heard[200] = "";
    behave(GRAZE_FAKE_LIBRARY, "none");
    open_scene(&t);
    graze_context *plain = t.context;
    graze_context_options wanted = graze_default_context_options();
    wanted.log = hear;
    wanted.log_user = heard;
    wanted.device = 3;
    CHECK(graze_context_create(&wanted, &t.context) == GRAZE_OK);
    graze_step_options options = graze_default_step_options();
    check_told(&t, &options, heard, "not yet taken as long as opening a device");
    graze_options narrow = graze_default_options();
    narrow.t_max = 0;
    options.narrow = &narrow;
    check_told(&t, &options, heard, "it does not take t_max = 0");
    options.narrow = NULL;
    options.relative_separation = 0.5;
    check_told(&t, &options, heard, "relative_separation runs there by name only");
    options.relative_separation = 0;
    gz_backend_kept(t.context)->spent = 1;
    check_told(&t, &options, heard, "device 3 was not made for this test");
    graze_context_destroy(t.context);
    t.context = plain;
    close_scene(&t);
}

TEST(names_of_back_ends_go_there_and_back) {
    for (int i = 0; i < 3; i++) {
        graze_backend backend = (graze_backend)9;
        CHECK(graze_backend_find(graze_backend_name((graze_backend)i), &backend) == 1 && (int)backend == i);
    }
    CHECK(graze_backend_find("gpu", &(graze_backend){0}) == 0 && !graze_backend_name((graze_backend)3));
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
