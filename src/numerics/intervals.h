/* Intervals of doubles that hold every exact result: each bound is the rounded value moved one double outward.
 *
 * Round to nearest is off by at most half a step, so one step is always enough. No result may overflow: with
 * coordinates up to 2^160 a polynomial of degree 6 in them stays below 2^1000. */
#ifndef GZ_NUMERICS_INTERVALS_H
#define GZ_NUMERICS_INTERVALS_H

#include "base/platform.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct gz_interval {
    double lo, hi;
} gz_interval;

/* The next double above a finite x. */
static inline double gz_next_up(double x) {
    int64_t bits;
    x += 0.0; /* −0 becomes 0 */
    memcpy(&bits, &x, sizeof bits);
    bits += bits >= 0 ? 1 : -1;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline double gz_next_down(double x) { return -gz_next_up(-x); }

static inline gz_interval gz_interval_point(double x) { return (gz_interval){x, x}; }

static inline gz_interval gz_interval_add(gz_interval a, gz_interval b) {
    return (gz_interval){gz_next_down(a.lo + b.lo), gz_next_up(a.hi + b.hi)};
}

static inline gz_interval gz_interval_sub(gz_interval a, gz_interval b) {
    return (gz_interval){gz_next_down(a.lo - b.hi), gz_next_up(a.hi - b.lo)};
}

static inline gz_interval gz_interval_mul(gz_interval a, gz_interval b) {
    double p = a.lo * b.lo, q = a.lo * b.hi, r = a.hi * b.lo, s = a.hi * b.hi;
    double lo = p < q ? p : q, hi = p < q ? q : p;
    double lo2 = r < s ? r : s, hi2 = r < s ? s : r;
    return (gz_interval){gz_next_down(lo < lo2 ? lo : lo2), gz_next_up(hi > hi2 ? hi : hi2)};
}

/* a·s for an interval s of numbers that are not negative: two products in place of four. */
static inline gz_interval gz_interval_scale(gz_interval a, gz_interval s) {
    return (gz_interval){gz_next_down(a.lo * (a.lo >= 0 ? s.lo : s.hi)), gz_next_up(a.hi * (a.hi >= 0 ? s.hi : s.lo))};
}

/* Smallest and largest |x| of the interval. */
static inline gz_interval gz_interval_abs(gz_interval a) {
    if (a.lo >= 0) return a;
    if (a.hi <= 0) return (gz_interval){-a.hi, -a.lo};
    return (gz_interval){0, -a.lo > a.hi ? -a.lo : a.hi};
}

static inline gz_interval gz_interval_square(gz_interval a) {
    gz_interval m = gz_interval_abs(a);
    double lo = gz_next_down(m.lo * m.lo);
    return (gz_interval){lo > 0 ? lo : 0, gz_next_up(m.hi * m.hi)};
}

static inline bool gz_interval_has_zero(gz_interval a) { return a.lo <= 0 && a.hi >= 0; }

/* 1 or −1 where every number of the interval has that sign, else 0. */
static inline int gz_interval_sign(gz_interval a) { return (a.lo > 0) - (a.hi < 0); }

typedef struct gz_interval3 {
    gz_interval c[3];
} gz_interval3;

static inline gz_interval3 gz_interval3_sub(const gz_interval3 *a, const gz_interval3 *b) {
    gz_interval3 d;
    for (int c = 0; c < 3; c++) d.c[c] = gz_interval_sub(a->c[c], b->c[c]);
    return d;
}

static inline gz_interval3 gz_interval3_cross(const gz_interval3 *a, const gz_interval3 *b) {
    gz_interval3 p;
    for (int c = 0; c < 3; c++) {
        int i = (c + 1) % 3, j = (c + 2) % 3;
        p.c[c] = gz_interval_sub(gz_interval_mul(a->c[i], b->c[j]), gz_interval_mul(a->c[j], b->c[i]));
    }
    return p;
}

static inline gz_interval gz_interval3_dot(const gz_interval3 *a, const gz_interval3 *b) {
    gz_interval sum = gz_interval_mul(a->c[0], b->c[0]);
    for (int c = 1; c < 3; c++) sum = gz_interval_add(sum, gz_interval_mul(a->c[c], b->c[c]));
    return sum;
}

/* True if every vector of the box is longer than d. */
static inline bool gz_interval3_beyond(const gz_interval3 *box, double d) {
    double least = 0;
    for (int c = 0; c < 3; c++) {
        double gap = gz_interval_abs(box->c[c]).lo;
        if (gap > d) return true;
        double sum = gz_next_down(least + gz_next_down(gap * gap));
        if (sum > least) least = sum;
    }
    return least > gz_next_up(d * d);
}

/* The four points of a query in interval arithmetic: x(t) = start + t·motion, motion an enclosure of x1 − x0. */
typedef struct gz_interval_motion {
    gz_interval3 start[4], motion[4];
} gz_interval_motion;

static inline void gz_interval_motion_of(const double x0[4][3], const double x1[4][3], gz_interval_motion *m) {
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            m->start[i].c[c] = gz_interval_point(x0[i][c]);
            m->motion[i].c[c] = gz_interval_sub(gz_interval_point(x1[i][c]), m->start[i].c[c]);
        }
}

/* The position of point i at the times of t ≥ 0. */
static inline gz_interval3 gz_interval_at(const gz_interval_motion *m, int i, gz_interval t) {
    gz_interval3 x;
    for (int c = 0; c < 3; c++) x.c[c] = gz_interval_add(m->start[i].c[c], gz_interval_scale(m->motion[i].c[c], t));
    return x;
}

#endif
