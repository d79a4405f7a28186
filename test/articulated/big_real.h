/* Real numbers of 256 bits for the tests: what is computed with them is right to 2⁻²⁰⁰, as if it were exact.
 *
 * Values live in a pool until real_reset(). */
#ifndef GRAZE_TEST_BIG_REAL_H
#define GRAZE_TEST_BIG_REAL_H

#include "check.h"

#include <mpfr.h>

typedef mpfr_ptr real;

#define REAL_BITS 256
#define REAL_POOL 200000

static mpfr_t real_pool[REAL_POOL];
static size_t real_used, real_made;

static inline real real_new(void) {
    if (real_used == REAL_POOL) abort();
    if (real_used == real_made) mpfr_init2(real_pool[real_made++], REAL_BITS);
    return real_pool[real_used++];
}
static inline void real_reset(void) { real_used = 0; }

static inline real real_of(double x) {
    real r = real_new();
    mpfr_set_d(r, x, MPFR_RNDN);
    return r;
}
#define REAL_BINARY(name, function)                                                                                    \
    static inline real name(real a, real b) {                                                                          \
        real r = real_new();                                                                                           \
        function(r, a, b, MPFR_RNDN);                                                                                  \
        return r;                                                                                                      \
    }
#define REAL_UNARY(name, function)                                                                                     \
    static inline real name(real a) {                                                                                  \
        real r = real_new();                                                                                           \
        function(r, a, MPFR_RNDN);                                                                                     \
        return r;                                                                                                      \
    }
REAL_BINARY(real_add, mpfr_add)
REAL_BINARY(real_sub, mpfr_sub)
REAL_BINARY(real_mul, mpfr_mul)
REAL_BINARY(real_div, mpfr_div)
REAL_BINARY(real_angle, mpfr_atan2)
REAL_UNARY(real_sin, mpfr_sin)
REAL_UNARY(real_cos, mpfr_cos)
REAL_UNARY(real_root, mpfr_sqrt)
REAL_UNARY(real_minus, mpfr_neg)

/* |a − x| ≤ bound, all exact */
static inline bool real_within(real a, double x, double bound) {
    real d = real_sub(a, real_of(x));
    mpfr_abs(d, d, MPFR_RNDN);
    return mpfr_cmp_d(d, bound) <= 0;
}

/* ---- rotations and frames ---- */

typedef struct real3 {
    real c[3];
} real3;
typedef struct real_quaternion {
    real w, v[3];
} real_quaternion;
typedef struct real_frame {
    real r[3][3], t[3];
} real_frame;

static inline real real_dot(const real a[3], const real b[3]) {
    return real_add(real_mul(a[0], b[0]), real_add(real_mul(a[1], b[1]), real_mul(a[2], b[2])));
}

static inline real3 real3_of(const double x[3]) { return (real3){{real_of(x[0]), real_of(x[1]), real_of(x[2])}}; }

static inline real_quaternion real_exponential(real3 v) {
    real angle = real_root(real_dot(v.c, v.c));
    real_quaternion q = {real_of(1), {real_of(0), real_of(0), real_of(0)}};
    if (mpfr_zero_p(angle)) return q;
    real half = real_div(angle, real_of(2)), s = real_div(real_sin(half), angle);
    q.w = real_cos(half);
    for (int c = 0; c < 3; c++) q.v[c] = real_mul(s, v.c[c]);
    return q;
}

static inline real_quaternion real_product(real_quaternion a, real_quaternion b) {
    real_quaternion q = {real_sub(real_mul(a.w, b.w), real_dot(a.v, b.v)), {0}};
    for (int c = 0; c < 3; c++) {
        int i = (c + 1) % 3, j = (c + 2) % 3;
        q.v[c] = real_add(real_add(real_mul(a.w, b.v[c]), real_mul(b.w, a.v[c])),
                          real_sub(real_mul(a.v[i], b.v[j]), real_mul(a.v[j], b.v[i])));
    }
    return q;
}

static inline real_quaternion real_conjugate(real_quaternion q) {
    return (real_quaternion){q.w, {real_minus(q.v[0]), real_minus(q.v[1]), real_minus(q.v[2])}};
}

