/* Positions on the way of a step, and proof that they may be stepped to. */
#ifndef GZ_STEP_STEP_TO_H
#define GZ_STEP_STEP_TO_H

#include "step/call.h"

/* Writes x0 + alpha·(x1 − x0), rounded, to positions with that stride; x0 and x1 themselves for 0 and 1. Whether any
   coordinate differs from x0. */
bool gz_positions_between(const gz_positions *ends, uint32_t count, double alpha, char *x, size_t stride);

/* True if the step from the call's x0 to x is proven clear as a whole. */
graze_status gz_step_is_clear(const gz_step_call *call, const double (*x)[3], bool *clear);

#endif
