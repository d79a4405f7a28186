/* Polynomials over [0, 1] in Bernstein form, with a bound on what was rounded on the way: the exact coefficients are
   within `error` of c. The values of the polynomial lie between the least and the largest coefficient.
   The bounds are derived in docs/numerics.md, section 7; no coefficient may exceed 2^1000. */
#ifndef GZ_COMPARED_NUMERICS_BERNSTEIN_H
#define GZ_COMPARED_NUMERICS_BERNSTEIN_H

#include "numerics/intervals.h"

#define GZ_BERNSTEIN_DEGREE 6

typedef struct gz_bernstein {
    int degree;
    double error;
    double c[GZ_BERNSTEIN_DEGREE + 1];
} gz_bernstein;

typedef struct gz_bernstein3 {
    gz_bernstein c[3];
} gz_bernstein3;

/* 1 or −1 where the polynomial is known to have that sign on all of [0, 1], else 0. */
static inline int gz_bernstein_sign(const gz_bernstein *p) {
    bool positive = true, negative = true;
    for (int i = 0; i <= p->degree; i++) {
        positive = positive && p->c[i] > p->error;
        negative = negative && p->c[i] < -p->error;
    }
    return positive - negative;
}

/* 1 or −1 where coefficient i is known to have that sign, else 0. */
static inline int gz_bernstein_sign_of(const gz_bernstein *p, int i) {
    return (p->c[i] > p->error) - (p->c[i] < -p->error);
}

/* The line between two values that are known to lie in intervals. */
gz_bernstein gz_bernstein_line(gz_interval start, gz_interval end);

/* The product; its degree is at most 6, and the lower one of the two at most 3. */
gz_bernstein gz_bernstein_mul(const gz_bernstein *a, const gz_bernstein *b);
/* a − b; the one of lower degree is raised first, by 3 at most. */
gz_bernstein gz_bernstein_sub(const gz_bernstein *a, const gz_bernstein *b);
/* The value at t in [0, 1]. */
gz_interval gz_bernstein_at(const gz_bernstein *p, double t);

gz_bernstein3 gz_bernstein3_cross(const gz_bernstein3 *a, const gz_bernstein3 *b);
gz_bernstein gz_bernstein3_dot(const gz_bernstein3 *a, const gz_bernstein3 *b);

#endif
