/* Third-order Taylor models: functions of a time s in [−1, 1], each a cubic and a bound on what it leaves out.
 *
 * f(s) is within r of c0 + c1·s + c2·s² + c3·s³. Coefficients are doubles and exact by definition; every rounding of an
 * operation goes into r, so that a model holds in floating point (docs/numerics.md, section 9.2). */
#ifndef GZ_MOTION_TAYLOR_H
#define GZ_MOTION_TAYLOR_H

#include "numerics/error_bounds.h"

#include "base/platform.h"
#include "kernels/kernels.h"

#include <math.h>
#include <stdbool.h>

typedef struct gz_taylor {
    double c[4];
    double r;   /* ≥ 0 */
    double n;   /* at least |c0| + |c1| + |c2| + |c3| */
    bool still; /* c1 to c3 are known to be 0: products with them are left out, which changes no bit */
} gz_taylor;

/* Times m + h·s, s in [−1, 1]. */
typedef struct gz_window {
    double m, h;
} gz_window;

/* Sets n from the coefficients and rounds r up. */
static inline void gz_taylor_close(gz_taylor *a) {
    a->still = a->c[1] == 0 && a->c[2] == 0 && a->c[3] == 0;
    a->n = (fabs(a->c[0]) + fabs(a->c[1]) + fabs(a->c[2]) + fabs(a->c[3])) * GZ_TAYLOR_UP;
    a->r = a->r * GZ_TAYLOR_UP + GZ_TAYLOR_TINY;
}

static inline gz_taylor gz_taylor_constant(double x, double error) {
    return (gz_taylor){{x, 0, 0, 0}, error, fabs(x), true};
}

static inline gz_taylor gz_taylor_sum(const gz_taylor *a, const gz_taylor *b, double sign) {
    gz_taylor f = {.r = a->r + b->r + GZ_TAYLOR_SLACK * (a->n + b->n)};
    for (int k = 0; k < 4; k++) f.c[k] = a->c[k] + sign * b->c[k];
    gz_taylor_close(&f);
    return f;
}

/* Terms that the products of a sum have left behind, before it is closed. */
typedef struct gz_taylor_tail {
    double d4, d5, d6; /* coefficients of s⁴, s⁵, s⁶ */
    double rounding;   /* sum of the products of sizes */
} gz_taylor_tail;

static inline void gz_taylor_add_cubics(gz_taylor *f, gz_taylor_tail *tail, const double x[4], const double y[4]) {
    f->c[0] += x[0] * y[0];
    f->c[1] += x[0] * y[1] + x[1] * y[0];
    f->c[2] += x[0] * y[2] + x[1] * y[1] + x[2] * y[0];
    f->c[3] += x[0] * y[3] + x[1] * y[2] + x[2] * y[1] + x[3] * y[0];
    tail->d4 += x[1] * y[3] + x[2] * y[2] + x[3] * y[1];
    tail->d5 += x[2] * y[3] + x[3] * y[2];
    tail->d6 += x[3] * y[3];
}

static inline void gz_taylor_add_scaled(gz_taylor *f, double x, const gz_taylor *b) {
    f->c[0] += x * b->c[0];
    if (b->still) return;
    for (int k = 1; k < 4; k++) f->c[k] += x * b->c[k];
}

static inline void gz_taylor_add_product(gz_taylor *f, gz_taylor_tail *tail, const gz_taylor *a, const gz_taylor *b) {
    if (a->still)
        gz_taylor_add_scaled(f, a->c[0], b);
    else if (b->still)
        gz_taylor_add_scaled(f, b->c[0], a);
    else
        gz_taylor_add_cubics(f, tail, a->c, b->c);
    tail->rounding += a->n * b->n;
    f->r += a->r * (b->n + b->r) + a->n * b->r;
}

/* s⁴ and s⁶ lie in [0, 1]: half of their coefficients joins the constant, the other half the bound. */
static inline void gz_taylor_finish(gz_taylor *f, const gz_taylor_tail *tail) {
    f->c[0] += 0.5 * tail->d4 + 0.5 * tail->d6;
    f->r += 0.5 * fabs(tail->d4) + fabs(tail->d5) + 0.5 * fabs(tail->d6) + GZ_TAYLOR_SLACK * tail->rounding;
    gz_taylor_close(f);
}

