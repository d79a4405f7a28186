/* Vertex–vertex and vertex–edge tests: positive for every pair that comes within D, or R, of each other in [0, T]. */
#ifndef GZ_COMPARED_NARROW_SAFE_EDGE_H
#define GZ_COMPARED_NARROW_SAFE_EDGE_H

#include "compared/narrow/safe_cubic.h"
#include "compared/narrow/safe_tolerances.h"

/* `squared` is D² + δ. */
static inline bool vertex_vertex(const moving *q, real squared, real end, real *time) {
    real speed = vec_dot(q->v, q->v);
    real t = speed > 0 ? -vec_dot(q->x, q->v) / speed : 0;
    t = t > 0 ? (t < end ? t : end) : 0;
    vec x = moving_at(q, t);
    *time = t;
    return vec_dot(x, x) <= squared;
}

/* True when an axis keeps vertex and edge more than R apart from t = 0 to 1. */
static inline bool edge_is_far(const moving *q, const moving *e, real radius) {
    vec q1 = vec_add(q->x, q->v), e1 = vec_add(e->x, e->v);
    vec a = vec_sub(q->x, e->x), b = vec_sub(q1, e1);
    vec low = vec_min(vec_min(q->x, q1), vec_min(a, b)), high = vec_max(vec_max(q->x, q1), vec_max(a, b));
    return low.x > radius || low.y > radius || low.z > radius || high.x < -radius || high.y < -radius ||
           high.z < -radius;
}

/* The vertex–edge function and what makes it a distance, at one time: the edge is long enough, the vertex projects onto
   it, and |q × e|₁ <= S |e|∞ + ψ. */
static inline bool near_edge(const moving *q, const moving *e, const tolerances *k, real t) {
    vec qt = moving_at(q, t), et = moving_at(e, t);
    real length2 = vec_dot(et, et), along = vec_dot(qt, et);
    if (!(length2 >= k->lambda2 && along >= 0 && along <= length2)) return false;
    vec c = vec_abs(vec_cross(qt, et));
    return c.x + c.y + c.z - k->slope * vec_size(et) <= k->psi;
}

typedef struct edge_search {
    const moving *q, *e;
    const tolerances *k;
    real end, time;
} edge_search;

/* NaN and times outside are no candidates. */
static inline bool try_time(edge_search *s, real t) {
    if (!(t >= 0 && t <= s->end) || !near_edge(s->q, s->e, s->k, t)) return false;
    s->time = t;
    return true;
}

static inline real unless_small(real x, real rho) { return real_abs(x) <= rho ? 0 : x; }

static inline vec drop_small(vec a, real rho) {
    return (vec){unless_small(a.x, rho), unless_small(a.y, rho), unless_small(a.z, rho)};
}

/* Tries the times at which two components of the edge have the same size. */
static inline bool try_ties(edge_search *s) {
    const vec x = s->e->x, v = s->e->v;
    return try_time(s, -(x.x + x.y) / (v.x + v.y)) || try_time(s, -(x.x - x.y) / (v.x - v.y)) ||
           try_time(s, -(x.x + x.z) / (v.x + v.z)) || try_time(s, -(x.x - x.z) / (v.x - v.z)) ||
           try_time(s, -(x.z + x.y) / (v.z + v.y)) || try_time(s, -(x.z - x.y) / (v.z - v.y));
}

/* Tries the times at which a component of q × e is zero. */
static inline bool try_zeros(edge_search *s, real a, real b, real c) {
    real roots[2];
    int count = quadratic_roots(a, b / 2, c, roots);
    for (int i = 0; i < count; i++)
        if (try_time(s, roots[i])) return true;
    return false;
}

/* Tries the times at which one of the 24 quadratics that the vertex–edge function is made of has its extremum. */
static inline bool try_extrema(edge_search *s, vec a, vec b) {
    const vec w = vec_scale(s->e->v, s->k->slope);
    const real steps[6] = {w.x, -w.x, w.y, -w.y, w.z, -w.z};
    for (int signs = 0; signs < 4; signs++) {
        real sy = signs & 1 ? -1 : 1, sz = signs & 2 ? -1 : 1;
        real square = a.x + sy * a.y + sz * a.z, linear = b.x + sy * b.y + sz * b.z;
        if (square == 0) continue;
        for (int i = 0; i < 6; i++)
            if (try_time(s, -(linear + steps[i]) / (2 * square))) return true;
    }
    return false;
}

/* Vertex at q, edge from 0 to e; `other` is the vertex seen from the edge's far end. */
static inline bool vertex_edge(const moving *q, const moving *e, const moving *other, const tolerances *k, real end,
                               real *time) {
    if (edge_is_far(q, e, k->radius)) return false;
    edge_search s = {.q = q, .e = e, .k = k, .end = end};
    vec a = vec_cross(q->v, e->v);
    vec b = vec_add(vec_cross(q->x, e->v), vec_cross(q->v, e->x));
    vec c = vec_cross(q->x, e->x);
    a = drop_small(a, k->rho);
    b = drop_small(b, k->rho);
    if (try_time(&s, 0) || try_time(&s, end) || try_ties(&s) || try_zeros(&s, a.x, b.x, c.x) ||
        try_zeros(&s, a.y, b.y, c.y) || try_zeros(&s, a.z, b.z, c.z) || try_extrema(&s, a, b)) {
        *time = s.time;
        return true;
    }
    return vertex_vertex(q, k->squared, end, time) || vertex_vertex(other, k->squared, end, time);
}

#endif
