/* Tight Inclusion: what its kernels and the file that calls them share. */
#ifndef GZ_NARROW_TI_H
#define GZ_NARROW_TI_H

#include "narrow/method.h"

/* What a search found. HIT: no contact before `toi`, and a box of the tolerance's size there that may hold one. */
typedef struct gz_ti_outcome {
    graze_verdict verdict;
    graze_reason reason;
    double toi;
    uint64_t checks, splits;
} gz_ti_outcome;

typedef void gz_ti_search(const gz_narrow_call *call, const graze_query *query, gz_ti_outcome *outcome);

gz_ti_search gz_ti_search_scalar, gz_ti_search_avx2, gz_ti_search_avx512, gz_ti_search_neon;

/* The difference A − B of the two primitives on one axis is (p + t·dp) + u·(q + t·dq) + v·(r + t·dr). Exposed for the
   tests, which hold its corner values against exact ones. */
typedef struct gz_ti_pair {
    double p[4], dp[4], q[4], dq[4], r[4], dr[4];
    double reach[4];   /* the filter, plus the separation: a box that stays farther than this from 0 holds no contact */
    double stretch[3]; /* how far F moves, at most, along t, u and v */
} gz_ti_pair;

typedef void gz_ti_prepare(graze_kind kind, const graze_query *query, double separation, gz_ti_pair *pair);
/* Smallest and largest corner of F on one axis over the box of lower corner (t, u, v) and the given widths. */
typedef void gz_ti_range(const gz_ti_pair *pair, int axis, const double corner[3], const double width[3],
                         double range[2]);

gz_ti_prepare gz_ti_prepare_scalar, gz_ti_prepare_avx2, gz_ti_prepare_avx512, gz_ti_prepare_neon;
gz_ti_range gz_ti_range_scalar, gz_ti_range_avx2, gz_ti_range_avx512, gz_ti_range_neon;

#endif
