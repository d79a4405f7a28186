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

/* The difference A − B of the two primitives on one axis is (p + t·dp) + u·(q + t·dq) + v·(r + t·dr). Exposed for the
   tests, which hold its corner values against exact ones. */
typedef struct gz_ti_pair {
    double p[4], dp[4], q[4], dq[4], r[4], dr[4];
    double reach[4];   /* the filter, plus the separation: a box that stays farther than this from 0 holds no contact */
    double stretch[3]; /* how far F moves, at most, along t, u and v */
} gz_ti_pair;

/* Boxes looked at together. Fixed, so that pruning, and with it every count, is the same for every vector width. */
#define GZ_TI_CHUNK 8
/* Boxes of a level that may be cut; where there are more, the search goes on slab by slab, then box by box. A fixed
   number, so that no limit on memory changes an answer. */
#define GZ_TI_MOST_KEPT 1024
#define GZ_TI_MOST_LOOKED_AT (2 * GZ_TI_MOST_KEPT + GZ_TI_CHUNK)

/* What a search works in, 72 KiB: lower corners of boxes, in the order of time. */
typedef struct gz_ti_room {
    struct gz_ti_level {
        double t[GZ_TI_MOST_LOOKED_AT], u[GZ_TI_MOST_LOOKED_AT], v[GZ_TI_MOST_LOOKED_AT];
    } level;
    struct gz_ti_kept {
        double t[GZ_TI_MOST_KEPT], u[GZ_TI_MOST_KEPT], v[GZ_TI_MOST_KEPT];
    } kept;
} gz_ti_room;

#endif
