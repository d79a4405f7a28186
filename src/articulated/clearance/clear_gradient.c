/* By Danskin's theorem twice, in points and in time: where the distance is least, it changes as that of the closest
   points does, held fast in their links, at the time held fast. */
#include "articulated/clearance/clear_gradient.h"

#include "articulated/distance/gradient.h"
#include "articulated/world/world.h"

#include <math.h>

static double value_at(const double *values, size_t i) { return values ? values[i] : 0; }

/* ---- values ---- */

static double bezier_at(const double *b, int degree, double t) {
    double c[GRAZE_MAX_DEGREE + 1];
    for (int k = 0; k <= degree; k++) c[k] = b[k];
    for (int level = degree; level > 0; level--)
        for (int k = 0; k < level; k++) c[k] += t * (c[k + 1] - c[k]);
    return c[0];
}

static double motion_at(const graze_motion *motion, size_t i, double t) {
    if (motion->bezier) return bezier_at(motion->bezier + i * (motion->degree + (size_t)1), (int)motion->degree, t);
    if (motion->cubic) return bezier_at(motion->cubic[i], 3, t);
    double from = value_at(motion->from, i);
    return from + t * (value_at(motion->to, i) - from);
}

/* Links that stand have no motion; a body's motion is that of any of its links that move. */
void gz_clear_values_at(const gz_search *search, gz_motions motions, const size_t *first, double t, double *values) {
    const gz_scene *scene = &search->scene;
    for (size_t i = scene->still_count; i < scene->count; i++) {
        const gz_scene_link *link = gz_scene_at(scene, i);
        graze_motion motion = gz_motion_at(motions, link->motion);
        for (int k = 0; k < gz_joint_values(link->link->joint); k++) {
            size_t own = link->link->first_value + (size_t)k;
            values[first[link->model] + own] = motion_at(&motion, own, t);
        }
    }
}

static bool turns_freely(const gz_link *link) {
    return link->joint == GRAZE_JOINT_SPHERICAL || link->joint == GRAZE_JOINT_FREE;
}

/* Rotation vectors that stand, or move straight. */
static bool is_known(const gz_scene_link *link, const graze_motion *motion) {
    if (motion->screws && motion->screws[link->index]) return false;
    if (!turns_freely(link->link) || (motion->rotvecs && motion->rotvecs[link->index])) return true;
    size_t end = link->link->first_value + (size_t)gz_joint_values(link->link->joint);
    for (size_t i = end - 3; i < end; i++)
        if (value_at(motion->from, i) != value_at(motion->to, i)) return false;
    return !motion->turns;
}

graze_status gz_clear_check_gradients(const gz_search *search, gz_motions motions) {
    const gz_scene *scene = &search->scene;
    for (size_t i = scene->still_count; i < scene->count; i++) {
        const gz_scene_link *link = gz_scene_at(scene, i);
        graze_motion motion = gz_motion_at(motions, link->motion);
        if (gz_joint_values(link->link->joint) > 0 && !is_known(link, &motion))
            return gz_fail(scene->context, GRAZE_ERR_UNSUPPORTED, i,
                           "model %u, link %u: no gradient for a screw or a rotation that is not a straight vector",
                           link->model, link->index);
    }
    return GRAZE_OK;
}

/* ---- the gradient ---- */

/* All bodies that move stand at `values`. */
static graze_status stand(gz_search *search, const size_t *first, const double *values, gz_motions *motions) {
    const graze_world *world = search->world;
    for (size_t body = 0; body < world->body_count; body++) {
        uint32_t place = world->motions[body];
        if (place == UINT32_MAX) continue;
        graze_motion still = graze_default_motion();
        still.from = still.to = values + first[body];
        search->motions[place] = still;
    }
    *motions = (gz_motions){(const char *)search->motions, sizeof *search->motions};
    return gz_search_begin(search, *motions);
}

graze_status gz_clear_gradient(gz_search *search, const gz_clear_pair *pair, const size_t *first, size_t count,
                               const double *values, double *gradient, double *room) {
    gz_motions motions;
    graze_status status = stand(search, first, values, &motions);
    if (status != GRAZE_OK) return status;
    gz_frames_window(&search->wide, 0, 0);
    gz_listed_gap listed = {pair->first, pair->second, pair->pair, gz_links_gap(&search->wide, &pair->pair, INFINITY)};
    gz_values of = {motions, first, count};
    gz_gap_gradient(search, &of, &listed, gradient, room);
    return GRAZE_OK;
}
