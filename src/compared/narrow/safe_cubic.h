/* Candidates for the roots of a cubic in [0, T]. Not the roots: each place where the cubic is within a slack of zero is
   joined to a candidate by a path on which it stays within mu + 97 eps B³ (docs/numerics.md, 6.3). */
#ifndef GZ_COMPARED_NARROW_SAFE_CUBIC_H
#define GZ_COMPARED_NARROW_SAFE_CUBIC_H

#include "compared/narrow/safe_real.h"

typedef struct cubic {
    real a, b, c, d;
} cubic;

enum { CUBIC_CANDIDATES = 7 }; /* both ends, two extrema, three roots between them */

static inline real cubic_value(const cubic *f, real t) { return ((f->a * t + f->b) * t + f->c) * t + f->d; }

/* Approximate roots of a·t² + 2h·t + c: every exact root in [0, 1] has one of them within 5.4 sqrt(u). Rounding is
   monotone, so a discriminant that is not negative does not become so. Returns how many. */
static inline int quadratic_roots(real a, real h, real c, real roots[2]) {
    real square = h * h - a * c;
    if (square < 0) return 0;
    real root = real_sqrt(square);
    if (real_abs(h) <= 2 * real_abs(a)) {
        if (a == 0) return 0;
        roots[0] = (-h - root) / a;
        roots[1] = (-h + root) / a;
        return 2;
    }
    /* the other root lies beyond ±2 */
    roots[0] = c / (h > 0 ? -(h + root) : root - h);
    return 1;
}

/* A point in [l, r] where |f| <= mu, given values of opposite sign, both beyond mu, at its ends. */
static inline real cubic_between(const cubic *f, real l, real r, real at_l, real at_r, real mu) {
    real t = l + (r - l) * (at_l / (at_l - at_r));
    for (int step = 0;; step++) {
        if (!(t > l && t < r)) {
            t = l + (r - l) / 2;
            if (!(t > l && t < r)) return t;
        }
        real value = cubic_value(f, t);
        if (real_abs(value) <= mu) return t;
        if ((value > 0) == (at_l > 0))
            l = t;
        else
            r = t;
        real slope = (3 * f->a * t + 2 * f->b) * t + f->c;
        t = step < 8 ? t - value / slope : l + (r - l) / 2;
    }
}

/* Writes candidates in [0, end] in ascending order, returns how many; none proves that f stays away from zero. */
static inline int cubic_candidates(const cubic *f, real end, real mu, real candidates[CUBIC_CANDIDATES]) {
    /* Bernstein coefficients on [0, 1]: f lies between the least and the largest */
    real third = f->c / 3, first = f->d + third, second = first + third + f->b / 3, last = f->a + f->b + f->c + f->d;
    real least = real_min(real_min(f->d, first), real_min(second, last));
    real largest = real_max(real_max(f->d, first), real_max(second, last));
    if (least > mu || largest < -mu) return 0;
    real split[4] = {0}, extrema[2];
    int splits = 1, count = 0;
    int found = quadratic_roots(3 * f->a, f->b, f->c, extrema);
    if (found == 2 && extrema[0] > extrema[1]) {
        real swap = extrema[0];
        extrema[0] = extrema[1];
        extrema[1] = swap;
    }
    for (int i = 0; i < found; i++)
        if (extrema[i] > 0 && extrema[i] < end) split[splits++] = extrema[i];
    split[splits++] = end;
    real before = 0;
    for (int i = 0; i < splits; i++) {
        real value = cubic_value(f, split[i]);
        bool zero = real_abs(value) <= mu;
        if (i > 0 && !zero && real_abs(before) > mu && (value > 0) != (before > 0))
            candidates[count++] = cubic_between(f, split[i - 1], split[i], before, value, mu);
        if (zero) candidates[count++] = split[i];
        before = value;
    }
    return count;
}

#endif
