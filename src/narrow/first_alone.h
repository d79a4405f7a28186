/* The first look at one pair alone: the probe of pair/certified_first_kernel.h, with the coordinates of a pair beside
   each other where lanes have no other pair. It settles nine pairs in ten. */
#ifndef GZ_NARROW_FIRST_ALONE_H
#define GZ_NARROW_FIRST_ALONE_H

#include "graze/query.h"

#include <stdbool.h>

/* True if the first probe proves the pair apart for the whole step: then it is true of the probe in lanes, too, whose
   operations these are. False may also mean that this machine or this kind has no such look. `separation` as
   gz_float_not_below gives it. */
bool gz_first_alone(graze_kind kind, const graze_query *query, float separation);

#endif
