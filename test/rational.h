/* Vectors of exact rationals, for tests that hold a rounded result against the truth. */
#ifndef GRAZE_TEST_RATIONAL_H
#define GRAZE_TEST_RATIONAL_H

#include "graze/query.h"

#include <gmp.h>
#include <math.h>

typedef struct rational_vector {
    mpq_t x[3];
} rational_vector;

static inline void rational_init(rational_vector *a) {
    for (int c = 0; c < 3; c++) mpq_init(a->x[c]);
}
static inline void rational_clear(rational_vector *a) {
    for (int c = 0; c < 3; c++) mpq_clear(a->x[c]);
}
static inline void rational_set(rational_vector *a, const double x[3]) {
    for (int c = 0; c < 3; c++) mpq_set_d(a->x[c], x[c]);
}
static inline void rational_sub(rational_vector *r, const rational_vector *a, const rational_vector *b) {
    for (int c = 0; c < 3; c++) mpq_sub(r->x[c], a->x[c], b->x[c]);
}
static inline void rational_dot(mpq_t r, const rational_vector *a, const rational_vector *b) {
    mpq_t product, sum;
    mpq_inits(product, sum, NULL);
    for (int c = 0; c < 3; c++) {
        mpq_mul(product, a->x[c], b->x[c]);
        mpq_add(sum, sum, product);
    }
    mpq_set(r, sum);
    mpq_clears(product, sum, NULL);
}
/* r must be neither a nor b */
static inline void rational_cross(rational_vector *r, const rational_vector *a, const rational_vector *b) {
    mpq_t product;
    mpq_init(product);
    for (int c = 0; c < 3; c++) {
        int i = (c + 1) % 3, j = (c + 2) % 3;
        mpq_mul(r->x[c], a->x[i], b->x[j]);
        mpq_mul(product, a->x[j], b->x[i]);
        mpq_sub(r->x[c], r->x[c], product);
    }
    mpq_clear(product);
}
/* (1 - t) a + t b */
static inline void rational_lerp(rational_vector *r, const rational_vector *a, const rational_vector *b,
                                 const mpq_t t) {
    mpq_t difference;
    mpq_init(difference);
    for (int c = 0; c < 3; c++) {
        mpq_sub(difference, b->x[c], a->x[c]);
        mpq_mul(difference, difference, t);
        mpq_add(r->x[c], a->x[c], difference);
    }
    mpq_clear(difference);
}
/* row i of the query at time t */
static inline void rational_row(rational_vector *r, const graze_query *query, int i, const mpq_t t) {
    rational_vector a, b;
    rational_init(&a);
    rational_init(&b);
    rational_set(&a, query->x0[i]);
    rational_set(&b, query->x1[i]);
    rational_lerp(r, &a, &b, t);
    rational_clear(&a);
    rational_clear(&b);
}
/* sign of a - b */
static inline int rational_compare_double(const mpq_t a, double b) {
    mpq_t q;
    mpq_init(q);
    mpq_set_d(q, b);
    int order = mpq_cmp(a, q);
    mpq_clear(q);
    return order;
}

#endif
