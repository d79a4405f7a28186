/* Narrowing a proven bracket to adjacent doubles, in double-double. */
#ifndef GZ_PAIR_ADJACENT_H
#define GZ_PAIR_ADJACENT_H

#include "pair/volume.h"

/* Without a separation: f has the sign `sign` at *lower and the other at *upper, and a root between them is a contact.
   On success that root is the only one and lies strictly between the adjacent doubles *lower < *upper. */
GZ_PAIR_FN bool gz_adjacent_volume(const gz_motion *pair, const graze_query *query, const gz_volume *volume, int sign,
                                   double *lower, double *upper);

/* With a separation: free up to *lower, within it at *upper, both proven. On success so are the new, adjacent ones.
   `volume` is read for vertex–face and edge–edge. */
GZ_PAIR_FN bool gz_adjacent_distance(const gz_motion *pair, const graze_query *query, const gz_volume *volume,
                                     double *lower, double *upper);

#endif
