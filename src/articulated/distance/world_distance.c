/* Distances in a world: the door. */
#include "graze/world_distance.h"

#include "articulated/distance/gradient.h"
#include "articulated/door.h"
#include "articulated/world/pose.h"
#include "articulated/world/world.h"

#include "base/sizes.h"

#include <math.h>
#include <string.h>

static const graze_world_distance_options option_defaults = {.most = 1, .distance = INFINITY};
static const graze_world_distance_result closed = {.gap_size = sizeof(graze_link_gap)};

#define OPTIONS_LEAST GZ_SIZE_UP_TO(graze_world_distance_options, gradients)
#define RESULT_LEAST GZ_SIZE_UP_TO(graze_world_distance_result, pairs_tested)

void graze_init_world_distance_options(graze_world_distance_options *options, size_t size) {
    gz_sized_init(options, size, &option_defaults, sizeof option_defaults);
}

void graze_init_world_distance_result(graze_world_distance_result *result, size_t size) {
    gz_sized_init(result, size, &closed, sizeof closed);
}

static graze_status read_options(graze_context *context, const graze_world_distance_options *given,
                                 graze_world_distance_options *options) {
    *options = graze_default_world_distance_options();
    if (!given) return GRAZE_OK;
    graze_status status =
        gz_sized_read(context, "world distance options", options, sizeof *options, OPTIONS_LEAST, given);
    if (status != GRAZE_OK) return status;
    if (!(options->distance >= 0))
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "distance is negative, or not a number");
    return gz_range_check(context, options->min_separation, GRAZE_MAX_COORDINATE, 1);
}

/* ---- the answer ---- */

static graze_link_gap public_gap(gz_frames *frames, const gz_listed_gap *listed) {
    const gz_scene_link *a = gz_scene_at(frames->scene, listed->first), *b = gz_scene_at(frames->scene, listed->second);
    bool swap = listed->first != listed->pair.a;
    gz_faces faces = listed->gap.faces;
    graze_link_gap gap = {.lower = listed->gap.lower, .upper = listed->gap.upper};
    gap.body_a = a->model;
    gap.link_a = a->index;
    gap.body_b = b->model;
    gap.link_b = b->index;
    gap.face_a = swap ? faces.b : faces.a;
    gap.face_b = swap ? faces.a : faces.b;
    gz_world_points points = gz_points_in_world(frames, listed);
    gz_vec3 normal = gz_gap_normal(frames, listed);
    memcpy(gap.point_a, points.a.c, sizeof gap.point_a);
    memcpy(gap.point_b, points.b.c, sizeof gap.point_b);
    memcpy(gap.normal, normal.c, sizeof gap.normal);
    return gap;
}

static graze_status write_gaps(const gz_gap_list *list, graze_world_distance_result *result) {
    result->lower = list->lower;
    if (list->count == 0) return GRAZE_OK;
    result->gaps = gz_allocate_array(list->search->scene.context, list->count, sizeof *result->gaps);
    if (!result->gaps) return GRAZE_ERR_OUT_OF_MEMORY;
    result->gap_count = list->count;
    for (size_t i = 0; i < list->count; i++) result->gaps[i] = public_gap(&list->search->wide, &list->gaps[i]);
    return GRAZE_OK;
}

static size_t values_of(const graze_world *world, size_t *first) {
    size_t count = 0;
    for (size_t m = 0; m < world->body_count; m++) {
        if (first) first[m] = count;
        count += world->bodies[m]->model.values;
    }
    return count;
}

static graze_status write_gradients(const gz_gap_list *list, gz_motions motions, graze_world_distance_result *result) {
    const graze_world *world = list->search->world;
    graze_context *context = list->search->scene.context;
    size_t count = result->value_count;
    if (count == 0 || list->count == 0) return GRAZE_OK;
    size_t *first = gz_allocate_array(context, world->body_count, sizeof *first);
    double *room = gz_allocate_array(context, 2 * count, sizeof *room);
    result->gradients = gz_allocate_array(context, list->count * count, sizeof *result->gradients);
    bool good = first && room && result->gradients;
    if (good) {
        values_of(world, first);
        gz_values values = {motions, first, count};
        for (size_t i = 0; i < list->count; i++)
            gz_gap_gradient(list->search, &values, &list->gaps[i], result->gradients + i * count, room);
    }
    gz_release(context, first, world->body_count * sizeof *first);
    gz_release(context, room, 2 * count * sizeof *room);
    return good ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY;
}

void graze_world_distance_release(graze_context *context, graze_world_distance_result *result) {
    if (!result || result->struct_size < RESULT_LEAST) return;
    gz_release(context, result->gaps, result->gap_count * sizeof *result->gaps);
    gz_release(context, result->gradients, result->gap_count * result->value_count * sizeof *result->gradients);
    result->gaps = NULL;
    result->gradients = NULL;
    result->gap_count = 0;
}

/* ---- the call ---- */

static graze_status answer(const gz_gap_list *list, gz_motions motions, bool gradients,
                           graze_world_distance_result *result) {
    result->pairs_tested = list->search->pairs_tested;
    result->value_count = values_of(list->search->world, NULL);
    graze_status status = write_gaps(list, result);
    if (status == GRAZE_OK && gradients) status = write_gradients(list, motions, result);
    return status;
}

static graze_status measure(graze_context *context, const graze_world *world, const graze_body_motion *pose,
                            size_t count, const graze_world_distance_options *options,
                            graze_world_distance_result *result) {
    gz_search *search = gz_kept_search(context);
    if (!search) return GRAZE_ERR_OUT_OF_MEMORY;
    graze_articulated_options asked = graze_default_articulated_options();
    gz_gap_list list = {0};
    asked.min_separation = options->min_separation;
    graze_status status = gz_search_reopen_world(search, context, world, &asked);
    if (status != GRAZE_OK) return status;
    gz_motions motions = gz_world_stand(search, pose, count);
    status = gz_search_begin(search, motions);
    double within = options->distance < INFINITY ? nextafter(options->distance, INFINITY) : INFINITY;
    if (status == GRAZE_OK) status = gz_gap_list_find(&list, search, 0, options->most, within);
    if (status == GRAZE_OK) status = answer(&list, motions, options->gradients, result);
    gz_gap_list_close(&list);
    if (status == GRAZE_OK) return status;
    graze_world_distance_release(context, result);
    *result = graze_default_world_distance_result();
    return status;
}

graze_status graze_world_distance(graze_context *context, const graze_world *world, const graze_body_motion *pose,
                                  size_t count, const graze_world_distance_options *given,
                                  graze_world_distance_result *result) {
    if (!result || gz_sized_check(NULL, "world distance result", result, RESULT_LEAST) != GRAZE_OK)
        return GRAZE_ERR_INVALID_ARGUMENT;
    gz_sized_write(result, &closed, sizeof closed);
    if (!context) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_fp_environment env;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    graze_world_distance_options options;
    graze_world_distance_result found = graze_default_world_distance_result();
    status = read_options(context, given, &options);
    if (status == GRAZE_OK)
        status = gz_world_motions_check(context, world, pose, count, gz_bytes_at(result, result->struct_size));
    if (status == GRAZE_OK) status = gz_world_of_models(context, world, "graze_world_distance");
    if (status == GRAZE_OK) status = measure(context, world, pose, count, &options, &found);
    if (status == GRAZE_OK) gz_sized_write(result, &found, sizeof found);
    return gz_context_leave(context, &env, status);
}
