#include "cli/robots/plan.h"

#include "app/model_world.h"
#include "cli/robots/link_contact.h"
#include "robot/plan_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static graze_world *world_of(graze_context *context, const cli_model_file *file) {
    const graze_model **models = cli_models_of(file);
    graze_world *world;
    graze_status status = app_model_world(context, models, file->read.count, file->link_pairs, NULL, 0, &world);
    free(models);
    if (status != GRAZE_OK) cli_fail_models(context, file, status);
    return world;
}

/* A path that stands, for a model that the plan does not move: both of its control points are one pose. */
static graze_path standing(const cli_model_file *file, size_t model, const graze_path *beside, double knots[4],
                           double **control) {
    size_t values = file->read.trees[model].values;
    const double *pose = file->read.motions[model].poses;
    graze_path path = graze_default_path();
    *control = app_allocate(2 * values, sizeof **control);
    for (size_t i = 0; i < 2 * values; i++) (*control)[i] = pose[i % values];
    knots[0] = knots[1] = beside->knots[beside->degree];
    knots[2] = knots[3] = beside->knots[beside->count];
    path.body = (uint32_t)model;
    path.count = 2;
    path.knots = knots;
    path.control = *control;
    return path;
}

static graze_status solve(graze_context *context, const cli_model_file *file, const robot_plan *plan,
                          const graze_articulated_options *asked, graze_plan_result *result) {
    graze_articulated_options options = *asked;
    size_t models = file->read.count, count = 0;
    graze_world *world = world_of(context, file);
    graze_path *paths = app_allocate(models, sizeof *paths);
    double **control = app_allocate(models, sizeof *control), (*knots)[4] = app_allocate(models, sizeof *knots);
    options.link_pairs = NULL; /* the world has them */
    for (size_t m = 0; m < models; m++) {
        if (m == plan->path.body)
            paths[count++] = plan->path;
        else if (file->read.trees[m].values)
            paths[count++] = standing(file, m, &plan->path, knots[m], &control[m]);
    }
    graze_status status = graze_world_plan(context, world, paths, count, &options, result);
    for (size_t m = 0; m < models; m++) free(control[m]);
    free(control);
    free(knots);
    free(paths);
    graze_world_release(world);
    return status;
}

static void print_json(const cli_model_file *file, const graze_plan_result *r, double ms, bool no_times) {
    bool found = r->verdict != GRAZE_CLEAR;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "verdict", graze_verdict_name(r->verdict));
    if (r->verdict == GRAZE_UNRESOLVED) cJSON_AddStringToObject(object, "reason", graze_reason_name(r->reason));
    cJSON_AddItemToObject(object, "time", found ? app_json_double(r->time) : cJSON_CreateNull());
    cJSON_AddItemToObject(object, "time_upper", app_json_double(r->time_upper));
    cJSON_AddItemToObject(object, "segment", found ? app_json_count(r->segment) : cJSON_CreateNull());
    cJSON_AddItemToObject(object, "toi", app_json_double(r->toi));
    cli_add_place(object, file, r->has_contact ? &r->contact : NULL);
    cJSON_AddItemToObject(object, "segments", app_json_count(r->segments));
    cJSON_AddItemToObject(object, "checks", app_json_count(r->checks));
    if (!no_times) cJSON_AddItemToObject(object, "time_ms", app_json_double(ms));
    app_print_json(object);
}

static void print_text(const cli_model_file *file, const graze_plan_result *r, double ms, bool no_times) {
    printf("%-10s %s", "verdict", graze_verdict_name(r->verdict));
    if (r->verdict == GRAZE_UNRESOLVED) printf(" (%s)", graze_reason_name(r->reason));
    if (r->verdict == GRAZE_HIT && !r->contact.proven) printf(" (within the tolerance, not proven)");
    printf("\n%-10s free until %.17g s\n", "time", r->time);
    if (r->verdict == GRAZE_CLEAR)
        printf("%-10s %zu, all clear\n", "segments", r->segments);
    else
        printf("%-10s %zu of %zu, at %g of it\n", "segment", r->segment, r->segments, r->toi);
    if (r->has_contact) cli_print_contact(file, &r->contact);
    if (!no_times) printf("%-10s %.3f ms, %llu checks\n", "took", ms, (unsigned long long)r->checks);
}

graze_verdict cli_answer_plan(graze_context *context, const cli_model_file *file, const char *path,
                              const graze_articulated_options *asked, bool json, bool no_times) {
    robot_plan plan;
    io_error error;
    if (!robot_read_plan(path, &file->read, &plan, &error)) app_fail("%s", error.message);
    graze_plan_result result = graze_default_plan_result();
    double start = app_seconds();
    graze_status status = solve(context, file, &plan, asked, &result);
    double ms = 1e3 * (app_seconds() - start);
    if (status != GRAZE_OK) app_fail_status(status, context, path);
    (json ? print_json : print_text)(file, &result, ms, no_times);
    robot_free_plan(&plan);
    return result.verdict;
}
