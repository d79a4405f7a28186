/* Makes a world of the file's models and lists the closest pairs of links. */
#include "cli/robots/distance.h"

#include "cli/robots/link_contact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the world ---- */

typedef struct pair_table {
    const uint8_t *pairs;
    size_t links, *first; /* of each model */
} pair_table;

static graze_pair_rule ask_table(void *user, uint32_t body_a, uint32_t link_a, uint32_t body_b, uint32_t link_b,
                                 double *separation) {
    const pair_table *table = user;
    (void)separation;
    size_t a = table->first[body_a] + link_a, b = table->first[body_b] + link_b;
    return table->pairs[a * table->links + b] ? GRAZE_PAIR_TEST : GRAZE_PAIR_SKIP;
}

static graze_world *make_world(graze_context *context, const cli_model_file *file) {
    size_t count = file->read.count;
    graze_body *bodies = app_allocate(count, sizeof *bodies);
    pair_table table = {file->link_pairs, 0, app_allocate(count, sizeof *table.first)};
    for (size_t m = 0; m < count; m++) {
        bodies[m] = graze_default_body();
        bodies[m].model = file->models[m];
        table.first[m] = table.links;
        table.links += graze_model_links(file->models[m]);
    }
    graze_world_options options = graze_default_world_options();
    if (table.pairs) options.filter = ask_table;
    options.filter_user = &table;
    graze_world *world;
    graze_status status = graze_world_create(context, bodies, count, &options, &world);
    if (status != GRAZE_OK) cli_fail_models(context, file, status);
    free(bodies);
    free(table.first);
    return world;
}

/* Measures where the first segment begins. */
static graze_world_distance_result measure(graze_context *context, const cli_model_file *file, const graze_world *world,
                                           const graze_world_distance_options *options) {
    graze_motion *motions = cli_segment(file, 0);
    graze_body_motion *pose = app_allocate(file->read.count, sizeof *pose);
    for (size_t m = 0; m < file->read.count; m++) {
        pose[m] = graze_default_body_motion();
        pose[m].body = (uint32_t)m;
        pose[m].joints = &motions[m];
    }
    graze_world_distance_result result = graze_default_world_distance_result();
    graze_status status = graze_world_distance(context, world, pose, file->read.count, options, &result);
    if (status != GRAZE_OK) cli_fail_models(context, file, status);
    free(pose);
    free(motions);
    return result;
}

/* ---- the answer ---- */

static const char *link_name(const cli_model_file *file, uint32_t model, uint32_t link) {
    return cli_link_at(&file->read.trees[model], link)->name;
}

static cJSON *link_json(const cli_model_file *file, uint32_t model, uint32_t link) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToObject(object, "model", app_json_text(file->read.trees[model].name));
    cJSON_AddItemToObject(object, "link", app_json_text(link_name(file, model, link)));
    return object;
}

/* A number that is none is null. */
static cJSON *numbers_json(const double *x, size_t count) {
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < count; i++)
        cJSON_AddItemToArray(list, isnan(x[i]) ? cJSON_CreateNull() : app_json_double(x[i]));
    return list;
}

static cJSON *gap_json(const cli_model_file *file, const graze_link_gap *gap, const double *gradient) {
    cJSON *object = cJSON_CreateObject(), *links = cJSON_AddArrayToObject(object, "links");
    cJSON_AddItemToArray(links, link_json(file, gap->body_a, gap->link_a));
    cJSON_AddItemToArray(links, link_json(file, gap->body_b, gap->link_b));
    cJSON_AddItemToObject(object, "lower", app_json_double(gap->lower));
    cJSON_AddItemToObject(object, "upper", app_json_double(gap->upper));
    cJSON *points = cJSON_AddArrayToObject(object, "points");
    cJSON_AddItemToArray(points, numbers_json(gap->point_a, 3));
    cJSON_AddItemToArray(points, numbers_json(gap->point_b, 3));
    cJSON_AddItemToObject(object, "normal", numbers_json(gap->normal, 3));
    cJSON *gradients = cJSON_AddObjectToObject(object, "gradient");
    for (size_t m = 0; gradient && m < file->read.count; m++) {
        size_t count = graze_model_values(file->models[m]);
        if (count) cJSON_AddItemToObject(gradients, file->read.trees[m].name, numbers_json(gradient, count));
        gradient += count;
    }
    return object;
}

static void print_json(const cli_model_file *file, const graze_world_distance_result *result) {
    cJSON *object = cJSON_CreateObject(), *pairs = cJSON_AddArrayToObject(object, "pairs");
    for (size_t i = 0; i < result->gap_count; i++) {
        const double *gradient = result->gradients ? result->gradients + i * result->value_count : NULL;
        cJSON_AddItemToArray(pairs, gap_json(file, &result->gaps[i], gradient));
    }
    cJSON_AddItemToObject(object, "others", isinf(result->lower) ? cJSON_CreateNull() : app_json_double(result->lower));
    cJSON_AddItemToObject(object, "tested", app_json_count(result->pairs_tested));
    app_print_json(object);
}

static void print_text(const cli_model_file *file, const graze_world_distance_result *result) {
    for (size_t i = 0; i < result->gap_count; i++) {
        const graze_link_gap *gap = &result->gaps[i];
        printf("%-10s %.9g to %.9g: %s/%s, %s/%s\n", "distance", gap->lower, gap->upper,
               file->read.trees[gap->body_a].name, link_name(file, gap->body_a, gap->link_a),
               file->read.trees[gap->body_b].name, link_name(file, gap->body_b, gap->link_b));
    }
    if (result->gap_count == 0) printf("%-10s no pair\n", "distance");
}

void cli_articulate_distance(graze_context *context, const cli_model_file *file,
                             const graze_world_distance_options *options, bool json) {
    graze_world *world = make_world(context, file);
    graze_world_distance_result result = measure(context, file, world, options);
    if (json)
        print_json(file, &result);
    else
        print_text(file, &result);
    graze_world_distance_release(context, &result);
    graze_world_release(world);
}
