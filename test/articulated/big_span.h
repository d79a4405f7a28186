/* Intervals of 256-bit numbers for the tests, rounded outward. */
#ifndef GRAZE_TEST_BIG_SPAN_H
#define GRAZE_TEST_BIG_SPAN_H

#include "articulated/big_real.h"

typedef struct span {
    real low, high;
} span;

static inline span span_of(double x) { return (span){real_of(x), real_of(x)}; }

static inline span span_add(span a, span b) {
    span s = {real_new(), real_new()};
    mpfr_add(s.low, a.low, b.low, MPFR_RNDD);
    mpfr_add(s.high, a.high, b.high, MPFR_RNDU);
    return s;
}

static inline span span_minus(span a) { return (span){real_minus(a.high), real_minus(a.low)}; } /* exact */
static inline span span_sub(span a, span b) { return span_add(a, span_minus(b)); }

static inline span span_mul(span a, span b) {
    span s = {real_new(), real_new()};
    real p = real_new();
    mpfr_mul(s.low, a.low, b.low, MPFR_RNDD);
    mpfr_mul(s.high, a.low, b.low, MPFR_RNDU);
    for (int k = 1; k < 4; k++) {
        real x = k & 1 ? a.high : a.low, y = k & 2 ? b.high : b.low;
        mpfr_mul(p, x, y, MPFR_RNDD);
        mpfr_min(s.low, s.low, p, MPFR_RNDD);
        mpfr_mul(p, x, y, MPFR_RNDU);
        mpfr_max(s.high, s.high, p, MPFR_RNDU);
    }
    return s;
}

/* b > 0. */
static inline span span_div(span a, span b) {
    span s = {real_new(), real_new()};
    mpfr_div(s.low, a.low, mpfr_sgn(a.low) < 0 ? b.low : b.high, MPFR_RNDD);
    mpfr_div(s.high, a.high, mpfr_sgn(a.high) < 0 ? b.high : b.low, MPFR_RNDU);
    return s;
}

static inline span span_hull(span a, span b) {
    span s = {real_new(), real_new()};
    mpfr_min(s.low, a.low, b.low, MPFR_RNDD);
    mpfr_max(s.high, a.high, b.high, MPFR_RNDU);
    return s;
}

/* |a| */
static inline span span_size(span a) {
    span s = {real_of(0), real_new()};
    real other = real_minus(a.low);
    mpfr_max(s.high, a.high, other, MPFR_RNDU);
    if (mpfr_sgn(a.low) > 0) mpfr_set(s.low, a.low, MPFR_RNDD);
    if (mpfr_sgn(a.high) < 0) mpfr_neg(s.low, a.high, MPFR_RNDD);
    return s;
}

/* a + t·(b − a) */
static inline span span_between(span a, span b, span t) { return span_add(a, span_mul(t, span_sub(b, a))); }

/* Sine or cosine: that of the middle, and half of the width, as no slope is above 1. */
static inline span span_wave(span a, bool cosine) {
    real middle = real_new(), half = real_new(), low = real_new(), high = real_new();
    mpfr_add(middle, a.low, a.high, MPFR_RNDN);
    mpfr_div_2ui(middle, middle, 1, MPFR_RNDN);
    mpfr_sub(low, middle, a.low, MPFR_RNDU);
    mpfr_sub(high, a.high, middle, MPFR_RNDU);
    mpfr_max(half, low, high, MPFR_RNDU);
    (cosine ? mpfr_cos : mpfr_sin)(low, middle, MPFR_RNDD);
    (cosine ? mpfr_cos : mpfr_sin)(high, middle, MPFR_RNDU);
    mpfr_sub(low, low, half, MPFR_RNDD);
    mpfr_add(high, high, half, MPFR_RNDU);
    return (span){low, high};
}

/* a ≥ 0 */
static inline span span_root(span a) {
    span s = {real_new(), real_new()};
    mpfr_sqrt(s.low, a.low, MPFR_RNDD);
    mpfr_sqrt(s.high, a.high, MPFR_RNDU);
    return s;
}

static inline span span_dot(const span a[3], const span b[3]) {
    return span_add(span_mul(a[0], b[0]), span_add(span_mul(a[1], b[1]), span_mul(a[2], b[2])));
}

#endif
