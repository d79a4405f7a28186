/* The hull of a cubic's control points, which the cubic lies in. */
#ifndef GZ_NUMERICS_HULL_H
#define GZ_NUMERICS_HULL_H

#include "numerics/error_bounds.h"

#include "base/platform.h"

/* The time at which the hull of the points (k/3, g_k) first falls to zero: on a line from a point above to a later one
   that is not, and no such line does so earlier. 2 if all are above; nothing is said if the first is not. Rounded:
   times GZ_CLIP_DOWN it is not late. */
static GZ_PAIR_FN inline double gz_hull_falls(const double g[4]) {
    double first = 2;
    for (int j = 1; j < 4; j++)
        for (int i = 0; i < j && !(g[j] > 0); i++) {
            if (!(g[i] > 0)) continue;
            double at = (i + (j - i) * (g[i] / (g[i] - g[j]))) * (1.0 / 3);
            first = at < first ? at : first;
        }
    return first;
}

/* Part of the way, proven, up to which a cubic with g_0 > 0 is above zero; 1 for all of it. */
static GZ_PAIR_FN inline double gz_part_above_zero(const double g[4]) {
    double at = gz_hull_falls(g);
    return at < 1 ? at * GZ_CLIP_DOWN : at > 1 ? 1 : GZ_CLIP_DOWN;
}

#endif
