/* Facts of the kinds of pairs. */
#ifndef GZ_NUMERICS_KIND_H
#define GZ_NUMERICS_KIND_H

#include "graze/query.h"

#define GZ_KINDS 4

/* Rows of a query that a kind reads, and how many of them, the first ones, are those of a. */
static inline int gz_kind_rows(graze_kind kind) { return kind == GRAZE_PP ? 2 : kind == GRAZE_PE ? 3 : 4; }
static inline int gz_kind_rows_of_a(graze_kind kind) { return kind == GRAZE_EE ? 2 : 1; }

#endif
