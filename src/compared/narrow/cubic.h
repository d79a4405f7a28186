/* Common to methods that look for coplanar times in plain floating point: the pair's shape as polynomials in t. */
#ifndef GZ_COMPARED_NARROW_CUBIC_H
#define GZ_COMPARED_NARROW_CUBIC_H

#include "graze/query.h"

#include "compared/numerics/polynomial.h"

/* VF: q from f0 to the vertex, e1 and e2 along the face. EE: q from a0 to b0, e1 along a, e2 along b. Each moves on a
   straight line; the normal n = e1 × e2 does not (it is quadratic in t), and f = ⟨n, q⟩ is zero when the four points
   are coplanar. */
typedef struct gz_moving_pair {
    gz_vec3 start[4], motion[4];
    gz_polynomial3 q, e1, e2, n;
    gz_polynomial f;
} gz_moving_pair;

static inline void gz_moving_pair_of(graze_kind kind, const graze_query *query, gz_moving_pair *pair) {
    const int rows[2][3][2] = {{{1, 0}, {1, 2}, {1, 3}}, {{0, 2}, {0, 1}, {2, 3}}};
    for (int i = 0; i < 4; i++) {
        pair->start[i] = gz_vec3_of(query->x0[i]);
        pair->motion[i] = gz_vec3_sub(gz_vec3_of(query->x1[i]), pair->start[i]);
    }
    gz_polynomial3 *lines[3] = {&pair->q, &pair->e1, &pair->e2};
    for (int k = 0; k < 3; k++) {
        int a = rows[kind == GRAZE_EE][k][0], b = rows[kind == GRAZE_EE][k][1];
        *lines[k] = gz_polynomial3_line(gz_vec3_sub(pair->start[b], pair->start[a]),
                                        gz_vec3_sub(pair->motion[b], pair->motion[a]));
    }
    pair->n = gz_polynomial3_cross(&pair->e1, &pair->e2);
    pair->f = gz_polynomial3_dot(&pair->n, &pair->q);
}

static inline gz_vec3 gz_polynomial3_value(const gz_polynomial3 *p, double t) {
    return (gz_vec3){
        {gz_polynomial_value(&p->c[0], t), gz_polynomial_value(&p->c[1], t), gz_polynomial_value(&p->c[2], t)}};
}

/* Positions of the four points at t. */
static inline void gz_moving_pair_at(const gz_moving_pair *pair, double t, gz_vec3 x[4]) {
    for (int i = 0; i < 4; i++) x[i] = gz_vec3_along(pair->start[i], t, pair->motion[i]);
}

/* True if the foot of the common perpendicular lies in the triangle (on both segments) at t. 0: no, 1: yes, −1: the
   triangle is flat or the segments are parallel. */
static inline int gz_moving_pair_inside(graze_kind kind, const gz_moving_pair *pair, double t) {
    gz_vec3 q = gz_polynomial3_value(&pair->q, t), e1 = gz_polynomial3_value(&pair->e1, t);
    gz_vec3 e2 = gz_polynomial3_value(&pair->e2, t), n = gz_vec3_cross(e1, e2);
    double n2 = gz_vec3_dot(n, n);
    if (!(n2 > 0)) return -1;
    double u = gz_vec3_dot(n, gz_vec3_cross(q, e2));
    if (kind == GRAZE_VF) {
        double v = gz_vec3_dot(n, gz_vec3_cross(e1, q));
        return u >= 0 && v >= 0 && u + v <= n2;
    }
    double v = gz_vec3_dot(n, gz_vec3_cross(q, e1));
    return u >= 0 && u <= n2 && v >= 0 && v <= n2;
}

#endif
