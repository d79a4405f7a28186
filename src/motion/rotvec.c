/* Rotation vectors that move straight; the errors are derived in docs/numerics.md, section 9.12.
 *
 * With s = |r|² the rotation is cos √s + sin √s/√s·[r]× + (1 − cos √s)/s·r·rᵀ. All three functions are entire in s:
 * here they are numbered 0, 1, 2, and expanded about the middle of the window. */
#include "motion/rotvec.h"

#include "motion/sine.h"

#include <string.h>

enum { TERMS = 11 };

/* (−1)^n / (2n + function)!; the factorials are exact. */
static const double series[3][TERMS] = {
    {1, -1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600, -1.0 / 87178291200,
     1.0 / 20922789888000, -1.0 / 6402373705728000, 1.0 / 2432902008176640000},
    {1, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000,
     1.0 / 355687428096000, -1.0 / 121645100408832000, 1.0 / 51090942171709440000.0},
    {1.0 / 2, -1.0 / 24, 1.0 / 720, -1.0 / 40320, 1.0 / 3628800, -1.0 / 479001600, 1.0 / 87178291200,
     -1.0 / 20922789888000, 1.0 / 6402373705728000, -1.0 / 2432902008176640000, 1.0 / 1124000727777607680000.0},
};

gz_rotvec gz_rotvec_between(const double from[3], const double to[3]) {
    gz_rotvec path;
    for (int c = 0; c < 3; c++) {
        path.from[c] = from[c];
        path.way[c] = to[c] - from[c];
        path.error[c] = GZ_PATH_ERROR * (fabs(from[c]) + fabs(to[c]));
    }
    return path;
}

/* Coefficients of the powers of x in each function of s + x, s < 1: its series, moved by s. */
static void near_coefficients(double s, double made[3][4]) {
    for (int f = 0; f < 3; f++) {
        double c[TERMS];
        memcpy(c, series[f], sizeof c);
        for (int i = 0; i < 4; i++)
            for (int n = TERMS - 2; n >= i; n--) c[n] += s * c[n + 1];
        memcpy(made[f], c, sizeof made[f]);
    }
}

/* As near_coefficients(), but for s ≥ 1, by the differential equations C′ = −F/2, 2s·F′ + F = C and s·G + C = 1. */
static void far_coefficients(double s, double made[3][4]) {
    double root = sqrt(s), half = gz_sinc_of(0.5 * root), *c = made[0], *f = made[1], *g = made[2];
    c[0] = gz_sine_of(root).cos;
    f[0] = gz_sinc_of(root);
    g[0] = 0.5 * half * half;
    for (int k = 0; k < 3; k++) {
        f[k + 1] = (c[k] - (2 * k + 1) * f[k]) / (2 * s * (k + 1));
        c[k + 1] = -0.5 * f[k] / (k + 1);
        g[k + 1] = -(c[k + 1] + g[k]) / s;
    }
}

void gz_rotvec_coefficients(double s, double made[3][4]) {
    if (s < 1)
        near_coefficients(s, made);
    else
        far_coefficients(s, made);
}

/* At least the fourth coefficient of each function, for all s from `low` on. */
static void fourth_coefficients(double low, double most[3]) {
    most[0] = GZ_ROTVEC_COSINE;
    most[1] = GZ_ROTVEC_SINE;
    most[2] = GZ_ROTVEC_REST;
    if (!(low > 1)) return;
    double w = 1 / sqrt(low), cube = w * w * w * GZ_TAYLOR_UP;
    double rest = GZ_ROTVEC_FAR_COSINE + w * (1.0 / 107 + w * (1.0 / 13 + w * w * (0.5 + 2 * w)));
    most[0] = fmin(most[0], GZ_ROTVEC_FAR_COSINE * cube);
    most[1] = fmin(most[1], GZ_ROTVEC_FAR_SINE * cube * w * GZ_TAYLOR_UP);
    most[2] = fmin(most[2], rest * cube * w * w * GZ_TAYLOR_UP);
}

/* Bound on the total error of the coefficients, times powers of |x| ≤ size, for each function. */
static void coefficient_errors(double s, double size, double errors[3]) {
    double root = s > 1 ? sqrt(s) : 1, y = size / root, sum = GZ_ROTVEC_ERROR * (1 + y * (1 + y * (1 + y)));
    errors[0] = sum * root;
    errors[1] = sum;
    errors[2] = sum / root;
}

void gz_rotvec_functions(const gz_taylor *square, gz_taylor made[3]) {
    double middle = square->c[0] + 0.5 * square->c[2], c[3][4], fourth[3], errors[3];
    gz_taylor x = *square;
    middle = middle > 0 ? middle : 0;
    x.c[0] -= middle;
    x.r += GZ_TAYLOR_SLACK * square->n;
    gz_taylor_close(&x);
    gz_taylor second = gz_taylor_product(&x, &x), third = gz_taylor_product(&second, &x);
    double size = gz_taylor_most(&x), power = size * size * size * size * GZ_TAYLOR_UP;
    gz_rotvec_coefficients(middle, c);
    fourth_coefficients((middle - size) * GZ_LENGTH_DOWN, fourth);
    coefficient_errors(middle, size, errors);
    for (int f = 0; f < 3; f++) {
        gz_taylor low = gz_taylor_mix(c[f][0], &x, c[f][1], &second, c[f][2], 0);
        made[f] = gz_taylor_mix(0, &low, 1, &third, c[f][3], 0);
        made[f].r += fourth[f] * power + errors[f];
        gz_taylor_close(&made[f]);
    }
}

static gz_taylor component(const gz_rotvec *path, int c, gz_window window) {
    gz_taylor f = {.c = {path->from[c] + path->way[c] * window.m, window.h * path->way[c]}, .r = path->error[c]};
    gz_taylor_close(&f);
    return f;
}

void gz_rotvec_frame(const gz_rotvec *path, gz_window window, gz_frame_model *frame) {
    gz_taylor r[3], squares[3], f[3];
    for (int c = 0; c < 3; c++) {
        r[c] = component(path, c, window);
        squares[c] = gz_taylor_product(&r[c], &r[c]);
    }
    gz_taylor two = gz_taylor_sum(&squares[0], &squares[1], 1), square = gz_taylor_sum(&two, &squares[2], 1);
    gz_rotvec_functions(&square, f);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        gz_taylor own = gz_taylor_product(&f[2], &squares[i]), product = gz_taylor_product(&r[i], &r[j]);
        gz_taylor mixed = gz_taylor_product(&f[2], &product), turned = gz_taylor_product(&f[1], &r[k]);
        gz_frame_set(frame, i, i, gz_taylor_sum(&f[0], &own, 1));
        gz_frame_set(frame, i, j, gz_taylor_sum(&mixed, &turned, -1));
        gz_frame_set(frame, j, i, gz_taylor_sum(&mixed, &turned, 1));
        gz_frame_set(frame, i, 3, gz_taylor_constant(0, 0));
    }
}
