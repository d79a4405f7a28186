/* Results until something is proven, and of what is clear. */
#ifndef GZ_PAIR_RESULT_H
#define GZ_PAIR_RESULT_H

#include "graze/query.h"

#include "base/platform.h"

#include <math.h>
#include <string.h>

/* { UNRESOLVED, toi 0, toi_upper INFINITY, the rest NaN }: what a result is until something is proven. */
static GZ_INLINE void gz_result_unresolved(graze_result *result, graze_reason reason) {
    /* a copy: filling in the fields one by one takes several times as long, and leaves the padding open */
    static const graze_result nothing = {GRAZE_UNRESOLVED, GRAZE_REASON_NONE, 0, 0, INFINITY, NAN, NAN,
                                         {NAN, NAN, NAN},  {NAN, NAN, NAN},   0};
    memcpy(result, &nothing, sizeof nothing);
    result->reason = reason;
}

/* Free up to t_max; the checks that it took stay. */
static GZ_INLINE void gz_result_clear(graze_result *result, double t_max) {
    uint64_t checks = result->checks;
    gz_result_unresolved(result, GRAZE_REASON_NONE);
    result->verdict = GRAZE_CLEAR;
    result->toi = t_max;
    result->checks = checks;
}

#endif
