/* Closest points of two primitives that stand still, in plain floating point: a direction to prove things with, or a
   distance to start from. Nothing rests on their accuracy. */
#ifndef GZ_PAIR_CLOSEST_DIRECTION_H
#define GZ_PAIR_CLOSEST_DIRECTION_H

#include "graze/query.h"

/* Not a bound, but a choice: points whose squared distance, for a pair scaled to about 1, is less are too close to tell
   a direction. */
#define GZ_CLOSEST_TELLS 0x1p-60

/* A direction from the first primitive towards the second: between the closest points, or, where these are too close
   to tell, across the face or both edges. x as the rows of a query. */
void gz_closest_direction(graze_kind kind, const double (*x)[3], double n[3]);

/* Distance of the closest points. */
double gz_closest_distance(graze_kind kind, const double (*x)[3]);

#endif
