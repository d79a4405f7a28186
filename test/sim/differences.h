/* Central differences of a formula in 256 bits: what derivatives are held against. */
#ifndef GRAZE_TEST_SIM_DIFFERENCES_H
#define GRAZE_TEST_SIM_DIFFERENCES_H

#include "sim/reals.h"

#include <math.h>

/* Of what may be anything, at four points. */
typedef real formula(const void *what, const vector x[4]);

static const double width = 0x1p-64;

static inline real shifted(formula *f, const void *what, double x[4][3], int i, int si, int j, int sj) {
    vector at[4];
    for (int k = 0; k < 12; k++) {
        real shift = number((si * (k == i) + sj * (k == j)) * width); /* exact: small multiples of a power of two */
        at[k / 3].c[k % 3] = plus(number(x[k / 3][k % 3]), shift);
    }
    return f(what, at);
}

static inline double slope(formula *f, const void *what, double x[4][3], int i) {
    reals_forget();
    return value_of(over(minus(shifted(f, what, x, i, 1, 0, 0), shifted(f, what, x, i, -1, 0, 0)), number(2 * width)));
}

static inline double curvature(formula *f, const void *what, double x[4][3], int i, int j) {
    reals_forget();
    real up = minus(shifted(f, what, x, i, 1, j, 1), shifted(f, what, x, i, 1, j, -1));
    real down = minus(shifted(f, what, x, i, -1, j, 1), shifted(f, what, x, i, -1, j, -1));
    return value_of(over(minus(up, down), number(4 * width * width)));
}

static inline double largest(const double *a, int n) {
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i]));
    return most;
}

#endif
