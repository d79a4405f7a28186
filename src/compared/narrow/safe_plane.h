/* Planes that keep a pair apart: for a fixed direction the gap is a minimum of affine functions of time, so its two
   ends bound it between them. */
#ifndef GZ_COMPARED_NARROW_SAFE_PLANE_H
#define GZ_COMPARED_NARROW_SAFE_PLANE_H

#include "compared/narrow/safe_real.h"

/* The pair as three differences, at t = 0, at t = T, and the largest size of each component in [0, 1], summed.
   VF: p = vertex − f0, q = f1 − f0, r = f2 − f0; the vertex is p, p − q, p − r away from the corners.
   EE: p = b0 − a0, q = a1 − a0, r = b1 − b0; the ends are p, p − q, p + r, p − q + r apart.
   PE: p = point − e0, q = e1 − e0, r = 0. PP: p = a − b, q = r = 0. */
typedef struct differences {
    bool edges;
    real end; /* T */
    vec p[2], q[2], r[2];
    vec largest;
} differences;

enum { GAPS = 4 };

/* Components of the differences along n at the start (0) or the end (1). */
static inline void gaps_along(const differences *d, int at, vec n, real gap[GAPS]) {
    real p = vec_dot(n, d->p[at]), q = vec_dot(n, d->q[at]), r = vec_dot(n, d->r[at]);
    gap[0] = p;
    gap[1] = p - q;
    gap[2] = d->edges ? p + r : p - r;
    gap[3] = d->edges ? p - q + r : p;
}

/* Error of a gap: 11.2u Σ |n| M, see docs/numerics.md, 6.8. */
static inline real gap_slack(const differences *d, vec n) {
    return 8 * EPS * vec_dot(vec_abs(n), d->largest) + REAL_TINY;
}

static inline real least_gap(const real gap[GAPS]) {
    return real_min(real_min(gap[0], gap[1]), real_min(gap[2], gap[3]));
}
static inline real largest_gap(const real gap[GAPS]) {
    return real_max(real_max(gap[0], gap[1]), real_max(gap[2], gap[3]));
}

/* True when a plane with normal n keeps the pair apart from 0 to T. */
static inline bool plane_keeps_apart(const differences *d, vec n) {
    real slack = gap_slack(d, n), start[GAPS], end[GAPS];
    gaps_along(d, 0, n, start);
    gaps_along(d, 1, n, end);
    return (least_gap(start) > slack && least_gap(end) > slack) ||
           (largest_gap(start) < -slack && largest_gap(end) < -slack);
}

/* A time up to which a plane with normal n keeps the pair apart; 0 when it does not from the start. */
static inline real safe_time(const differences *d, vec n) {
    real slack = 2 * gap_slack(d, n), start[GAPS], end[GAPS];
    gaps_along(d, 0, n, start);
    gaps_along(d, 1, n, end);
    real sign = start[0] > 0 ? 1 : -1, t = d->end;
    for (int i = 0; i < GAPS; i++) {
        real a = sign * start[i], b = sign * end[i];
        if (!(a > slack)) return 0;
        if (b > slack) continue;
        real reached = d->end * ((a - slack) / (a - b)) * (1 - 8 * EPS);
        t = real_min(t, reached);
    }
    return t < TIME_TINY ? 0 : t;
}

#endif
