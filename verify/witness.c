/* The ball around a point of a primitive, with the radius that is as linear over the primitive as the point is, lies in
   the hull of the balls around the corners: a convex combination of balls is the ball with the combined middle and
   radius. So two such balls within the separation are a contact. */
#include "verify/witness.h"

#include <math.h>

/* ---- the proof ---- */

/* Contribution of corner i to the points of a and b. vf and pe: a is row 0, b begins at row 1. */
static void set_weights(mpq_t weight[4], verify_kind kind, const double at[2]) {
    mpq_t u, v;
    mpq_inits(u, v, NULL);
    mpq_set_d(u, at[0]);
    mpq_set_d(v, at[1]);
    for (int i = 0; i < 4; i++) mpq_set_ui(weight[i], i < verify_rows(kind) && (i == 0 || i == verify_rows_a(kind)), 1);
    if (kind == VERIFY_EE) {
        mpq_sub(weight[0], weight[0], u);
        mpq_set(weight[1], u);
        mpq_sub(weight[2], weight[2], v);
        mpq_set(weight[3], v);
    } else if (kind != VERIFY_PP) {
        mpq_sub(weight[1], weight[1], u);
        mpq_set(weight[2], u);
        if (kind == VERIFY_VF) mpq_sub(weight[1], weight[1], v);
        if (kind == VERIFY_VF) mpq_set(weight[3], v);
    }
    mpq_clears(u, v, NULL);
}

/* sum += weight * n */
static void add_times(mpq_t sum, const mpq_t weight, const mpz_t n) {
    mpq_t product;
    mpq_init(product);
    mpq_set_z(product, n);
    mpq_mul(product, product, weight);
    mpq_add(sum, sum, product);
    mpq_clear(product);
}

bool witness_holds(const integers *in, verify_kind kind, const double at[2], const dyadic *t) {
    mpq_t weight[4], reach, square, moved, rest, part;
    for (int i = 0; i < 4; i++) mpq_init(weight[i]);
    mpq_inits(reach, square, moved, rest, part, NULL);
    set_weights(weight, kind, at);
    bool inside = true;
    for (int i = 0; i < verify_rows(kind); i++) inside = inside && mpq_sgn(weight[i]) >= 0;
    mpq_set_z(reach, in->separation);
    for (int i = 0; i < verify_rows(kind); i++) add_times(reach, weight[i], in->radii[i]);
    /* t and 1 - t */
    mpq_set_z(moved, t->n);
    mpq_div_2exp(moved, moved, t->shift);
    mpq_set_ui(rest, 1, 1);
    mpq_sub(rest, rest, moved);
    for (int c = 0; c < 3; c++) {
        mpq_t between, factor;
        mpq_inits(between, factor, NULL);
        for (int i = 0; i < verify_rows(kind); i++) {
            mpq_set(part, weight[i]);
            if (i < verify_rows_a(kind)) mpq_neg(part, part);
            mpq_mul(factor, part, rest);
            add_times(between, factor, in->x[0][i][c]);
            mpq_mul(factor, part, moved);
            add_times(between, factor, in->x[1][i][c]);
        }
        mpq_mul(between, between, between);
        mpq_add(square, square, between);
        mpq_clears(between, factor, NULL);
    }
    mpq_mul(reach, reach, reach); /* it is a sum of what is not negative */
    bool holds = inside && mpq_cmp(square, reach) <= 0;
    for (int i = 0; i < 4; i++) mpq_clear(weight[i]);
    mpq_clears(reach, square, moved, rest, part, NULL);
    return holds;
}

/* ---- a guess ---- */

/* Distance less radii of two points at toi_upper: convex in u and in v. */
static double excess_at(const verify_pair *pair, double u, double v) {
    double weight[4] = {1, 0, 0, 0}, reach = pair->separation, square = 0, t = pair->toi_upper;
    if (pair->kind == VERIFY_EE)
        weight[0] = 1 - u, weight[1] = u, weight[2] = 1 - v, weight[3] = v;
    else
        weight[1] = pair->kind == VERIFY_PP ? 1 : 1 - u - v, weight[2] = u, weight[3] = v;
    for (int i = 0; i < verify_rows(pair->kind); i++) reach += weight[i] * pair->radii[i];
    for (int c = 0; c < 3; c++) {
        double between = 0;
        for (int i = 0; i < verify_rows(pair->kind); i++)
            between += (i < verify_rows_a(pair->kind) ? -weight[i] : weight[i]) *
                       ((1 - t) * pair->x0[i][c] + t * pair->x1[i][c]);
        square += between * between;
    }
    return sqrt(square) - reach;
}

/* The best v for u. */
static double best_v(const verify_pair *pair, double u, double *v) {
    double low = 0, high = pair->kind == VERIFY_VF ? 1 - u : pair->kind == VERIFY_EE ? 1 : 0;
    for (int i = 0; i < 60 && low < high; i++) {
        double a = low + (high - low) * 0.4375, b = low + (high - low) * 0.5625;
        if (excess_at(pair, u, a) < excess_at(pair, u, b))
            high = b;
        else
            low = a;
    }
    *v = 0.5 * (low + high);
    return excess_at(pair, u, *v);
}

/* The pair seen from one of its points, since the differences are what matters, and times a power of two: about 1 in
   size, its squares do not underflow. */
static verify_pair seen_from_itself(const verify_pair *given) {
    verify_pair near = *given;
    double size = given->separation;
    int exponent;
    for (int i = 0; i < verify_rows(given->kind); i++) {
        size = fmax(size, given->radii[i]);
        for (int c = 0; c < 3; c++) {
            near.x0[i][c] = given->x0[i][c] - given->x0[0][c];
            near.x1[i][c] = given->x1[i][c] - given->x0[0][c];
            size = fmax(size, fmax(fabs(near.x0[i][c]), fabs(near.x1[i][c])));
        }
    }
    frexp(size, &exponent);
    near.separation = ldexp(near.separation, -exponent);
    for (int i = 0; i < verify_rows(given->kind); i++) {
        near.radii[i] = ldexp(near.radii[i], -exponent);
        for (int c = 0; c < 3; c++) {
            near.x0[i][c] = ldexp(near.x0[i][c], -exponent);
            near.x1[i][c] = ldexp(near.x1[i][c], -exponent);
        }
    }
    return near;
}

void witness_guess(const verify_pair *given, double at[2]) {
    verify_pair near = seen_from_itself(given), *pair = &near;
    double low = 0, high = pair->kind == VERIFY_PP ? 0 : 1, v;
    for (int i = 0; i < 60 && low < high; i++) {
        double a = low + (high - low) * 0.4375, b = low + (high - low) * 0.5625;
        if (best_v(pair, a, &v) < best_v(pair, b, &v))
            high = b;
        else
            low = a;
    }
    at[0] = 0.5 * (low + high);
    best_v(pair, at[0], &at[1]);
}
