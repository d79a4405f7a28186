#include "exact/orientation.h"

#include "exact/arena.h"
#include "numerics/intervals.h"

#include <limits.h>
#include <math.h>

static gz_interval3 interval_difference(const double a[3], const double b[3]) {
    gz_interval3 d;
    for (int c = 0; c < 3; c++) d.c[c] = gz_interval_sub(gz_interval_point(a[c]), gz_interval_point(b[c]));
    return d;
}

static int sign_by_intervals(const double *const x[4]) {
    gz_interval3 e1 = interval_difference(x[1], x[0]), e2 = interval_difference(x[2], x[0]),
                 q = interval_difference(x[3], x[0]), n = gz_interval3_cross(&e1, &e2);
    return gz_interval_sign(gz_interval3_dot(&n, &q));
}

typedef struct integer_points {
    const double *const *x;
    int unit; /* integers are coordinates over 2^unit */
    int sign;
} integer_points;

/* The exponent of the last bit that a double may have. */
static int last_exponent(double x) {
    int exponent;
    frexp(x, &exponent);
    return exponent - 53;
}

static gz_int integer_of(gz_arena *arena, double x, int unit) {
    if (x == 0) return gz_int_zero();
    int exponent = last_exponent(x);
    return gz_int_shift_up(arena, gz_int_from(arena, (int64_t)ldexp(x, -exponent)), (size_t)(exponent - unit));
}

static gz_int minor(gz_arena *arena, const gz_int a[3], const gz_int b[3], int i, int j) {
    gz_product terms[2] = {{a[i], b[j], false}, {a[j], b[i], true}};
    return gz_int_sum_of_products(arena, terms, 2);
}

static void sign_by_integers(void *state, gz_arena *arena) {
    integer_points *points = state;
    gz_int d[3][3];
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 3; c++)
            d[k][c] = gz_int_subtract(arena, integer_of(arena, points->x[k + 1][c], points->unit),
                                      integer_of(arena, points->x[0][c], points->unit));
    gz_product terms[3];
    for (int c = 0; c < 3; c++)
        terms[c] = (gz_product){minor(arena, d[0], d[1], (c + 1) % 3, (c + 2) % 3), d[2][c], false};
    points->sign = gz_int_sign(gz_int_sum_of_products(arena, terms, 3));
}

bool gz_orientation(graze_context *context, const double a[3], const double b[3], const double c[3], const double d[3],
                    int *sign) {
    const double *const x[4] = {a, b, c, d};
    *sign = sign_by_intervals(x);
    if (*sign) return true;
    integer_points points = {x, INT_MAX, 0};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            if (x[i][k] != 0 && last_exponent(x[i][k]) < points.unit) points.unit = last_exponent(x[i][k]);
    if (!gz_with_arena((gz_arena_home){context, 0, false}, sign_by_integers, &points)) return false;
    *sign = points.sign;
    return true;
}
