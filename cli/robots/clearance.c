#include "cli/robots/clearance.h"

#include "cli/robots/link_contact.h"
#include "cli/robots/plan_paths.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the calls ---- */

/* The motion of the file, all segments of it. */
static graze_status along_motion(graze_context *context, const cli_model_file *file, const graze_world *world,
                                 const graze_clearance_options *options, graze_clearance_result *result) {
    size_t models = file->read.count, segments = file->read.segments;
    graze_motion **motions = app_allocate(segments, sizeof *motions);
    graze_body_motion *moved = app_allocate(segments * models, sizeof *moved);
    for (size_t s = 0; s < segments; s++) {
        motions[s] = cli_segment(file, s);
        for (size_t m = 0; m < models; m++) {
            moved[s * models + m] = graze_default_body_motion();
            moved[s * models + m].body = (uint32_t)m;
            moved[s * models + m].joints = &motions[s][m];
        }
    }
    graze_status status = graze_world_clearance(context, world, moved, models, segments, options, result);
    for (size_t s = 0; s < segments; s++) free(motions[s]);
    free(motions);
    free(moved);
    return status;
}

static graze_status along_plan(graze_context *context, const cli_model_file *file, const graze_world *world,
                               const robot_plan *plan, const graze_clearance_options *options,
                               graze_clearance_result *result) {
    cli_plan_paths paths = cli_plan_paths_of(file, plan);
    graze_status status = graze_world_plan_clearance(context, world, paths.paths, paths.count, options, result);
    cli_free_plan_paths(&paths);
    return status;
}

/* Gradients are left out where there are none: a rotation that turns at constant speed, a screw. */
static graze_clearance_result measure(graze_context *context, const cli_model_file *file, const graze_world *world,
                                      const robot_plan *plan, const graze_clearance_options *asked) {
    graze_clearance_options options = *asked;
    graze_clearance_result result = graze_default_clearance_result();
    for (options.gradients = 1;; options.gradients = 0) {
        graze_status status = plan ? along_plan(context, file, world, plan, &options, &result)
                                   : along_motion(context, file, world, &options, &result);
        if (status == GRAZE_OK) return result;
        if (status != GRAZE_ERR_UNSUPPORTED || !options.gradients) cli_fail_models(context, file, status);
    }
}

/* ---- the answer ---- */

/* A number that is none is null. */
static cJSON *numbers_json(const double *x, size_t count, double weight) {
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < count; i++)
        cJSON_AddItemToArray(list, isnan(x[i]) ? cJSON_CreateNull() : app_json_double(weight * x[i]));
    return list;
}

static cJSON *gradient_json(const cli_model_file *file, const double *gradient, double weight) {
    cJSON *object = cJSON_CreateObject();
    for (size_t m = 0; m < file->read.count; m++) {
        size_t count = graze_model_values(file->models[m]);
        if (count) cJSON_AddItemToObject(object, file->read.trees[m].name, numbers_json(gradient, count, weight));
        gradient += count;
    }
    return object;
}

static double choose(int n, int k) { return k == 0 ? 1 : choose(n - 1, k - 1) * n / k; }

/* Share of a move of a segment's first way point that the place at t makes: the weights of the Bézier values that go
   with it. */
static double first_weight(uint32_t degree, double t) {
    double sum = 0;
    for (int k = 0; 2 * k < (int)degree; k++) sum += choose((int)degree, k) * pow(t, k) * pow(1 - t, (int)degree - k);
    return sum;
}

/* True for straight motions, and for plans by way points, whose degree is 1, 3 or 5. */
static bool has_way_points(const cli_model_file *file, const robot_plan *plan) {
    if (plan) return plan->has_way_points;
    for (size_t m = 0; m < file->read.count; m++)
        if (file->read.motions[m].cubic) return false;
    return true;
}

