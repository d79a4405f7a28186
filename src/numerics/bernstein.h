/* Polynomials over [0, 1] in Bernstein form with interval coefficients: the values lie between the least and the
   largest coefficient, whatever was rounded on the way. */
#ifndef GZ_NUMERICS_BERNSTEIN_H
#define GZ_NUMERICS_BERNSTEIN_H

#include "numerics/intervals.h"

#define GZ_BERNSTEIN_DEGREE 6

typedef struct gz_bernstein {
    int degree;
    gz_interval c[GZ_BERNSTEIN_DEGREE + 1];
} gz_bernstein;

typedef struct gz_bernstein3 {
    gz_bernstein c[3];
} gz_bernstein3;

/* 1 or −1 where the polynomial is known to have that sign on all of [0, 1], else 0. */
static inline int gz_bernstein_sign(const gz_bernstein *p) {
    int sign = gz_interval_sign(p->c[0]);
    for (int i = 1; i <= p->degree; i++)
        if (gz_interval_sign(p->c[i]) != sign) return 0;
    return sign;
}

static inline gz_bernstein gz_bernstein_line(gz_interval start, gz_interval end) {
    return (gz_bernstein){.degree = 1, .c = {start, end}};
}

gz_bernstein gz_bernstein_mul(const gz_bernstein *a, const gz_bernstein *b);
/* a − b; the one of lower degree is raised first. */
gz_bernstein gz_bernstein_sub(const gz_bernstein *a, const gz_bernstein *b);
/* The value at t in [0, 1]. */
gz_interval gz_bernstein_at(const gz_bernstein *p, double t);

gz_bernstein3 gz_bernstein3_cross(const gz_bernstein3 *a, const gz_bernstein3 *b);
gz_bernstein gz_bernstein3_dot(const gz_bernstein3 *a, const gz_bernstein3 *b);

#endif
