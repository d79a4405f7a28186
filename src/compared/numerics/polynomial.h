/* Real roots of polynomials of low degree, in plain rounding arithmetic: a root where the rounded value does not change
   its sign is not found. */
#ifndef GZ_COMPARED_NUMERICS_POLYNOMIAL_H
#define GZ_COMPARED_NUMERICS_POLYNOMIAL_H

#include "numerics/vec3.h"

#include <stdbool.h>

#define GZ_POLYNOMIAL_DEGREE 6

/* c[0] + c[1]·t + … + c[degree]·t^degree */
typedef struct gz_polynomial {
    int degree;
    double c[GZ_POLYNOMIAL_DEGREE + 1];
} gz_polynomial;

static inline double gz_polynomial_value(const gz_polynomial *p, double t) {
    double value = p->c[p->degree];
    for (int i = p->degree; i-- > 0;) value = value * t + p->c[i];
    return value;
}

static inline gz_polynomial gz_polynomial_mul(const gz_polynomial *a, const gz_polynomial *b) {
    gz_polynomial p = {.degree = a->degree + b->degree};
    for (int i = 0; i <= a->degree; i++)
        for (int j = 0; j <= b->degree; j++) p.c[i + j] += a->c[i] * b->c[j];
    return p;
}

/* a + s·b */
static inline gz_polynomial gz_polynomial_add(const gz_polynomial *a, double s, const gz_polynomial *b) {
    gz_polynomial p = {.degree = a->degree > b->degree ? a->degree : b->degree};
    for (int i = 0; i <= p.degree; i++) p.c[i] = (i <= a->degree ? a->c[i] : 0) + (i <= b->degree ? s * b->c[i] : 0);
    return p;
}

static inline bool gz_polynomial_is_zero(const gz_polynomial *p) {
    for (int i = 0; i <= p->degree; i++)
        if (p->c[i] != 0) return false;
    return true;
}

/* Vectors whose components are polynomials. */
typedef struct gz_polynomial3 {
    gz_polynomial c[3];
} gz_polynomial3;

/* start + t·motion */
static inline gz_polynomial3 gz_polynomial3_line(gz_vec3 start, gz_vec3 motion) {
    gz_polynomial3 p;
    for (int c = 0; c < 3; c++) p.c[c] = (gz_polynomial){.degree = 1, .c = {start.c[c], motion.c[c]}};
    return p;
}

static inline gz_polynomial3 gz_polynomial3_cross(const gz_polynomial3 *a, const gz_polynomial3 *b) {
    gz_polynomial3 p;
    for (int c = 0; c < 3; c++) {
        int i = (c + 1) % 3, j = (c + 2) % 3;
        gz_polynomial first = gz_polynomial_mul(&a->c[i], &b->c[j]), second = gz_polynomial_mul(&a->c[j], &b->c[i]);
        p.c[c] = gz_polynomial_add(&first, -1, &second);
    }
    return p;
}

static inline gz_polynomial gz_polynomial3_dot(const gz_polynomial3 *a, const gz_polynomial3 *b) {
    gz_polynomial sum = gz_polynomial_mul(&a->c[0], &b->c[0]);
    for (int c = 1; c < 3; c++) {
        gz_polynomial term = gz_polynomial_mul(&a->c[c], &b->c[c]);
        sum = gz_polynomial_add(&sum, 1, &term);
    }
    return sum;
}

/* The places in [0, end] where p changes its sign or is 0 at a place where it turns, in ascending order; at most
   `degree` of them, and none for p = 0. */
int gz_polynomial_roots(const gz_polynomial *p, double end, double roots[GZ_POLYNOMIAL_DEGREE + 2]);

/* The places in (0, end) where p turns: the roots of its derivative. */
int gz_polynomial_turns(const gz_polynomial *p, double end, double turns[GZ_POLYNOMIAL_DEGREE + 2]);

#endif
