/* The facts of each kind of pair: which rows of a query belong to which side, and which differences stand for it. */
#ifndef GZ_NUMERICS_KIND_H
#define GZ_NUMERICS_KIND_H

#include "graze/query.h"

#include "base/platform.h"

#define GZ_KINDS 4

/* Rows of a query that a kind reads: those of a, then those of b. */
static GZ_INLINE int gz_kind_rows(graze_kind kind) { return kind == GRAZE_PP ? 2 : kind == GRAZE_PE ? 3 : 4; }
static GZ_INLINE int gz_kind_rows_of_a(graze_kind kind) { return kind == GRAZE_EE ? 2 : 1; }

/* A pair is its differences w_k = b_j - a_i: 3 for vertex–face, 4 for edge–edge, 2 for point–edge, 1 for point–point.
 */
static GZ_INLINE int gz_difference_count(graze_kind kind) {
    return kind == GRAZE_VF ? 3 : kind == GRAZE_EE ? 4 : kind == GRAZE_PE ? 2 : 1;
}
/* the rows i and j of difference k */
static GZ_INLINE int gz_difference_from(graze_kind kind, int k) { return kind == GRAZE_EE ? k >> 1 : 0; }
static GZ_INLINE int gz_difference_to(graze_kind kind, int k) { return kind == GRAZE_EE ? 2 + (k & 1) : k + 1; }

#endif
