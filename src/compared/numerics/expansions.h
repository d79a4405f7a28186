/* Exact sums and products of doubles as expansions: sums of doubles that do not overlap, smallest first (Dekker 1971,
 * Priest 1991, Shewchuk 1997).
 *
 * Exact as long as nothing overflows and no product has bits below 2^-1074. Every expansion made here is strongly
 * nonoverlapping, which the sum relies on, and has no zeros among its components but for the number 0 itself: one
 * component, 0. The sign of the last component is the sign of the number. */
#ifndef GZ_COMPARED_NUMERICS_EXPANSIONS_H
#define GZ_COMPARED_NUMERICS_EXPANSIONS_H

#include "numerics/double_double.h"

#include <math.h>
#include <stdbool.h>

static inline int gz_expansion_sign(const double *e, int count) { return (e[count - 1] > 0) - (e[count - 1] < 0); }

/* e + sign·f into h, with room for e_count + f_count components, apart from both; returns how many it has. */
static inline int gz_expansion_add(const double *e, int e_count, double sign, const double *f, int f_count, double *h) {
    int i = 0, k = 0, count = 0;
    double sum = 0;
    for (int n = 0; n < e_count + f_count; n++) {
        /* the components of both in the order of their sizes */
        double a = i < e_count ? e[i] : 0, b = k < f_count ? sign * f[k] : 0;
        bool take_e = k >= f_count || (i < e_count && fabs(a) < fabs(b));
        double next = take_e ? a : b;
        i += take_e;
        k += !take_e;
        gz_dd two = dd_two_sum(sum, next);
        sum = two.hi;
        if (two.lo != 0) h[count++] = two.lo;
    }
    if (sum != 0 || count == 0) h[count++] = sum;
    return count;
}

/* e·b into h, with room for 2·count components. */
static inline int gz_expansion_scale(const double *e, int e_count, double b, double *h) {
    gz_dd first = dd_two_product(e[0], b);
    double sum = first.hi;
    int count = 0;
    if (first.lo != 0) h[count++] = first.lo;
    for (int i = 1; i < e_count; i++) {
        gz_dd product = dd_two_product(e[i], b), low = dd_two_sum(sum, product.lo);
        gz_dd high = dd_quick_sum(product.hi, low.hi);
        sum = high.hi;
        if (low.lo != 0) h[count++] = low.lo;
        if (high.lo != 0) h[count++] = high.lo;
    }
    if (sum != 0 || count == 0) h[count++] = sum;
    return count;
}

/* e·f into h; `scratch` and h have room for 2·e_count·f_count components, `scaled` for 2·e_count. */
static inline int gz_expansion_mul(const double *e, int e_count, const double *f, int f_count, double *scaled,
                                   double *scratch, double *h) {
    int count = gz_expansion_scale(e, e_count, f[0], h);
    for (int i = 1; i < f_count; i++) {
        int n = gz_expansion_scale(e, e_count, f[i], scaled);
        int sum = gz_expansion_add(h, count, 1, scaled, n, scratch);
        for (int k = 0; k < sum; k++) h[k] = scratch[k];
        count = sum;
    }
    return count;
}

#endif
