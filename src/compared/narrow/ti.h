/* Tight Inclusion: what its kernels and the file that calls them share. */
#ifndef GZ_COMPARED_NARROW_TI_H
#define GZ_COMPARED_NARROW_TI_H

#include "compared/narrow/ti_pair.h"
#include "narrow/method.h"

/* Outcome of a search. HIT: no contact before `toi`, and a box of the tolerance's size there that may hold one. */
typedef struct gz_ti_outcome {
    graze_verdict verdict;
    graze_reason reason;
    double toi;
    uint64_t checks, splits;
} gz_ti_outcome;

/* Boxes looked at together. Fixed, so that pruning, and with it every count, is the same for every vector width. */
#define GZ_TI_CHUNK 8
/* Boxes of a level that may be cut; where there are more, the search goes on slab by slab, then box by box. A fixed
   number, so that no limit on memory changes an answer. */
#define GZ_TI_MOST_KEPT 1024
#define GZ_TI_MOST_LOOKED_AT (2 * GZ_TI_MOST_KEPT + GZ_TI_CHUNK)

/* Memory that a search works in, 72 KiB: lower corners of boxes, in the order of time. */
typedef struct gz_ti_room {
    struct gz_ti_level {
        double t[GZ_TI_MOST_LOOKED_AT], u[GZ_TI_MOST_LOOKED_AT], v[GZ_TI_MOST_LOOKED_AT];
    } level;
    struct gz_ti_kept {
        double t[GZ_TI_MOST_KEPT], u[GZ_TI_MOST_KEPT], v[GZ_TI_MOST_KEPT];
    } kept;
} gz_ti_room;

#endif
