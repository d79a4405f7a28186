/* Pairs so close that rounding turns the directions of plain doubles. */
#ifndef GZ_PAIR_CAREFUL_H
#define GZ_PAIR_CAREFUL_H

#include "pair/motion.h"

/* Directions for a pair so close that rounding turns the plain one: orthogonal to an edge, or to both edges, to the
   last bits. Returns how many. */
GZ_PAIR_FN int gz_careful_directions(const gz_motion *pair, const graze_query *query, double t, v_vec n[5]);

/* gz_motion_within where the closest points are inside both primitives and rounding hides it; not for pairs that are
   `thick`. */
GZ_PAIR_FN bool gz_careful_within(const gz_motion *pair, const graze_query *query, double t, double more);

#endif
