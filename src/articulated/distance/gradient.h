/* Derivatives of the gap of two links with respect to joint values. */
#ifndef GZ_ARTICULATED_DISTANCE_GRADIENT_H
#define GZ_ARTICULATED_DISTANCE_GRADIENT_H

#include "articulated/distance/list.h"

/* What derivatives are with respect to: the values of all models, one after the other. */
typedef struct gz_values {
    gz_motions motions;  /* that the search stands at the beginning of */
    const size_t *first; /* of each model */
    size_t count;
} gz_values;

/* The unit vector from the second link to the first, in the world; NaN where faces are not proven apart. */
gz_vec3 gz_gap_normal(gz_frames *frames, const gz_listed_gap *gap);

/* Into gradient[0 … count); `room` is for 2·count numbers. NaN where a component is not unique. */
void gz_gap_gradient(gz_search *search, const gz_values *values, const gz_listed_gap *gap, double *gradient,
                     double *room);

#endif
