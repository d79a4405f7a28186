/* Pairs that are plainly apart over a window: what a step asks before anything else, in float and from positions
   in float, so that reading a pair costs a third of what it costs in double. It settles most pairs of a mesh whose
   boxes overlap at rest. What it leaves is asked as if it had not been: no bit of an answer depends on it.
   docs/numerics.md, section 4.14. */
#ifndef GZ_NARROW_FAR_H
#define GZ_NARROW_FAR_H

#include "kernels/kernels.h"

#include <stdint.h>

typedef struct gz_far_job {
    const float (*ends)[8]; /* of each vertex at both ends of the window, as the view of the boxes has it: x, y, z, 0 */
    const uint32_t (*faces)[3], (*edges)[2];
    float slack; /* GZ_FAR_SLACK times the largest coordinate */
    float reach; /* separation and tolerance, in the view, rounded up */
} gz_far_job;

#endif
