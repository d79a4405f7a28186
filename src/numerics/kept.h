/* Pairs that keep a part of their own start distance (relative_separation): what one keeps, and the most that one which
   stops in a window can have to keep. What a GPU runs, too; docs/numerics.md, sections 3 and 8. */
#ifndef GZ_NUMERICS_KEPT_H
#define GZ_NUMERICS_KEPT_H

#include "base/platform.h"
#include "numerics/error_bounds.h"

#include "graze/query.h"

#include <stdbool.h>

/* The part of its computed distance where that is more than the separation of all; less than all of its distance,
   whatever the rounding. `size` is the largest difference of two of its coordinates on one axis at the start. */
static GZ_INLINE double gz_kept_separation(double distance, double size, double part, double separation) {
    double slack = GZ_CLOSEST_SLACK * size + GZ_CLOSEST_TINY;
    double kept = part * (distance - slack);
    if (kept > GRAZE_MAX_COORDINATE) kept = GRAZE_MAX_COORDINATE;
    return kept > separation ? kept : separation;
}

/* A step as the bound sees it: motion is the largest |x1 - x0| of a vertex on an axis, span the largest difference of
   the start of one from that of the first. */
typedef struct gz_kept_step {
    double part, separation, tolerance, motion, span;
} gz_kept_step;

/* A distance that no pair with a toi in [0, window] has to keep more than: the separation of all pairs, or what follows
   from the motion up to there. */
static GZ_INLINE double gz_kept_bound(const gz_kept_step *step, double window) {
    double least = GZ_KEPT_TOLERANCE * step->span, tolerance = step->tolerance > least ? step->tolerance : least;
    double gone = 2 * (GZ_KEPT_DIAGONAL * (window * step->motion));
    double most = step->part / (1 - step->part) * (gone + tolerance) * GZ_KEPT_UP + GZ_KEPT_TINY;
    if (most < step->separation) most = step->separation;
    return most < GRAZE_MAX_COORDINATE ? most : GRAZE_MAX_COORDINATE;
}

/* False where boxes would grow by more than vertices move, and a window is of no use. */
static GZ_INLINE bool gz_kept_pays(double part, double window, double t_max) {
    return 2 * part * window < (1 - part) * t_max;
}

#endif
