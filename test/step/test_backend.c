/* Back ends: what the options choose is what runs, and what is not there says why. */
#include "check.h"

static const uint32_t faces[2][3] = {{0, 1, 2}, {3, 4, 5}};
static const double x0[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.2, 1}, {1.2, 0.2, 1.5}, {0.2, 1.2, 1.5}};
static const double x1[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.2, -1}, {1.2, 0.2, -0.5}, {0.2, 1.2, -0.5}};

static graze_context *context_for(graze_backend backend, int device) {
    graze_context_options options = graze_default_context_options();
    options.backend = backend;
    options.device = device;
    graze_context *context;
    CHECK(graze_context_create(&options, &context) == GRAZE_OK);
    return context;
}

static graze_status step(graze_context *context, graze_backend backend, graze_step_mode mode,
                         graze_step_result *result) {
    graze_mesh mesh = graze_default_mesh();
    CHECK(graze_mesh_from_faces(NULL, 6, faces, 2, &mesh) == GRAZE_OK);
    graze_step_options options = graze_default_step_options();
    options.backend = backend;
    options.mode = mode;
    *result = graze_default_step_result();
    graze_status status = graze_step(context, &mesh, x0, x1, &options, result);
    graze_mesh_release(NULL, &mesh);
    return status;
}

TEST(names_of_back_ends_go_there_and_back) {
    for (int i = 0; i < 3; i++) {
        graze_backend backend = (graze_backend)9;
        CHECK(graze_backend_find(graze_backend_name((graze_backend)i), &backend) == 1 && (int)backend == i);
    }
    CHECK(graze_backend_find("gpu", &(graze_backend){0}) == 0 && !graze_backend_name((graze_backend)3));
    CHECK(graze_backend_available(GRAZE_BACKEND_AUTO) && graze_backend_available(GRAZE_BACKEND_CPU));
    CHECK(!graze_backend_available((graze_backend)3));
}

TEST(the_cpu_runs_where_nothing_else_is_asked_for) {
    graze_context *context = context_for(GRAZE_BACKEND_AUTO, 0);
    graze_step_result result;
    CHECK(step(context, GRAZE_BACKEND_AUTO, GRAZE_STEP_EARLIEST, &result) == GRAZE_OK);
    CHECK(result.backend == GRAZE_BACKEND_CPU && result.verdict == GRAZE_HIT);
    graze_context_destroy(context);
}

TEST(a_back_end_that_is_not_there_says_why) {
    graze_context *context = context_for(GRAZE_BACKEND_AUTO, 0);
    graze_step_result result;
    graze_error error;
    setenv("GRAZE_CUDA_LIBRARY", "/nonexistent/graze.so", 1);
    CHECK(!graze_backend_available(GRAZE_BACKEND_CUDA));
    CHECK(step(context, GRAZE_BACKEND_CUDA, GRAZE_STEP_EARLIEST, &result) == GRAZE_ERR_UNSUPPORTED);
    CHECK(result.verdict == GRAZE_UNRESOLVED && result.toi == 0);
    graze_context_last_error(context, &error);
    CHECK_MSG(strstr(error.message, "cuda") && strstr(error.message, "/nonexistent/graze.so"), "%s", error.message);
    graze_context_destroy(context);
    unsetenv("GRAZE_CUDA_LIBRARY");
    graze_context_options options = graze_default_context_options();
    options.backend = (graze_backend)7;
    CHECK(graze_context_create(&options, &context) == GRAZE_ERR_INVALID_ARGUMENT);
    options.backend = GRAZE_BACKEND_CPU;
    options.device = -1;
    CHECK(graze_context_create(&options, &context) == GRAZE_ERR_INVALID_ARGUMENT);
}

#if defined(FAKE_BACKEND)
TEST(a_loaded_back_end_answers_and_keeps_its_state) {
    setenv("GRAZE_CUDA_LIBRARY", FAKE_BACKEND, 1);
    CHECK(graze_backend_available(GRAZE_BACKEND_CUDA));
    graze_context *context = context_for(GRAZE_BACKEND_CUDA, 2), *plain = context_for(GRAZE_BACKEND_AUTO, 0);
    graze_step_result result, expected;
    CHECK(step(plain, GRAZE_BACKEND_CPU, GRAZE_STEP_EARLIEST, &expected) == GRAZE_OK);
    for (uint32_t i = 1; i <= 3; i++) { /* AUTO is what the context says */
        CHECK(step(context, GRAZE_BACKEND_AUTO, GRAZE_STEP_EARLIEST, &result) == GRAZE_OK);
        CHECK(result.backend == GRAZE_BACKEND_CUDA && result.hits[0] == i && result.hits[1] == 2);
        CHECK(result.toi == expected.toi && result.verdict == GRAZE_HIT);
    }
    CHECK(step(context, GRAZE_BACKEND_CPU, GRAZE_STEP_EARLIEST, &result) == GRAZE_OK);
    CHECK(result.backend == GRAZE_BACKEND_CPU);
    /* what it does not do: the CPU does, unless the caller insists */
    CHECK(step(context, GRAZE_BACKEND_AUTO, GRAZE_STEP_ALL, &result) == GRAZE_OK);
    CHECK(result.backend == GRAZE_BACKEND_CPU && result.pair_count > 0);
    graze_step_release(context, &result);
    CHECK(step(context, GRAZE_BACKEND_CUDA, GRAZE_STEP_ALL, &result) == GRAZE_ERR_UNSUPPORTED);
    CHECK(step(plain, GRAZE_BACKEND_CUDA, GRAZE_STEP_EARLIEST, &result) == GRAZE_OK && result.hits[1] == 0);
    graze_context_destroy(context);
    graze_context_destroy(plain);
    unsetenv("GRAZE_CUDA_LIBRARY");
}

TEST(a_back_end_of_another_build_or_without_a_device_is_refused) {
    static const struct {
        const char *variable, *word;
    } spoiled[] = {{"FAKE_VERSION", "another build"}, {"FAKE_DEVICE", "no device 1"}};
    setenv("GRAZE_CUDA_LIBRARY", FAKE_BACKEND, 1);
    for (int i = 0; i < 2; i++) {
        setenv(spoiled[i].variable, "1", 1);
        graze_context *context = context_for(GRAZE_BACKEND_CUDA, 1);
        graze_step_result result;
        graze_error error;
        CHECK(step(context, GRAZE_BACKEND_AUTO, GRAZE_STEP_EARLIEST, &result) == GRAZE_ERR_UNSUPPORTED);
        graze_context_last_error(context, &error);
        CHECK_MSG(strstr(error.message, spoiled[i].word), "%s", error.message);
        graze_context_destroy(context);
        unsetenv(spoiled[i].variable);
    }
    unsetenv("GRAZE_CUDA_LIBRARY");
}
#endif

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
