/* Narrowing a proven bracket to adjacent doubles, in double-double. */
#ifndef GZ_PAIR_ADJACENT_H
#define GZ_PAIR_ADJACENT_H

#include "pair/volume.h"

/* Without a separation: f has the sign `sign` at *lower and the other at *upper, and a root between them is a contact.
   On success that root is the only one and lies strictly between the adjacent doubles *lower < *upper. */
GZ_PAIR_FN bool gz_adjacent_volume(const gz_motion *pair, const graze_query *query, const gz_volume *volume, int sign,
                                   double *lower, double *upper);

/* Narrows a bracket with a separation: the pair is free up to *lower, and within the separation at *upper, both proven.
   On success the new, adjacent bounds are proven too. `volume` is read for vertex–face and edge–edge. */
GZ_PAIR_FN bool gz_adjacent_distance(const gz_motion *pair, const graze_query *query, const gz_volume *volume,
                                     double *lower, double *upper);

#endif
