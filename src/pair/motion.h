/* One pair as the scalar part of `certified` sees it: scaled differences, the volume polynomial, the inside test, and
   closest points. Scaling by a power of two brings every difference and the separation to at most 1. */
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
/* The same with a radius for each row. */
GZ_PAIR_FN void gz_motion_make_thick(gz_motion *pair, graze_kind kind, const graze_query *query, double separation,
                                     const double *radii);

/* The largest radius of a and of b; true when it is that of all their points. */
GZ_PAIR_FN bool gz_largest_radii(graze_kind kind, const double *radii, double most[2]);
/* separation + radius_a + radius_b, not rounded down. */
GZ_PAIR_FN double gz_reach_of(double separation, double radius_a, double radius_b);
/* separation + radii[0] + radii[1] rounded up, and what that added, to a relative error of a few u. */
GZ_PAIR_FN double gz_reach_up(double separation, const double radii[2], double *surplus);

/* f(t) = <e1 x e2, q>, zero where the four points lie in a plane: Bernstein coefficients on [0, 1], and what each of
   them, on any part of [0, 1], is off by at most. Vertex–face and edge–edge. |f| > separation |N|, N = e1 x e2, means
   that the vertex is farther than that from the plane of the face, or the lines of the edges from each other. */
typedef struct gz_volume {
    double c[4];
    double slack;
    double area, size; /* m1 m2 and m1 m2 mq, the products of the largest components of e1, e2 and q */
    double separation;
    v_vec n[3]; /* Bernstein coefficients of N */
    double normal_slack;
} gz_volume;

GZ_PAIR_FN void gz_volume_make(gz_volume *volume, const gz_motion *pair);
GZ_PAIR_FN double gz_volume_at(const gz_volume *volume, double t);

/* Moves *t to a time such that |f| > separation |N| on [*t old, *t new]; 1 when that holds up to 1. Returns the proven
   sign of f there, 0 (and *t as it was) when it cannot be told. `checks` counts the steps, up to `max_checks`. */
GZ_PAIR_FN int gz_volume_advance(const gz_volume *volume, double *t, uint64_t *checks, uint64_t max_checks);

/* Where on the primitives a contact is. */
typedef struct gz_contact {
    double u, v;
    v_vec normal; /* from b towards a, any length */
} gz_contact;

/* f has the proven sign `sign` at t, and the pair does not touch before t. Looks for a time *upper > t with the other
   sign such that the contact is strictly inside both primitives all the way: then they touch in (t, *upper]. */
GZ_PAIR_FN bool gz_volume_hit(const gz_motion *pair, const gz_volume *volume, double t, int sign, double *upper,
                              gz_contact *contact);
/* The same for a given *upper. */
GZ_PAIR_FN bool gz_volume_hit_by(const gz_motion *pair, const gz_volume *volume, double t, int sign, double upper,
                                 gz_contact *contact);

/* The direction that a probe takes from time t. */
GZ_PAIR_FN v_vec gz_motion_direction(const gz_motion *pair, double t);

/* Directions for a pair so close that rounding turns that one: orthogonal to an edge, or to both edges, to the last
   bits. Returns how many. */
GZ_PAIR_FN int gz_careful_directions(const gz_motion *pair, const graze_query *query, double t, v_vec n[5]);

/* gz_motion_within where the closest points are inside both primitives and rounding hides it; not for pairs that are
   `thick`. */
GZ_PAIR_FN bool gz_careful_within(const gz_motion *pair, const graze_query *query, double t, double more);

/* Closest points at time t: parameters, and the vector from a to b. Approximate. */
GZ_PAIR_FN v_vec gz_motion_closest(const gz_motion *pair, double t, double *u, double *v);

/* Two points of the primitives whose vector was computed as `between` are proven to be within `reach`. */
static GZ_INLINE bool gz_motion_proves_reach(v_vec between, double reach) {
    double slack = reach * GZ_DISTANCE_SLACK + GZ_DISTANCE_SLACK * GZ_DISTANCE_SLACK;
    return reach > 0 && vec_dot(between, between) + slack <= reach * reach;
}

/* True when the distance at time t is proven to be at most the separation and `more`. */
GZ_PAIR_FN bool gz_motion_within(const gz_motion *pair, double t, double more, double *u, double *v);

/* The same for a pair that is `thick`; gz_motion_* call them. The gap is the distance left beyond separation and radii.
 */
GZ_PAIR_FN v_vec gz_thick_direction(const gz_motion *pair, double t);
GZ_PAIR_FN v_vec gz_thick_closest(const gz_motion *pair, double t, double *u, double *v);
GZ_PAIR_FN bool gz_thick_within(const gz_motion *pair, double t, double more, double *u, double *v);
GZ_PAIR_FN double gz_thick_gap(const gz_motion *pair, double t);
/* A lower bound of separation and radii at the points with these parameters, of a scaled pair. */
GZ_PAIR_FN double gz_thick_reach(const gz_motion *pair, double u, double v);

/* Of a pair at rest whose rows have radii: a good direction from a to b, of length 1 or zero, and the distance that the
   radii leave, negative where they overlap. Both approximate. */
GZ_PAIR_FN void gz_thick_start_direction(graze_kind kind, const double (*x)[3], const double *radii, double separation,
                                         double n[3]);
GZ_PAIR_FN double gz_thick_start_distance(graze_kind kind, const double (*x)[3], const double *radii);

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
