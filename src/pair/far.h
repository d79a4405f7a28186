/* Pairs that are plainly apart over a window: what a step asks before anything else, in float and from positions
   in float, so that reading a pair costs a third of what it costs in double. It settles most pairs of a mesh whose
   boxes overlap at rest. What it leaves is asked as if it had not been: no bit of an answer depends on it.
   docs/numerics.md, section 4.14. */
#ifndef GZ_PAIR_FAR_H
#define GZ_PAIR_FAR_H

#include "numerics/error_bounds.h"
#include "pair/pair.h"

#include <stdint.h>

typedef struct gz_far_job {
    const float (*ends)[8]; /* of each vertex at both ends of the window, as the view of the boxes has it: x, y, z, 0 */
    const uint32_t (*faces)[3], (*edges)[2];
    float slack;   /* gz_far_slack of the largest coordinate */
    float reach;   /* gz_far_reach of separation and tolerance, in the view */
    bool quarters; /* what is left is looked at once more, each quarter of the window by itself */
} gz_far_job;

/* Not below x, whatever the roundings that led to it. */
static GZ_INLINE float gz_float_above(double x) { return nextafterf(gz_float_not_below(x), INFINITY); }

/* `share` of the largest coordinate; where products of coordinates may overflow, what proves nothing. */
static GZ_INLINE float gz_far_slack(float largest, float share) {
    return largest <= GZ_FAR_LARGEST ? largest * share : INFINITY;
}

static GZ_INLINE float gz_far_reach(double reach) { return reach > 0 ? gz_float_above(reach) : 0; }

#endif
