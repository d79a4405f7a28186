/* Pairs whose parts have a size each. Edges, offset and motion are drawn independently over hundreds of powers of two,
   and so is the size of the whole pair: a test that scales a pair as a whole never sees a product that underflows
   beside others that do not. */
#ifndef GRAZE_TEST_SCALED_PAIRS_H
#define GRAZE_TEST_SCALED_PAIRS_H

#include "check.h"

/* Exponents of the largest part of a pair, and how far below it the others may be. */
typedef struct scaled_range {
    int least, most, spread;
} scaled_range;

static const scaled_range scaled_doubles = {-1060, 156, 500};
static const scaled_range scaled_floats = {-140, 120, 120};

typedef struct scaled_pair {
    graze_query query;
    double size; /* a power of two: no part is larger */
    double separation, radii[4];
    bool degenerate; /* an edge or the offset is zero, at either end */
} scaled_pair;

/* A power of two at most 2^exponent: a third of them that one, the others down to 2^-spread of it. */
static inline double scaled_size(test_random *random, int exponent, int spread) {
    if (test_random_below(random, 3) == 0) return ldexp(1, exponent);
    return ldexp(1, exponent - (int)test_random_below(random, (uint64_t)spread + 1));
}

/* Components of at most `size`, a quarter of them zero: there other parts are added without a rounding. */
static inline void scaled_vector(test_random *random, double size, double out[3]) {
    for (int c = 0; c < 3; c++) out[c] = test_random_below(random, 4) ? size * test_random_between(random, -1, 1) : 0;
}

/* A vector at both ends of the step, with a size of its own, and another one of what it changes by. */
static inline void scaled_part(test_random *random, int exponent, int spread, double out[2][3]) {
    double change[3];
    scaled_vector(random, scaled_size(random, exponent, spread), out[0]);
    scaled_vector(random, scaled_size(random, exponent, spread), change);
    bool turns = test_random_below(random, 4) == 0;
    for (int c = 0; c < 3; c++) out[1][c] = turns ? change[c] : out[0][c] + change[c];
}

/* The offset such that the pair passes through itself: u·e1 ± v·e2 and a height that changes sign. */
static inline void scaled_crossing(test_random *random, graze_kind kind, int exponent, int spread, double e1[2][3],
                                   double e2[2][3], double q[2][3]) {
    double u = test_random_unit(random), v = test_random_unit(random), height[3];
    if (kind == GRAZE_VF) v *= 1 - u;
    if (kind == GRAZE_EE) v = -v;
    if (kind == GRAZE_PE || kind == GRAZE_PP) v = 0;
    if (kind == GRAZE_PP) u = 0;
    scaled_vector(random, scaled_size(random, exponent, spread), height);
    for (int end = 0; end < 2; end++) {
        double part = end ? -test_random_unit(random) : test_random_unit(random);
        for (int c = 0; c < 3; c++) q[end][c] = u * e1[end][c] + v * e2[end][c] + part * height[c];
    }
}

/* Rows from a base and the parts; edges of EE are seen from either one. */
static inline void scaled_rows(graze_kind kind, bool from_b, const double base[3], const double e1[3],
                               const double e2[3], const double q[3], double x[4][3]) {
    for (int c = 0; c < 3; c++) {
        double b = base[c];
        x[2][c] = x[3][c] = 0;
        if (kind == GRAZE_EE) {
            double a = from_b ? b - q[c] : b;
            x[0][c] = a, x[1][c] = a + e1[c];
            x[2][c] = from_b ? b : b + q[c], x[3][c] = x[2][c] + e2[c];
            continue;
        }
        x[0][c] = b + q[c], x[1][c] = b;
        if (kind != GRAZE_PP) x[2][c] = b + e1[c];
        if (kind == GRAZE_VF) x[3][c] = b + e2[c];
    }
}

static inline bool scaled_same(const double a[3], const double b[3]) {
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static inline bool scaled_degenerate(graze_kind kind, const double x[4][3]) {
    if (kind == GRAZE_EE) return scaled_same(x[0], x[1]) || scaled_same(x[2], x[3]) || scaled_same(x[0], x[2]);
    if (scaled_same(x[0], x[1])) return true;
    if (kind == GRAZE_PP) return false;
    return scaled_same(x[1], x[2]) || (kind == GRAZE_VF && scaled_same(x[1], x[3]));
}

/* Half of the pairs pass through themselves; separation and radii are zero now and then. */
static inline void scaled_draw(test_random *random, graze_kind kind, scaled_range range, scaled_pair *pair) {
    int exponent = range.least + (int)test_random_below(random, (uint64_t)(range.most - range.least + 1));
    double base[2][3] = {{0}}, e1[2][3], e2[2][3], q[2][3];
    pair->size = ldexp(1, exponent);
    if (test_random_below(random, 4) == 0) scaled_part(random, exponent, range.spread, base);
    scaled_part(random, exponent, range.spread, e1);
    scaled_part(random, exponent, range.spread, e2);
    scaled_part(random, exponent, range.spread, q);
    if (test_random_below(random, 2)) scaled_crossing(random, kind, exponent, range.spread, e1, e2, q);
    bool from_b = test_random_below(random, 2);
    scaled_rows(kind, from_b, base[0], e1[0], e2[0], q[0], pair->query.x0);
    scaled_rows(kind, from_b, base[1], e1[1], e2[1], q[1], pair->query.x1);
    pair->degenerate = scaled_degenerate(kind, (const double(*)[3])pair->query.x0) ||
                       scaled_degenerate(kind, (const double(*)[3])pair->query.x1);
    pair->separation = scaled_size(random, exponent, range.spread) * test_random_unit(random);
    for (int i = 0; i < 4; i++)
        pair->radii[i] =
            test_random_below(random, 4) ? scaled_size(random, exponent, range.spread) * test_random_unit(random) : 0;
}

/* The largest error found, over its bound. test/mutate_constants.sh reads the line and weakens the constant to less
   than that. */
static inline void test_bound_used(const char *constant, double share) {
    printf("    bound %s used %.6g\n", constant, share);
}

#endif
