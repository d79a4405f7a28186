/* Polynomials over [0, 1] in exact rationals, and the first contact of a pair on cubic curves by them. */
#ifndef GRAZE_TEST_RATIONAL_CURVES_H
#define GRAZE_TEST_RATIONAL_CURVES_H

#include "graze/curve.h"

#include <gmp.h>
#include <stdbool.h>

#define MOST_DEGREE 9

/* In Bernstein form. */
typedef struct polynomial {
    int degree;
    mpq_t c[MOST_DEGREE + 1];
} polynomial;

static inline void polynomial_init(polynomial *p, int degree) {
    p->degree = degree;
    for (int i = 0; i <= MOST_DEGREE; i++) mpq_init(p->c[i]);
}
static inline void polynomial_clear(polynomial *p) {
    for (int i = 0; i <= MOST_DEGREE; i++) mpq_clear(p->c[i]);
}
static inline void polynomial_copy(polynomial *p, const polynomial *from) {
    p->degree = from->degree;
    for (int i = 0; i <= from->degree; i++) mpq_set(p->c[i], from->c[i]);
}

static inline unsigned long binomial(int n, int k) {
    unsigned long b = 1;
    for (int i = 0; i < k; i++) b = b * (unsigned long)(n - i) / (unsigned long)(i + 1);
    return b;
}

/* p += sign · a · b */
static inline void polynomial_add_product(polynomial *p, const polynomial *a, const polynomial *b, int sign) {
    mpq_t term, weight;
    mpq_inits(term, weight, NULL);
    for (int i = 0; i <= a->degree; i++)
        for (int j = 0; j <= b->degree; j++) {
            mpq_set_ui(weight, binomial(a->degree, i) * binomial(b->degree, j), binomial(p->degree, i + j));
            mpq_canonicalize(weight);
            mpq_mul(term, a->c[i], b->c[j]);
            mpq_mul(term, term, weight);
            (sign > 0 ? mpq_add : mpq_sub)(p->c[i + j], p->c[i + j], term);
        }
    mpq_clears(term, weight, NULL);
}

/* p on [0, t], and where `right` is not NULL on [t, 1] */
static inline void polynomial_split(const polynomial *p, const mpq_t t, polynomial *left, polynomial *right) {
    polynomial q;
    mpq_t step;
    mpq_init(step);
    polynomial_init(&q, p->degree);
    polynomial_copy(&q, p);
    left->degree = p->degree;
    if (right) right->degree = p->degree;
    for (int n = p->degree; n >= 0; n--) {
        mpq_set(left->c[p->degree - n], q.c[0]);
        if (right) mpq_set(right->c[n], q.c[n]);
        for (int i = 0; i < n; i++) {
            mpq_sub(step, q.c[i + 1], q.c[i]);
            mpq_mul(step, step, t);
            mpq_add(q.c[i], q.c[i], step);
        }
    }
    polynomial_clear(&q);
    mpq_clear(step);
}

/* p on [from, to] */
static inline void polynomial_part(const polynomial *p, const mpq_t from, const mpq_t to, polynomial *part) {
    polynomial left, unused;
    mpq_t t;
    mpq_init(t);
    polynomial_init(&left, p->degree);
    polynomial_init(&unused, p->degree);
    polynomial_split(p, to, &left, NULL);
    if (mpq_sgn(to) > 0) mpq_div(t, from, to);
    polynomial_split(&left, t, &unused, part);
    polynomial_clear(&left);
    polynomial_clear(&unused);
    mpq_clear(t);
}

static inline int polynomial_sign_changes(const polynomial *p) {
    int last = 0, changes = 0;
    for (int i = 0; i <= p->degree; i++) {
        int sign = mpq_sgn(p->c[i]);
        changes += sign * last < 0;
        if (sign) last = sign;
    }
    return changes;
}

/* 1 or −1 where all coefficients have that sign, else 0. */
static inline int polynomial_sign(const polynomial *p) {
    int sign = mpq_sgn(p->c[0]);
    for (int i = 1; i <= p->degree; i++)
        if (mpq_sgn(p->c[i]) != sign) return 0;
    return sign;
}

/* True if p > 0 on all of [0, 1]; p must not have a double root there. */
static inline bool polynomial_positive(const polynomial *p) {
    if (mpq_sgn(p->c[0]) <= 0 || mpq_sgn(p->c[p->degree]) <= 0) return false;
    if (polynomial_sign(p) > 0) return true;
    polynomial left, right;
    mpq_t half;
    mpq_init(half);
    mpq_set_ui(half, 1, 2);
    polynomial_init(&left, p->degree);
    polynomial_init(&right, p->degree);
    polynomial_split(p, half, &left, &right);
    bool positive = polynomial_positive(&left) && polynomial_positive(&right);
    polynomial_clear(&left);
    polynomial_clear(&right);
    mpq_clear(half);
    return positive;
}

/* ---- curves ---- */

typedef struct polynomial3 {
    polynomial c[3];
} polynomial3;

static inline void polynomial3_init(polynomial3 *p, int degree) {
    for (int c = 0; c < 3; c++) polynomial_init(&p->c[c], degree);
}
static inline void polynomial3_clear(polynomial3 *p) {
    for (int c = 0; c < 3; c++) polynomial_clear(&p->c[c]);
}

/* row `to` less row `from` */
static inline void polynomial3_difference(polynomial3 *p, const graze_curve_query *query, int to, int from) {
    mpq_t x;
    mpq_init(x);
    for (int c = 0; c < 3; c++)
        for (int j = 0; j < 4; j++) {
            mpq_set_d(p->c[c].c[j], query->x[to][j][c]);
            mpq_set_d(x, query->x[from][j][c]);
            mpq_sub(p->c[c].c[j], p->c[c].c[j], x);
        }
    mpq_clear(x);
}

/* p += a × b */
static inline void polynomial3_add_cross(polynomial3 *p, const polynomial3 *a, const polynomial3 *b) {
    for (int c = 0; c < 3; c++) {
        int i = (c + 1) % 3, j = (c + 2) % 3;
        polynomial_add_product(&p->c[c], &a->c[i], &b->c[j], 1);
        polynomial_add_product(&p->c[c], &a->c[j], &b->c[i], -1);
    }
}

/* p = ⟨m, a⟩ */
static inline void polynomial3_along(polynomial *p, const polynomial3 *a, const double m[3]) {
    mpq_t s;
    mpq_init(s);
    p->degree = a->c[0].degree;
    for (int i = 0; i <= p->degree; i++) {
        mpq_set_ui(p->c[i], 0, 1);
        for (int c = 0; c < 3; c++) {
            mpq_set_d(s, m[c]);
            mpq_mul(s, s, a->c[c].c[i]);
            mpq_add(p->c[i], p->c[i], s);
        }
    }
    mpq_clear(s);
}

#endif
