/* The derivative of a least distance with respect to the joint values at its time. */
#ifndef GZ_ARTICULATED_CLEARANCE_CLEAR_GRADIENT_H
#define GZ_ARTICULATED_CLEARANCE_CLEAR_GRADIENT_H

#include "articulated/clearance/clear_pair.h"
#include "articulated/search.h"

/* True if values are plain functions of time that derivatives are known of: GRAZE_ERR_UNSUPPORTED else. The search has
   begun with these motions. */
graze_status gz_clear_check_gradients(const gz_search *search, gz_motions motions);

/* All joint values of one motion at time t, one body's after the other's; `first` has the place of each body's. */
void gz_clear_values_at(const gz_search *search, gz_motions motions, const size_t *first, double t, double *values);

/* Into gradient[0 … count), at the pose `values`; `room` is for 2·count numbers. The search then stands there. */
graze_status gz_clear_gradient(gz_search *search, const gz_clear_pair *pair, const size_t *first, size_t count,
                               const double *values, double *gradient, double *room);

#endif
