/* The swept box of one vertex, as a plain function of its positions: for the library and for a GPU.
   docs/numerics.md, section 3. */
#ifndef GZ_PAIR_SWEPT_H
#define GZ_PAIR_SWEPT_H

#include "base/platform.h"
#include "numerics/double_double.h"
#include "numerics/error_bounds.h"

#include <math.h>

typedef struct gz_box {
    double lo[3], hi[3];
} gz_box;

/* The largest double ≤ a − b and the smallest double ≥ a + b, exactly, for finite a and b. */
static GZ_INLINE double gz_add_up(double a, double b) {
    gz_dd s = dd_two_sum(a, b);
    return s.lo > 0 ? nextafter(s.hi, (double)INFINITY) : s.hi;
}
static GZ_INLINE double gz_sub_down(double a, double b) {
    gz_dd s = dd_two_sum(a, -b);
    return s.lo < 0 ? nextafter(s.hi, -(double)INFINITY) : s.hi;
}

/* The least double that is not below d/2: for d ≥ 0 what each of two boxes grows by, so that together it is d. Only the
   smallest subnormal numbers have halves that are no doubles. */
static GZ_INLINE double gz_half_up(double d) {
    double half = 0.5 * d;
    return half + half < d ? nextafter(half, (double)INFINITY) : half;
}

/* x(t) = (1−t)·x0 + t·x1 as sum + tail, off by at most `slack`. The tail, of rounding errors, is at most
   8u·(|x0| + |x1|), and summed with an error far below the last place of the sum. |x0|, |x1| at most 2^1000. */
typedef struct gz_point_sum {
    double sum, tail, slack;
} gz_point_sum;

static inline GZ_PAIR_FN gz_point_sum gz_point_sum_at(double x0, double x1, double t) {
    double size = fabs(x0) > fabs(x1) ? fabs(x0) : fabs(x1);
    gz_dd rest = dd_two_sum(1, -t);
    double p = rest.hi * x0, q = t * x1, r = rest.lo * x0;
    gz_dd main = dd_two_sum(p, q);
    double tails[4] = {fma(rest.hi, x0, -p), fma(t, x1, -q), r, fma(rest.lo, x0, -r)};
    double tail = main.lo;
    int exact = (x0 == 0 || fabs(p) >= GZ_EXACT_PRODUCT) && (x1 == 0 || fabs(q) >= GZ_EXACT_PRODUCT) &&
                (x0 == 0 || rest.lo == 0 || fabs(r) >= GZ_EXACT_PRODUCT);
    for (int i = 0; i < 4; i++) {
        gz_dd next = dd_two_sum(tail, tails[i]);
        tail = next.hi;
        exact &= next.lo == 0;
    }
    gz_point_sum at = {main.hi, tail, exact ? 0 : GZ_POINT_SLACK * size + GZ_POINT_TINY};
    return at;
}

/* An interval of doubles around (1−t)·x0 + t·x1, within that of x0 and x1: the value itself where the arithmetic sees
   that it is a double, else, unless x0 and x1 cancel, at most one step wider than its two neighbors. t in (0, 1]. */
static inline GZ_PAIR_FN void gz_point_at(double x0, double x1, double t, double *lo, double *hi) {
    double least = x0 < x1 ? x0 : x1, most = x0 < x1 ? x1 : x0;
    *lo = least;
    *hi = most;
    if (t == 1) *lo = *hi = x1;
    /* with more an intermediate may overflow: the whole segment is a valid answer */
    if (t == 1 || least == most || fabs(x0) > 0x1p1000 || fabs(x1) > 0x1p1000) return;
    gz_point_sum at = gz_point_sum_at(x0, x1, t);
    double below = gz_sub_down(at.sum, gz_add_up(-at.tail, at.slack));
    double above = gz_add_up(at.sum, gz_add_up(at.tail, at.slack));
    /* x(t) lies on the segment whatever the rounding */
    if (below > least) *lo = below;
    if (above < most) *hi = above;
}

/* The box that a vertex can reach in [0, t_max], grown by `grow`: closed, rounded outward. */
static inline GZ_PAIR_FN void gz_swept_box(const double *x0, const double *x1, double t_max, double grow, gz_box *box) {
    for (int c = 0; c < 3; c++) {
        double lo = x1[c], hi = x1[c];
        if (t_max != 1) gz_point_at(x0[c], x1[c], t_max, &lo, &hi);
        if (x0[c] < lo) lo = x0[c];
        if (x0[c] > hi) hi = x0[c];
        if (grow > 0) {
            lo = gz_sub_down(lo, grow);
            hi = gz_add_up(hi, grow);
        }
        box->lo[c] = lo;
        box->hi[c] = hi;
    }
}

/* As gz_swept_box, but over [0, t], t in (0, t_max], a few last places wider, and cheap. */
static inline GZ_PAIR_FN void gz_window_box(const double *x0, const double *x1, double t, double grow, gz_box *box) {
    for (int c = 0; c < 3; c++) {
        double a = x0[c], b = x1[c], least = a < b ? a : b, most = a < b ? b : a, size = fabs(a) + fabs(b);
        double slack = size * GZ_WINDOW_SLACK + GZ_WINDOW_TINY;
        double x = a + t * (b - a), below = x - slack, above = x + slack;
        /* x(t) is on the way from a to b, whatever the rounding */
        double lo = below > least ? below : least, hi = above < most ? above : most;
        if (a < lo) lo = a;
        if (a > hi) hi = a;
        double wider = grow > 0 ? grow + (size + 2 * grow) * GZ_WINDOW_SLACK : 0;
        box->lo[c] = lo - wider;
        box->hi[c] = hi + wider;
    }
}

/* Holds no point: joining it changes nothing. */
static GZ_INLINE gz_box gz_box_empty(void) {
    double far = (double)INFINITY;
    gz_box box = {{far, far, far}, {-far, -far, -far}};
    return box;
}

static GZ_INLINE void gz_box_join(gz_box *box, const gz_box *other) {
    for (int c = 0; c < 3; c++) {
        box->lo[c] = other->lo[c] < box->lo[c] ? other->lo[c] : box->lo[c];
        box->hi[c] = other->hi[c] > box->hi[c] ? other->hi[c] : box->hi[c];
    }
}

static GZ_INLINE int gz_boxes_meet(const gz_box *a, const gz_box *b) {
    return a->lo[0] <= b->hi[0] && b->lo[0] <= a->hi[0] && a->lo[1] <= b->hi[1] && b->lo[1] <= a->hi[1] &&
           a->lo[2] <= b->hi[2] && b->lo[2] <= a->hi[2];
}

#endif
