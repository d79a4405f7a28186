/* Small sums and quotients of this room whose roundings have a side; docs/numerics.md, sections 9.4 to 9.6. */
#ifndef GZ_MOTION_ROUNDING_H
#define GZ_MOTION_ROUNDING_H

#include "numerics/error_bounds.h"

#include "base/platform.h"

#include <math.h>
#include <stdbool.h>

/* A distance that counts as contact, along a vector that gz_unit_of made: at least contact·|n|. */
static inline double gz_contact_along(double contact) { return contact * GZ_UNIT_UP; }

static inline void gz_unit_of(const double v[3], double n[3]) {
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int c = 0; c < 3; c++) n[c] = v[c] / length;
}

/* Not after `wait` later than t, t in [0, 1]; `wait` is at least 2⁻⁶ and may be a rounded quotient. */
static inline double gz_time_after(double t, double wait) { return t + wait * GZ_WAIT_DOWN; }

/* Not more than the length of the vector. */
static inline double gz_length_below(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) * GZ_LENGTH_DOWN - GZ_LENGTH_TINY;
}

/* Separation and both paddings, from below and from above; exact where nothing is added. */
static inline void gz_reach_between(double separation, double a, double b, double *low, double *high) {
    double sum = separation + a + b;
    bool exact = a == 0 && b == 0;
    *low = exact ? sum : sum * GZ_REACH_DOWN;
    *high = exact ? sum : sum * GZ_REACH_UP;
}

/* At least the largest |coordinate| of the interval from center − half to center + half. */
static inline double gz_extent_of(double center, double half) { return (fabs(center) + half) * GZ_EXTENT_UP; }

#endif
