/* Derivatives of the gap of two links with respect to joint values. */
#ifndef GZ_ARTICULATED_DISTANCE_GRADIENT_H
#define GZ_ARTICULATED_DISTANCE_GRADIENT_H

#include "articulated/distance/gap_list.h"

/* Variables of the derivatives: the values of all models, one after the other. */
typedef struct gz_values {
    gz_motions motions;  /* where rotation vectors begin: the search stands there */
    const size_t *first; /* of each model */
    size_t count;
} gz_values;

/* The unit vector from the second link to the first, in the world; NaN where faces are not proven apart. */
gz_vec3 gz_gap_normal(gz_frames *frames, const gz_listed_gap *gap);

/* Into gradient[0 … count); `room` is for 2·count numbers. NaN where a component is not unique. */
void gz_gap_gradient(gz_search *search, const gz_values *values, const gz_listed_gap *gap, double *gradient,
                     double *room);

/* Of two links with a common point and a normal, from the second to the first: derivatives of their gap, and how fast
   the point moves, each for all values. */
void gz_contact_gradient(gz_search *search, const gz_values *values, uint32_t first, uint32_t second, gz_vec3 point,
                         gz_vec3 normal, double *gradient, double *speed);

#endif
