/* The closest two links of arrays of models in one pose. */
#include "articulated/distance/gap_list.h"

#include "base/sizes.h"

#include <math.h>
#include <string.h>

static void answer(const gz_gap_list *list, graze_link_distance *result) {
    const gz_scene *scene = &list->search->scene;
    if (list->count == 0) {
        result->lower = INFINITY;
        return;
    }
    const gz_listed_gap *closest = &list->gaps[0];
    const gz_scene_link *a = gz_scene_at(scene, closest->first), *b = gz_scene_at(scene, closest->second);
    result->upper = closest->gap.upper;
    result->lower = fmin(closest->gap.lower, list->lower);
    result->model_a = a->model;
    result->link_a = a->index;
    result->model_b = b->model;
    result->link_b = b->index;
    gz_world_points points = gz_points_in_world(&list->search->wide, closest);
    memcpy(result->point_a, points.a.c, sizeof result->point_a);
    memcpy(result->point_b, points.b.c, sizeof result->point_b);
}

static graze_status measure(graze_context *context, const graze_model *const *models, size_t count,
                            const graze_motion *motions, const graze_articulated_options *options,
                            graze_link_distance *result) {
    gz_search search;
    gz_gap_list list = {0};
    graze_status status = gz_search_open(&search, context, models, count, options);
    if (status == GRAZE_OK) status = gz_search_stand(&search, gz_motions_from(motions, 0));
    if (status == GRAZE_OK) status = gz_gap_list_find(&list, &search, 0, 1, INFINITY);
    if (status == GRAZE_OK) answer(&list, result);
    gz_gap_list_close(&list);
    gz_search_close(&search);
    return status;
}

static const graze_link_distance closed = {.lower = 0, .upper = INFINITY};
#define DISTANCE_LEAST GZ_SIZE_UP_TO(graze_link_distance, point_b)

void graze_init_link_distance(graze_link_distance *result, size_t size) {
    gz_sized_init(result, size, &closed, sizeof closed);
}

graze_status graze_articulated_distance(graze_context *context, const graze_model *const *models, size_t count,
                                        const graze_motion *motions, const graze_articulated_options *options,
                                        graze_link_distance *result) {
    if (!result || gz_sized_check(NULL, "link distance", result, DISTANCE_LEAST) != GRAZE_OK)
        return GRAZE_ERR_INVALID_ARGUMENT;
    gz_sized_write(result, &closed, sizeof closed);
    if (!context) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_fp_environment env;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    graze_articulated_options asked;
    graze_link_distance found = graze_default_link_distance();
    gz_pieces written = gz_bytes_at(result, result->struct_size);
    status = gz_motions_check(context, models, count, motions, 1, written, options, &asked);
    if (status == GRAZE_OK) status = measure(context, models, count, motions, &asked, &found);
    if (status == GRAZE_OK) gz_sized_write(result, &found, sizeof found);
    return gz_context_leave(context, &env, status);
}
