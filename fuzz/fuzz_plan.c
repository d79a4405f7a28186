/* Any bytes as a trajectory for `graze articulate --plan`: an error of one line, or a path whose arrays hold, which the
   library takes or refuses. */
#include "fuzz/seeds.h"

#include "robot/plan_file.h"

static const char model[] = "{\"models\":[{\"name\":\"arm\",\"links\":["
                            "{\"name\":\"l\",\"joint\":{\"kind\":\"revolute\",\"name\":\"turn\"},\"mesh\":\"t.obj\"},"
                            "{\"name\":\"m\",\"parent\":\"l\",\"joint\":{\"kind\":\"prismatic\"},\"mesh\":null}]}]}";

static volatile double last_read;

/* Reads every knot and control point: the sanitizers see where one is not there. */
static void check_path(const robot_plan *plan, size_t values) {
    const graze_path *path = &plan->path;
    if (path->degree < 1 || path->degree > GRAZE_MAX_DEGREE || path->count <= path->degree) abort();
    for (size_t i = 0; i <= path->count + path->degree; i++) last_read = path->knots[i];
    for (size_t i = 0; i < path->count * values; i++) last_read = path->control[i];
}

static void check_plan(const robot_models *models, const char *name, io_source source) {
    robot_plan plan;
    io_error error = {""};
    source.name = name;
    if (robot_parse_plan(source, models, &plan, &error)) {
        check_path(&plan, models->trees[plan.path.body].values);
        robot_free_plan(&plan);
    } else {
        fuzz_check_line(error.message);
    }
}

/* As each of its formats. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    io_source source = fuzz_source(GRAZE_FUZZ_SEEDS "/beside/plan.json", data, size);
    robot_models models;
    io_error error = {""};
    if (!robot_parse_models((io_source){GRAZE_FUZZ_SEEDS "/beside/model.json", model, sizeof model - 1}, &models,
                            &error))
        abort();
    check_plan(&models, GRAZE_FUZZ_SEEDS "/beside/plan.json", source);
    check_plan(&models, GRAZE_FUZZ_SEEDS "/beside/plan.csv", source);
    check_plan(&models, GRAZE_FUZZ_SEEDS "/beside/plan.yaml", source);
    robot_free_models(&models);
    free((char *)source.bytes);
    return 0;
}
