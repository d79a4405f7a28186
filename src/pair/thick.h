/* Pairs whose rows have radii of their own. */
#ifndef GZ_PAIR_THICK_H
#define GZ_PAIR_THICK_H

#include "pair/motion.h"

/* gz_motion_make with a radius for each row. */
GZ_PAIR_FN void gz_motion_make_thick(gz_motion *pair, graze_kind kind, const graze_query *query, double separation,
                                     const double *radii);

/* The largest radius of a and of b; true when it is that of all their points. */
GZ_PAIR_FN bool gz_largest_radii(graze_kind kind, const double *radii, double most[2]);
/* separation + radius_a + radius_b, not rounded down. */
GZ_PAIR_FN double gz_reach_of(double separation, double radius_a, double radius_b);
/* separation + radii[0] + radii[1] rounded up, and what that added, to a relative error of a few u. */
GZ_PAIR_FN double gz_reach_up(double separation, const double radii[2], double *surplus);

/* gz_motion_direction, _closest and _within of a pair that is `thick`; they call these. The gap is the distance left
   beyond separation and radii. */
GZ_PAIR_FN v_vec gz_thick_direction(const gz_motion *pair, double t);
GZ_PAIR_FN v_vec gz_thick_closest(const gz_motion *pair, double t, double *u, double *v);
GZ_PAIR_FN bool gz_thick_within(const gz_motion *pair, double t, double more, double *u, double *v);
GZ_PAIR_FN double gz_thick_gap(const gz_motion *pair, double t);
/* A lower bound of separation and radii at the points with these parameters, of a scaled pair. */
GZ_PAIR_FN double gz_thick_reach(const gz_motion *pair, double u, double v);

/* Gives a good direction from a to b, of length 1 or zero, for a pair at rest whose rows have radii, and the distance
   that the radii leave, negative where they overlap. Both are approximate. */
GZ_PAIR_FN void gz_thick_start_direction(graze_kind kind, const double (*x)[3], const double *radii, double separation,
                                         double n[3]);
GZ_PAIR_FN double gz_thick_start_distance(graze_kind kind, const double (*x)[3], const double *radii);

#endif
