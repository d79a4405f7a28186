#include "cli/robots/plan.h"

#include "app/model_world.h"
#include "app/outputs.h"
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

/* The plan and the models beside it that stand. */
typedef struct plan_paths {
    graze_path *paths;
    size_t count, models;
    double **control, (*knots)[4];
} plan_paths;

static plan_paths paths_of(const cli_model_file *file, const robot_plan *plan) {
    size_t models = file->read.count;
    plan_paths made = {.paths = app_allocate(models, sizeof *made.paths),
                       .models = models,
                       .control = app_allocate(models, sizeof *made.control),
                       .knots = app_allocate(models, sizeof *made.knots)};
    for (size_t m = 0; m < models; m++) {
        made.control[m] = NULL;
        if (m == plan->path.body)
            made.paths[made.count++] = plan->path;
        else if (file->read.trees[m].values)
            made.paths[made.count++] = standing(file, m, &plan->path, made.knots[m], &made.control[m]);
    }
    return made;
}

static void free_paths(plan_paths *made) {
    for (size_t m = 0; m < made->models; m++) free(made->control[m]);
    free(made->control);
    free(made->knots);
    free(made->paths);
}

static graze_status solve(graze_context *context, const cli_model_file *file, const plan_paths *made,
                          const graze_articulated_options *asked, graze_plan_result *result) {
    graze_articulated_options options = *asked;
    graze_world *world = world_of(context, file);
    options.link_pairs = NULL; /* the world has them */
    graze_status status = graze_world_plan(context, world, made->paths, made->count, &options, result);
    graze_world_release(world);
    return status;
}

/* ---- the certificate ---- */

static int write_text(void *user, const char *text, size_t size) {
    io_output *file = user;
    return fwrite(text, 1, size, file->stream) != size;
}

static void write_certificate(graze_context *context, const cli_model_file *file, const plan_paths *made,
                              const graze_articulated_options *asked, io_output *out) {
    const graze_model **models = cli_models_of(file);
    graze_plan_result proven = graze_default_plan_result();
    graze_status status = graze_plan_certificate(context, models, file->read.count, made->paths, made->count, asked,
                                                 write_text, out, &proven);
    if (status != GRAZE_OK) app_fail_status(status, context, "--certificate");
    if (proven.verdict != GRAZE_CLEAR)
        app_fail("articulate: --certificate: segment %zu is clear, but links are too close for a written proof (%s)",
                 proven.segment, graze_reason_name(proven.reason));
    app_close_output(out);
    free(models);
}

/* ---- the answer ---- */

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

graze_verdict cli_answer_plan(graze_context *context, const cli_model_file *file, const cli_plan_ask *ask) {
    robot_plan plan;
    io_error error;
    io_output proof = {0};
    if (!robot_read_plan(ask->path, &file->read, &plan, &error)) app_fail("%s", error.message);
    if (ask->certificate) app_open_output("--certificate", ask->certificate, ask->json, &proof);
    plan_paths made = paths_of(file, &plan);
    graze_plan_result result = graze_default_plan_result();
    double start = app_seconds();
    graze_status status = solve(context, file, &made, &ask->options, &result);
    double ms = 1e3 * (app_seconds() - start);
    if (status != GRAZE_OK) app_fail_status(status, context, ask->path);
    if (ask->certificate && result.verdict == GRAZE_CLEAR) {
        write_certificate(context, file, &made, &ask->options, &proof);
    } else if (ask->certificate) {
        io_abandon_output(&proof);
        app_notice("articulate: not clear: no certificate is written");
    }
    (ask->json ? print_json : print_text)(file, &result, ms, ask->no_times);
    free_paths(&made);
    robot_free_plan(&plan);
    return result.verdict;
}