static inline gz_taylor gz_taylor_product(const gz_taylor *a, const gz_taylor *b) {
    gz_taylor f = {0};
    gz_taylor_tail tail = {0};
    gz_taylor_add_product(&f, &tail, a, b);
    gz_taylor_finish(&f, &tail);
    return f;
}

/* k0 + x·k1 + y·k2, where each constant is within `error` of what is meant. */
static inline gz_taylor gz_taylor_mix(double k0, const gz_taylor *x, double k1, const gz_taylor *y, double k2,
                                      double error) {
    double sizes = fabs(k0) + x->n * fabs(k1) + y->n * fabs(k2);
    double reach = 1 + (x->n + x->r) + (y->n + y->r);
    gz_taylor f = {.r = x->r * fabs(k1) + y->r * fabs(k2) + error * reach + GZ_TAYLOR_SLACK * sizes};
    for (int k = 0; k < 4 && (k1 != 0 || k2 != 0); k++) f.c[k] = x->c[k] * k1 + y->c[k] * k2;
    f.c[0] += k0;
    gz_taylor_close(&f);
    return f;
}

/* start + h·∫ f from 0 to s: what f is the rate of, over a window of time with the half length h, where `start` is its
   value in the middle, off by at most `error`. Half of the fourth power joins the constant, as in products. */
static inline gz_taylor gz_taylor_integral(const gz_taylor *f, double h, double start, double error) {
    double rest = 0.125 * (h * f->c[3]);
    gz_taylor g = {.c = {start + rest, h * f->c[0], 0.5 * (h * f->c[1]), h * f->c[2] / 3}};
    g.r = error + h * f->r + fabs(rest) + GZ_TAYLOR_SLACK * (fabs(start) + h * f->n);
    gz_taylor_close(&g);
    return g;
}

/* All values: between middle − half and middle + half, rounding included. */
static inline double gz_taylor_range(const gz_taylor *a, double *half) {
    *half = (fabs(a->c[1]) + 0.5 * fabs(a->c[2]) + fabs(a->c[3]) + a->r + GZ_TAYLOR_SLACK * a->n) * GZ_TAYLOR_UP +
            GZ_TAYLOR_TINY;
    return a->c[0] + 0.5 * a->c[2];
}

/* Largest |value|. */
static inline double gz_taylor_most(const gz_taylor *a) {
    double half, middle = gz_taylor_range(a, &half);
    return (fabs(middle) + half) * GZ_TAYLOR_UP;
}

/* Sine and cosine of a model. */
void gz_taylor_sine(const gz_taylor *angle, gz_taylor *sine, gz_taylor *cosine);

/* A frame that moves, a Taylor model for each entry [row][column]; column 3 is its origin. The exact rotation is one,
   whatever the coefficients round to. Columns lie side by side, as lanes want them. */
typedef struct gz_frame_model {
    double c[4][3][4]; /* coefficients of s^0 … s^3 */
    double r[3][4], n[3][4];
} gz_frame_model;

static inline gz_taylor gz_frame_entry(const gz_frame_model *frame, int i, int j) {
    gz_taylor f = {.r = frame->r[i][j], .n = frame->n[i][j]};
    for (int k = 0; k < 4; k++) f.c[k] = frame->c[k][i][j];
    f.still = f.c[1] == 0 && f.c[2] == 0 && f.c[3] == 0;
    return f;
}

static inline void gz_frame_set(gz_frame_model *frame, int i, int j, gz_taylor f) {
    for (int k = 0; k < 4; k++) frame->c[k][i][j] = f.c[k];
    frame->r[i][j] = f.r;
    frame->n[i][j] = f.n;
}

/* Frames have four columns: lanes of more do not have their kernels. */
const gz_kernels *gz_frame_kernels(const gz_kernels *kernels);

/* a·b; `out` is neither. `still`: neither depends on s, as at a single time. */
void gz_frame_compose(const gz_kernels *kernels, const gz_frame_model *a, const gz_frame_model *b, bool still,
                      gz_frame_model *out);
/* b⁻¹·a: where a is, seen from b. */
void gz_frame_seen_from(const gz_kernels *kernels, const gz_frame_model *a, const gz_frame_model *b, bool still,
                        gz_frame_model *out);

#endif
