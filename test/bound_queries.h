/* Pairs made to hurt, and what they are exactly: for tests that hold a bound against rationals. */
#ifndef GRAZE_TEST_BOUND_QUERIES_H
#define GRAZE_TEST_BOUND_QUERIES_H

#include "check.h"
#include "rational.h"

/* In [−1, 1], often at an end of it, where products are largest. */
static inline double some_unit(test_random *random) {
    double x = test_random_between(random, -1, 1);
    if (test_random_below(random, 3) == 0)
        x = (x < 0 ? -1 : 1) * (1 - ldexp(fabs(x), -(int)test_random_below(random, 53)));
    return x;
}

/* Coordinates of one size; `style` as in: near 1, far from the origin, the largest, subnormal, of all exponents. */
static inline double some_coordinate(test_random *random, int style) {
    double x = some_unit(random);
    switch (style) {
    case 1: return 1e7 + x;
    case 2: return x * 0x1p160;
    case 3: return x * 0x1p-1060;
    case 4: return ldexp(x, -(int)test_random_below(random, 1070));
    case 5: return ldexp(x, -(int)test_random_below(random, 40));
    default: return x;
    }
}

static inline void some_query(test_random *random, graze_query *query) {
    int style = (int)test_random_below(random, 8);
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            query->x0[i][c] = some_coordinate(random, style);
            query->x1[i][c] = some_coordinate(random, style);
        }
}

/* Changes one coordinate: by a few units in its last place, or to anything. */
static inline void change_query(test_random *random, graze_query *query) {
    double *x = test_random_bits(random) & 1 ? query->x0[test_random_below(random, 4)]
                                             : query->x1[test_random_below(random, 4)];
    x += test_random_below(random, 3);
    if (test_random_below(random, 3) == 0)
        *x = some_unit(random);
    else
        for (int k = 0; k < 3; k++) *x = nextafter(*x, test_random_bits(random) & 1 ? INFINITY : -INFINITY);
}

/* e1, e2, q of the pair at time t, scaled: the vectors of the volume polynomial. VF and EE. */
static inline void exact_vectors(rational_vector out[3], graze_kind kind, const graze_query *query, double scale,
                                 const mpq_t t) {
    static const int ends[2][3][2] = {{{1, 2}, {1, 3}, {1, 0}}, {{0, 1}, {2, 3}, {0, 2}}};
    rational_vector x[4];
    mpq_t s;
    mpq_init(s);
    mpq_set_d(s, scale);
    for (int i = 0; i < 4; i++) {
        rational_init(&x[i]);
        rational_row(&x[i], query, i, t);
    }
    for (int i = 0; i < 3; i++) {
        rational_sub(&out[i], &x[ends[kind][i][1]], &x[ends[kind][i][0]]);
        for (int c = 0; c < 3; c++) mpq_mul(out[i].x[c], out[i].x[c], s);
    }
    for (int i = 0; i < 4; i++) rational_clear(&x[i]);
    mpq_clear(s);
}

/* |a − b| / bound, to double; infinite where the bound is 0 and they differ */
static inline double rational_share(const mpq_t a, const mpq_t b, const mpq_t bound) {
    mpq_t share;
    mpq_init(share);
    mpq_sub(share, a, b);
    mpq_abs(share, share);
    double value = mpq_sgn(share) ? INFINITY : 0;
    if (mpq_sgn(bound) > 0) {
        mpq_div(share, share, bound);
        value = mpq_get_d(share);
    }
    mpq_clear(share);
    return value;
}

#endif
