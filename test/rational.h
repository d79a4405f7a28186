/* Vectors of exact rationals, for tests that hold a rounded result against the truth. */
#ifndef GRAZE_TEST_RATIONAL_H
#define GRAZE_TEST_RATIONAL_H

#include "graze/query.h"

#include <gmp.h>
#include <math.h>
#include <stdbool.h>

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

/* <n, b_j - a_i> > (separation + r_i + r_j) |n| at time t for every corner of B and of A, without a rounding. `radii`
   is NULL or has one for each row. */
static inline bool rational_apart_along(graze_kind kind, const graze_query *query, const double *radii,
                                        double separation, const double n[3], double t) {
    int rows = kind == GRAZE_PP ? 2 : kind == GRAZE_PE ? 3 : 4, in_a = kind == GRAZE_EE ? 2 : 1;
    mpq_t time, dot, least, square, s;
    rational_vector a, b, w, direction;
    mpq_inits(time, dot, least, square, s, NULL);
    rational_init(&a), rational_init(&b), rational_init(&w), rational_init(&direction);
    mpq_set_d(time, t);
    rational_set(&direction, n);
    rational_dot(square, &direction, &direction);
    bool apart = true;
    for (int i = 0; i < in_a && apart; i++)
        for (int j = in_a; j < rows && apart; j++) {
            rational_row(&a, query, i, time);
            rational_row(&b, query, j, time);
            rational_sub(&w, &b, &a);
            rational_dot(dot, &direction, &w);
            mpq_set_d(least, separation);
            for (int k = 0; radii && k < 2; k++) {
                mpq_set_d(s, radii[k ? j : i]);
                mpq_add(least, least, s);
            }
            mpq_mul(least, least, least);
            mpq_mul(least, least, square);
            apart = mpq_sgn(dot) > 0;
            mpq_mul(dot, dot, dot);
            apart = apart && mpq_cmp(dot, least) > 0;
        }
    rational_clear(&a), rational_clear(&b), rational_clear(&w), rational_clear(&direction);
    mpq_clears(time, dot, least, square, s, NULL);
    return apart;
}

#endif