/* The rotation vector of the shorter turn that q is. */
static inline real3 real_logarithm(real_quaternion q) {
    real sine = real_root(real_dot(q.v, q.v));
    real3 v = {{real_of(0), real_of(0), real_of(0)}};
    if (mpfr_zero_p(sine)) return v;
    bool negative = mpfr_sgn(q.w) < 0;
    real angle = real_mul(real_of(2), real_angle(sine, negative ? real_minus(q.w) : q.w));
    for (int c = 0; c < 3; c++) v.c[c] = real_div(real_mul(real_mul(angle, q.v[c]), real_of(negative ? -1 : 1)), sine);
    return v;
}

/* The rotation matrix of a quaternion of any length. */
static inline void real_matrix(real_quaternion q, real r[3][3]) {
    real n = real_add(real_mul(q.w, q.w), real_dot(q.v, q.v));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            real e = real_mul(real_of(2), real_mul(q.v[i], q.v[j]));
            if (i == j) {
                e = real_add(e, real_sub(real_mul(q.w, q.w), real_dot(q.v, q.v)));
            } else {
                int k = 3 - i - j;
                real w = real_mul(real_of(2), real_mul(q.w, q.v[k]));
                e = (j == (i + 1) % 3) ? real_sub(e, w) : real_add(e, w);
            }
            r[i][j] = real_div(e, n);
        }
}

static inline void real_apply(const real_frame *frame, const real x[3], real out[3]) {
    for (int i = 0; i < 3; i++) out[i] = real_add(real_dot(frame->r[i], x), frame->t[i]);
}

/* ---- a link's joint at time t, as the API defines it ---- */

static inline real real_value(const graze_motion *motion, size_t i, real t) {
    if (!motion->cubic && !motion->bezier) {
        real from = real_of(motion->from[i]);
        return real_add(from, real_mul(t, real_sub(real_of(motion->to[i]), from)));
    }
    real b[GRAZE_MAX_DEGREE + 1];
    int degree = motion->bezier ? (int)motion->degree : 3;
    const double *values = motion->bezier ? motion->bezier + i * (size_t)(degree + 1) : motion->cubic[i];
    for (int k = 0; k <= degree; k++) b[k] = real_of(values[k]);
    for (int level = degree; level > 0; level--)
        for (int k = 0; k < level; k++) b[k] = real_add(b[k], real_mul(t, real_sub(b[k + 1], b[k])));
    return b[0];
}

static inline real3 real_unit(const double x[3]) {
    real3 v = real3_of(x);
    real length = real_root(real_dot(v.c, v.c));
    for (int c = 0; c < 3; c++) v.c[c] = real_div(v.c[c], length);
    return v;
}

static inline real3 real_scaled(real s, real3 v) {
    return (real3){{real_mul(s, v.c[0]), real_mul(s, v.c[1]), real_mul(s, v.c[2])}};
}

/* The turn of a spherical or free joint whose rotation vector starts at value `first`. */
static inline real3 real_turn(const graze_motion *motion, size_t first, size_t link) {
    real_quaternion from = real_exponential(real3_of(motion->from + first));
    if (motion->turns && !isnan(motion->turns[link][0])) return real3_of(motion->turns[link]);
    return real_logarithm(real_product(real_exponential(real3_of(motion->to + first)), real_conjugate(from)));
}

static inline real3 real_between(const double *from, const double *to, real t) {
    real3 v;
    for (int c = 0; c < 3; c++)
        v.c[c] = real_add(real_of(from[c]), real_mul(t, real_sub(real_of(to[c]), real_of(from[c]))));
    return v;
}

/* Its rotation. */
static inline real_quaternion real_turned(const graze_motion *motion, size_t first, size_t link, real t) {
    if (motion->rotvecs && motion->rotvecs[link])
        return real_exponential(real_between(motion->from + first, motion->to + first, t));
    real_quaternion from = real_exponential(real3_of(motion->from + first));
    return real_product(real_exponential(real_scaled(t, real_turn(motion, first, link))), from);
}

static inline real3 real_cross(const real a[3], const real b[3]) {
    real3 n;
    for (int c = 0; c < 3; c++) {
        int i = (c + 1) % 3, j = (c + 2) % 3;
        n.c[c] = real_sub(real_mul(a[i], b[j]), real_mul(a[j], b[i]));
    }
    return n;
}

