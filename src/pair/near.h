/* Pairs at rest that are within a distance of each other: the distance of one, whether it is near, and all that is told
   of it. What a GPU runs, too; docs/numerics.md, section 8. */
#ifndef GZ_PAIR_NEAR_H
#define GZ_PAIR_NEAR_H

#include "graze/proximity.h"

#include "numerics/closest.h"
#include "numerics/error_bounds.h"
#include "pair/swept.h"

/* ---- its distance ---- */

/* The bits of the rows from `first` on whose weights are not 0. */
static GZ_PAIR_FN inline graze_feature gz_feature_of(const gz_closest *at, int first, int rows) {
    unsigned bits = 0;
    for (int i = 0; i < rows; i++) bits |= (unsigned)(at->weight[first + i] != 0) << i;
    return (graze_feature)bits;
}

/* Reports the closest points, their vector in the units of the caller. */
static GZ_PAIR_FN inline void gz_tell_closest(graze_kind kind, const gz_closest *at, double distance,
                                              graze_distance_result *result) {
    int in_a = gz_kind_rows_of_a(kind);
    result->value = distance;
    result->u = gz_closest_u(kind, at);
    result->v = gz_closest_v(kind, at);
    for (int i = 0; i < 4; i++) result->weights[i] = at->weight[i];
    for (int c = 0; c < 3; c++) result->vector[c] = at->vector.c[c];
    result->feature[0] = gz_feature_of(at, 0, in_a);
    result->feature[1] = gz_feature_of(at, in_a, gz_kind_rows(kind) - in_a);
}

/* The bits of graze_distance. Rows of a query, finite and at most GRAZE_MAX_COORDINATE. */
static GZ_PAIR_FN inline void gz_measure(graze_kind kind, const gz_vec3 rows[4], graze_distance_result *result) {
    gz_vec3 x[4] = {rows[0], rows[1], rows[2], rows[3]};
    int exponent = gz_closest_scale(kind, x);
    gz_closest at = gz_closest_points(kind, x);
    at.vector = gz_closest_scaled(at.vector, exponent);
    gz_tell_closest(kind, &at, ldexp(sqrt(at.squared), exponent), result);
}

/* ---- whether it is near ---- */

typedef enum gz_nearness { GZ_APART, GZ_NEAR, GZ_NEAR_OR_NOT } gz_nearness;

/* Decides by the computed distance where its error leaves no doubt. `size` is the largest difference of two coordinates
   of the pair on one axis; `most` are the largest radii of a and of b. */
static GZ_PAIR_FN inline gz_nearness gz_nearness_of(double distance, double size, double reach, const double most[2]) {
    double slack = GZ_CLOSEST_SLACK * size + GZ_CLOSEST_TINY;
    double least = gz_sub_down(gz_sub_down(reach, -most[0]), -most[1]);
    if (distance + slack <= least) return GZ_NEAR;
    return distance - slack > gz_add_up(gz_add_up(reach, most[0]), most[1]) ? GZ_APART : GZ_NEAR_OR_NOT;
}

/* ---- what is told of it ---- */

static GZ_PAIR_FN inline int gz_corners_of(graze_feature feature) {
    return (feature & 1) + (feature >> 1 & 1) + (feature >> 2 & 1);
}

static GZ_PAIR_FN inline graze_proximity_type gz_proximity_type_of(const graze_feature feature[2]) {
    int a = gz_corners_of(feature[0]), b = gz_corners_of(feature[1]);
    if (a == 2 && b == 2) return GRAZE_PROXIMITY_EE;
    return a * b == 3 ? GRAZE_PROXIMITY_VF : a * b == 2 ? GRAZE_PROXIMITY_VE : GRAZE_PROXIMITY_VV;
}

/* A pair that is near, by the vertices of its rows, those that the kind has; out->distance is that of it. */
static GZ_PAIR_FN inline void gz_near_tell(graze_pair pair, const uint32_t ids[4], double reach, const double most[2],
                                           graze_proximity_pair *out) {
    out->pair = pair;
    for (int i = 0; i < 4; i++) out->vertices[i] = i < gz_kind_rows(pair.kind) ? ids[i] : 0;
    out->offset = gz_add_up(most[0], most[1]);
    /* the exact distance is at most this: what is computed to be more is wrong by rounding */
    double limit = gz_add_up(reach, out->offset);
    if (out->distance.value > limit) out->distance.value = limit;
    out->type = gz_proximity_type_of(out->distance.feature);
}

#endif
