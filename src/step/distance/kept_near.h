/* Pairs that are kept from one state to the next: while no coordinate has moved far, every pair that is near is among
   them. docs/numerics.md, section 8. */
#ifndef GZ_STEP_KEPT_NEAR_H
#define GZ_STEP_KEPT_NEAR_H

#include "step/list.h"

/* NULL, or the pairs among which all are that are within the call's separation; `radii` are the caller's. */
const graze_pair *gz_near_among(const gz_step_call *call, const double *radii, size_t *count);

/* After NULL: how much farther to look, that the pairs serve later calls; 0 where that does not pay. */
double gz_keep_near_margin(const gz_step_call *call);

/* Keeps the state, and the pairs within the call's separation if a list is given. Without memory nothing is kept. */
void gz_keep_near(const gz_step_call *call, const double *radii, const gz_pair_list *list);

#endif
