/* The differences of a pair in double-double: exact at t = 0, and at any time to some 2^-100 of the pair's size. */
#ifndef GZ_PAIR_DIFFERENCES_H
#define GZ_PAIR_DIFFERENCES_H

#include "numerics/double_double.h"
#include "pair/motion.h"

static GZ_PAIR_FN inline gz_dd scaled_difference(double b, double a, double scale) {
    gz_dd w = dd_two_sum(b, -a);
    return (gz_dd){w.hi * scale, w.lo * scale};
}

/* x[to] - x[from], exact, scaled */
static GZ_PAIR_FN inline gz_dd_vec difference(const double (*x)[3], int to, int from, double scale) {
    return (gz_dd_vec){scaled_difference(x[to][0], x[from][0], scale), scaled_difference(x[to][1], x[from][1], scale),
                       scaled_difference(x[to][2], x[from][2], scale)};
}

typedef struct differences {
    gz_dd_vec w0[4], rate[4];
    int count;
} differences;

static GZ_PAIR_FN inline void differences_make(differences *d, const gz_motion *pair, const graze_query *query) {
    d->count = pair->count;
    for (int k = 0; k < pair->count; k++) {
        int i = gz_difference_from(pair->kind, k), j = gz_difference_to(pair->kind, k);
        d->w0[k] = difference(query->x0, j, i, pair->scale);
        d->rate[k] = dd_vec_sub(difference(query->x1, j, i, pair->scale), d->w0[k]);
    }
}

static GZ_PAIR_FN inline gz_dd_vec difference_at(const differences *d, int k, double t) {
    return dd_vec_add(d->w0[k], dd_vec_scale(d->rate[k], t));
}

#endif
