/* B-splines over seconds, piece by piece as Bézier values: docs/numerics.md, section 9.7. */
#ifndef GZ_ARTICULATED_WORLD_SPLINE_H
#define GZ_ARTICULATED_WORLD_SPLINE_H

#include "graze/plan.h"

/* NULL, or what is wrong with degree, count and knots. */
const char *gz_spline_fault(const graze_path *path);

double gz_spline_begin(const graze_path *path);
double gz_spline_end(const graze_path *path);

/* The span of knots that holds [begin, end], which has no knot inside: knots[span] ≤ begin < end ≤ knots[span + 1]. */
size_t gz_spline_span(const graze_path *path, double begin);

/* Bézier values on [begin, end] of value `index` of `values`, off by no more than is returned. */
double gz_spline_piece(const graze_path *path, size_t span, size_t index, size_t values, double begin, double end,
                       double *bezier);

/* The time t of the piece between two times, in seconds, no later than it is, or with `way` 1 no earlier. */
double gz_spline_seconds(const double ends[2], double t, double way);

#endif
