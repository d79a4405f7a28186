/* The way of a proven time along a pair on cubic curves, from direction to direction. */
#ifndef GZ_NARROW_CURVE_WALK_H
#define GZ_NARROW_CURVE_WALK_H

#include "narrow/curve_pair.h"
#include "pair/look_ahead.h"

typedef struct gz_curve_walk {
    gz_curve curve;
    double t;      /* proven free: from where it began, up to t */
    double end;    /* where it may end */
    double span;   /* time that the next direction is tried on */
    double enough; /* scaled: a gap below it ends the walk; 0: none does */
    uint64_t checks, max_checks;
    gz_curve_probe at; /* the last plain probe */
    gz_look_ahead look;
} gz_curve_walk;

/* From `begin` on; `separation` is that of the proof. */
void gz_curve_walk_open(gz_curve_walk *walk, graze_kind kind, const graze_curve_query *query, double separation,
                        double begin, double end);

/* NONE: all is free up to the end; PRECISION: no direction moves t on any more, or the gap is small enough; BUDGET. */
graze_reason gz_curve_walk_on(gz_curve_walk *walk);

/* The closest points at time t, as parameters of both primitives; approximate. */
void gz_curve_closest(const gz_curve *curve, double t, double *u, double *v);

/* A normal of the face, or of both edges, at time t; approximate. */
v_vec gz_curve_normal(const gz_curve *curve, double t);

/* u, v, point and normal of a hit at time t of the curves. */
void gz_curve_fill(graze_kind kind, const graze_curve_query *query, double t, graze_result *result);

#endif
