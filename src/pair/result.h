/* Results until something is proven, and of what is clear. */
#ifndef GZ_PAIR_RESULT_H
#define GZ_PAIR_RESULT_H

#include "graze/query.h"

#include "base/platform.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* { UNRESOLVED, toi 0, toi_upper INFINITY, the rest NaN }: what a result is until something is proven.
   No constant is copied: gcc 12 with AVX-512 copies one of this size by two stores of 64 bytes, and fills all of the
   second with the NaN that most of it holds. The bytes of the padding are set, too: results are compared as bytes. */
static GZ_INLINE void gz_result_unresolved(graze_result *result, graze_reason reason) {
    memset(result, 0, offsetof(graze_result, toi));
    result->verdict = GRAZE_UNRESOLVED;
    result->reason = reason;
    result->toi = 0;
    result->toi_upper = INFINITY;
    result->u = result->v = NAN;
    for (int c = 0; c < 3; c++) result->point[c] = result->normal[c] = NAN;
    result->checks = 0;
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