static cJSON *pair_json(const cli_model_file *file, const robot_plan *plan, const graze_link_clearance *pair,
                        const double *gradient) {
    cJSON *object = cJSON_CreateObject(), *links = cJSON_AddArrayToObject(object, "links");
    cJSON_AddItemToArray(links, cli_link_json(file, pair->body_a, pair->link_a));
    cJSON_AddItemToArray(links, cli_link_json(file, pair->body_b, pair->link_b));
    cJSON_AddItemToObject(object, "lower", app_json_double(pair->lower));
    cJSON_AddItemToObject(object, "upper", app_json_double(pair->upper));
    cJSON_AddItemToObject(object, "segment", app_json_count(pair->segment));
    cJSON_AddItemToObject(object, "time", app_json_double(pair->time));
    cJSON *points = cJSON_AddArrayToObject(object, "points");
    cJSON_AddItemToArray(points, numbers_json(pair->point_a, 3, 1));
    cJSON_AddItemToArray(points, numbers_json(pair->point_b, 3, 1));
    cJSON_AddItemToObject(object, "normal", numbers_json(pair->normal, 3, 1));
    if (!gradient) return object;
    cJSON_AddItemToObject(object, "gradient", gradient_json(file, gradient, 1));
    if (!has_way_points(file, plan)) return object;
    double weight = first_weight(plan ? plan->path.degree : 1, pair->time);
    cJSON_AddItemToObject(object, "gradient_from", gradient_json(file, gradient, weight));
    cJSON_AddItemToObject(object, "gradient_to", gradient_json(file, gradient, 1 - weight));
    return object;
}

static void print_json(const cli_model_file *file, const robot_plan *plan, const graze_clearance_result *result) {
    cJSON *object = cJSON_CreateObject(), *pairs = cJSON_AddArrayToObject(object, "pairs");
    for (size_t i = 0; i < result->pair_count; i++) {
        const double *gradient = result->gradients ? result->gradients + i * result->value_count : NULL;
        cJSON_AddItemToArray(pairs, pair_json(file, plan, &result->pairs[i], gradient));
    }
    cJSON_AddItemToObject(object, "others", isinf(result->lower) ? cJSON_CreateNull() : app_json_double(result->lower));
    cJSON_AddItemToObject(object, "tested", app_json_count(result->pairs_tested));
    cJSON_AddItemToObject(object, "segments", app_json_count(result->segments));
    cJSON_AddItemToObject(object, "checks", app_json_count(result->checks));
    app_print_json(object);
}

static const char *link_name(const cli_model_file *file, uint32_t model, uint32_t link) {
    return cli_link_at(&file->read.trees[model], link)->name;
}

static void print_text(const cli_model_file *file, const graze_clearance_result *result) {
    for (size_t i = 0; i < result->pair_count; i++) {
        const graze_link_clearance *pair = &result->pairs[i];
        printf("%-10s %.9g to %.9g at %.6g", "clearance", pair->lower, pair->upper, pair->time);
        if (result->segments > 1) printf(" of segment %llu", (unsigned long long)pair->segment);
        printf(": %s/%s, %s/%s\n", file->read.trees[pair->body_a].name, link_name(file, pair->body_a, pair->link_a),
               file->read.trees[pair->body_b].name, link_name(file, pair->body_b, pair->link_b));
    }
    if (result->pair_count == 0) printf("%-10s no pair\n", "clearance");
    if (!isinf(result->lower)) printf("%-10s at least %.9g\n", "others", result->lower);
}

void cli_articulate_clearance(graze_context *context, const cli_model_file *file, const char *path,
                              const graze_clearance_options *options, bool json) {
    robot_plan plan = {0};
    io_error error;
    if (path && !robot_read_plan(path, &file->read, &plan, &error)) app_fail("%s", error.message);
    graze_world *world = cli_world_of(context, file);
    graze_clearance_result result = measure(context, file, world, path ? &plan : NULL, options);
    if (json)
        print_json(file, path ? &plan : NULL, &result);
    else
        print_text(file, &result);
    graze_clearance_release(context, &result);
    graze_world_release(world);
    robot_free_plan(&plan);
}