/* The origin of a joint that moves by a screw, by way of a point on its axis: start − p + R(t)·p + t·h·axis, where p is
   the start seen from the axis: (R − 1)·p is what the way has across the axis. */
static inline void real_screw(const double *from, const double *to, int shifts, real3 turn, real t, real out[3]) {
    real angle = real_root(real_dot(turn.c, turn.c)), half = real_div(angle, real_of(2));
    if (mpfr_zero_p(angle)) { /* it slides */
        for (int c = 0; c < 3; c++)
            out[c] = c < shifts ? real_add(real_of(from[c]), real_mul(t, real_sub(real_of(to[c]), real_of(from[c]))))
                                : real_of(0);
        return;
    }
    real3 axis = real_scaled(real_div(real_of(1), angle), turn), way = {{real_of(0), real_of(0), real_of(0)}}, p,
          turned;
    for (int c = 0; c < shifts; c++) way.c[c] = real_sub(real_of(to[c]), real_of(from[c]));
    real along = real_dot(axis.c, way.c), cotangent = real_div(real_cos(half), real_sin(half));
    real3 around = real_cross(axis.c, way.c);
    for (int c = 0; c < 3; c++) {
        real across = real_sub(way.c[c], real_mul(along, axis.c[c]));
        p.c[c] = real_div(real_add(across, real_mul(cotangent, around.c[c])), real_of(-2));
    }
    real r[3][3];
    real_matrix(real_exponential(real_scaled(t, turn)), r);
    for (int c = 0; c < 3; c++) {
        turned.c[c] = real_sub(real_dot(r[c], p.c), p.c[c]);
        out[c] =
            real_add(real_of(c < shifts ? from[c] : 0), real_add(turned.c[c], real_mul(real_mul(t, along), axis.c[c])));
    }
}

static inline bool real_is_screw(const graze_motion *motion, size_t index) {
    return motion->screws && motion->screws[index];
}

/* The position of a point of the link's frame in its parent's. */
static inline void real_joint(const graze_link *link, size_t index, size_t first, const graze_motion *motion, real t,
                              const real x[3], real out[3]) {
    static const double z[3] = {0, 0, 1};
    real_frame inner = {.t = {real_of(0), real_of(0), real_of(0)}}, origin;
    real_quaternion turn = {real_of(1), {real_of(0), real_of(0), real_of(0)}};
    switch (link->joint) {
    case GRAZE_JOINT_FIXED: break;
    case GRAZE_JOINT_REVOLUTE:
        turn = real_exponential(real_scaled(real_value(motion, first, t), real_unit(link->axis)));
        break;
    case GRAZE_JOINT_PRISMATIC: {
        real3 shift = real_scaled(real_value(motion, first, t), real_unit(link->axis));
        for (int c = 0; c < 3; c++) inner.t[c] = shift.c[c];
        break;
    }
    case GRAZE_JOINT_SPHERICAL: turn = real_turned(motion, first, index, t); break;
    case GRAZE_JOINT_PLANAR:
        for (size_t c = 0; c < 2; c++) inner.t[c] = real_value(motion, first + c, t);
        turn = real_exponential(real_scaled(real_value(motion, first + 2, t), real_unit(z)));
        if (real_is_screw(motion, index)) {
            real angle = real_sub(real_of(motion->to[first + 2]), real_of(motion->from[first + 2]));
            real_screw(motion->from + first, motion->to + first, 2, real_scaled(angle, real_unit(z)), t, inner.t);
        }
        break;
    case GRAZE_JOINT_FREE:
        for (size_t c = 0; c < 3; c++) inner.t[c] = real_value(motion, first + c, t);
        turn = real_turned(motion, first + 3, index, t);
        if (real_is_screw(motion, index))
            real_screw(motion->from + first, motion->to + first, 3, real_turn(motion, first + 3, index), t, inner.t);
        break;
    }
    real_matrix(turn, inner.r);
    const double *q = link->origin.rotation;
    real_matrix((real_quaternion){real_of(q[0]), {real_of(q[1]), real_of(q[2]), real_of(q[3])}}, origin.r);
    for (int c = 0; c < 3; c++) origin.t[c] = real_of(link->origin.position[c]);
    real y[3];
    real_apply(&inner, x, y);
    real_apply(&origin, y, out);
}

#endif
