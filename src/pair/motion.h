/* One pair as the scalar part of `certified` sees it: scaled differences, probes and closest
   points. Scaling by a power of two brings every difference and the separation to at most 1. */
#ifndef GZ_PAIR_MOTION_H
#define GZ_PAIR_MOTION_H

#include "pair/probe.h"

#include <stdbool.h>

static GZ_INLINE double gz_clamp01(double x) { return x > 0 ? x < 1 ? x : 1 : 0; }

/* A power of two that brings m into [1/2, 1), or as near as one factor can. */
static GZ_INLINE double gz_scale_for(double m) {
    int exponent;
    frexp(m, &exponent);
    if (exponent < -1000) exponent = -1000;
    return ldexp(1.0, -exponent);
}

typedef struct gz_motion {
    graze_kind kind;
    int count;          /* of differences */
    v_vec w0[4], w1[4]; /* at t = 0 and t = 1 */
    v_vec size;         /* largest |component| of them */
    double largest;     /* of the three */
    double separation;
    double surplus; /* what was added to the separation when it was rounded up */
    double scale;   /* what coordinates were multiplied by */
    bool thick;     /* each difference has its own distance that counts as contact, at most the separation */
    double reach[4];
    /* vertex–face: edges from corner 0 and the vertex from there; edge–edge: the edges, and b0 - a0. At both ends */
    v_vec e1[2], e2[2], q[2];
} gz_motion;

GZ_PAIR_FN void gz_motion_make(gz_motion *pair, graze_kind kind, const graze_query *query, double separation);

/* The direction that a probe takes from time t. */
GZ_PAIR_FN v_vec gz_motion_direction(const gz_motion *pair, double t);

/* Closest points at time t: parameters, and the vector from a to b. Approximate. */
GZ_PAIR_FN v_vec gz_motion_closest(const gz_motion *pair, double t, double *u, double *v);

/* Two points of the primitives whose vector was computed as `between` are proven to be within `reach`. */
static GZ_INLINE bool gz_motion_proves_reach(v_vec between, double reach) {
    double slack = reach * GZ_DISTANCE_SLACK + GZ_DISTANCE_SLACK * GZ_DISTANCE_SLACK;
    return reach > 0 && vec_dot(between, between) + slack <= reach * reach;
}

/* True when the distance at time t is proven to be at most the separation and `more`. */
GZ_PAIR_FN bool gz_motion_within(const gz_motion *pair, double t, double more, double *u, double *v);

/* One probe of the pair along n, thick or not. */
static GZ_INLINE double gz_motion_advance(const gz_motion *pair, v_vec n, double t) {
    return pair->thick ? probe_advance_thick(pair->w0, pair->w1, pair->count, pair->size, n, t, pair->reach)
                       : probe_advance(pair->w0, pair->w1, pair->count, pair->size, n, t, pair->separation);
}

/* Largest time that one of the six axis directions proves free from t = 0; unscaled and at full relative accuracy, so
   that it is at least (1 - 2^-48) times the time at which the exact boxes along that axis meet. `axis` may be NULL: 2 c
   for coordinate c, 2 c + 1 for its negative. `radii` is NULL or has one for each row. */
GZ_PAIR_FN double gz_axis_free_time(graze_kind kind, const graze_query *query, double separation, const double *radii,
                                    int *axis);

#endif
