/* Distances of triangles in real numbers of 256 bits. */
#ifndef GRAZE_TEST_BIG_DISTANCE_H
#define GRAZE_TEST_BIG_DISTANCE_H

#include "articulated/big_real.h"

typedef struct real_triangle {
    real3 x[3];
} real_triangle;

static inline real3 real3_sub(real3 a, real3 b) {
    return (real3){{real_sub(a.c[0], b.c[0]), real_sub(a.c[1], b.c[1]), real_sub(a.c[2], b.c[2])}};
}

static inline real3 real3_along(real3 a, real s, real3 d) {
    return (real3){{real_add(a.c[0], real_mul(s, d.c[0])), real_add(a.c[1], real_mul(s, d.c[1])),
                    real_add(a.c[2], real_mul(s, d.c[2]))}};
}

static inline real real_least(real a, real b) { return mpfr_cmp(a, b) <= 0 ? a : b; }

static inline real real_squared_gap(real3 a, real3 b) {
    real3 d = real3_sub(a, b);
    return real_dot(d.c, d.c);
}

/* s in [0, 1] */
static inline real real_clamped(real s) {
    if (mpfr_cmp_d(s, 0) < 0) return real_of(0);
    return mpfr_cmp_d(s, 1) > 0 ? real_of(1) : s;
}

static inline real real_point_segment(real3 p, real3 a, real3 b) {
    real3 e = real3_sub(b, a), q = real3_sub(p, a);
    real length = real_dot(e.c, e.c);
    if (mpfr_zero_p(length)) return real_dot(q.c, q.c);
    return real_squared_gap(p, real3_along(a, real_clamped(real_div(real_dot(q.c, e.c), length)), e));
}

static inline real real_segments(real3 a, real3 b, real3 c, real3 d) {
    real best = real_least(real_least(real_point_segment(a, c, d), real_point_segment(b, c, d)),
                           real_least(real_point_segment(c, a, b), real_point_segment(d, a, b)));
    real3 u = real3_sub(b, a), v = real3_sub(d, c), w = real3_sub(a, c);
    real uu = real_dot(u.c, u.c), uv = real_dot(u.c, v.c), vv = real_dot(v.c, v.c), uw = real_dot(u.c, w.c),
         vw = real_dot(v.c, w.c), det = real_sub(real_mul(uu, vv), real_mul(uv, uv));
    if (mpfr_sgn(det) <= 0) return best;
    real s = real_div(real_sub(real_mul(uv, vw), real_mul(vv, uw)), det);
    real t = real_div(real_sub(real_mul(uu, vw), real_mul(uv, uw)), det);
    if (mpfr_sgn(s) < 0 || mpfr_cmp_d(s, 1) > 0 || mpfr_sgn(t) < 0 || mpfr_cmp_d(t, 1) > 0) return best;
    return real_least(best, real_squared_gap(real3_along(a, s, u), real3_along(c, t, v)));
}

/* The point's foot in the plane lies in the triangle: *squared is its distance; else nothing. */
static inline void real_point_face(real3 p, const real_triangle *f, real *squared) {
    real3 e = real3_sub(f->x[1], f->x[0]), g = real3_sub(f->x[2], f->x[0]), q = real3_sub(p, f->x[0]);
    real3 n = real_cross(e.c, g.c), qg = real_cross(q.c, g.c), eq = real_cross(e.c, q.c);
    real nn = real_dot(n.c, n.c);
    if (mpfr_zero_p(nn)) return;
    real s = real_div(real_dot(qg.c, n.c), nn), t = real_div(real_dot(eq.c, n.c), nn);
    if (mpfr_sgn(s) < 0 || mpfr_sgn(t) < 0 || mpfr_cmp_d(real_add(s, t), 1) > 0) return;
    *squared = real_least(*squared, real_squared_gap(p, real3_along(real3_along(f->x[0], s, e), t, g)));
}

/* The segment from p to q has a point in common with the inside of the triangle, or passes through it. */
static inline bool real_pierces(real3 p, real3 q, const real_triangle *f) {
    real3 e = real3_sub(f->x[1], f->x[0]), g = real3_sub(f->x[2], f->x[0]), n = real_cross(e.c, g.c);
    real3 from = real3_sub(p, f->x[0]), to = real3_sub(q, f->x[0]);
    real a = real_dot(n.c, from.c), b = real_dot(n.c, to.c);
    if (mpfr_sgn(a) * mpfr_sgn(b) >= 0) return false;
    real3 at = real3_along(p, real_div(a, real_sub(a, b)), real3_sub(q, p));
    real squared = real_of(INFINITY);
    real_point_face(at, f, &squared);
    return mpfr_number_p(squared);
}

static inline real real_squared_distance(const real_triangle *a, const real_triangle *b) {
    real best = real_of(INFINITY);
    for (int i = 0; i < 3; i++) {
        if (real_pierces(a->x[i], a->x[(i + 1) % 3], b) || real_pierces(b->x[i], b->x[(i + 1) % 3], a))
            return real_of(0);
        real_point_face(a->x[i], b, &best);
        real_point_face(b->x[i], a, &best);
        for (int j = 0; j < 3; j++)
            best = real_least(best, real_segments(a->x[i], a->x[(i + 1) % 3], b->x[j], b->x[(j + 1) % 3]));
    }
    return best;
}

#endif
