/* Rotations; the errors are derived in docs/numerics.md, section 9.3. */
#include "motion/frame.h"

#include "motion/sine.h"

#include <math.h>

double gz_length(const double v[3]) {
    double size = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    if (isnan(v[0] + v[1] + v[2])) return NAN; /* infinities of both signs, too */
    if (!(size > 0) || isinf(size)) return size;
    if (size > 0x1p-400 && size < 0x1p400) return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); /* the same bits */
    int exponent;
    frexp(size, &exponent);
    double x = ldexp(v[0], -exponent), y = ldexp(v[1], -exponent), z = ldexp(v[2], -exponent);
    return ldexp(sqrt(x * x + y * y + z * z), exponent);
}

bool gz_normalise(const double v[3], double unit[3]) {
    int exponent;
    frexp(fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2]))), &exponent);
    for (int c = 0; c < 3; c++) unit[c] = ldexp(v[c], -exponent);
    double length = gz_length(unit);
    if (!isfinite(v[0]) || !isfinite(v[1]) || !isfinite(v[2]) || !(length > 0)) return false;
    for (int c = 0; c < 3; c++) unit[c] /= length;
    return true;
}

static void matrix_of(const double q[4], gz_matrix *r) {
    double w = q[0], x = q[1], y = q[2], z = q[3], n = w * w + x * x + y * y + z * z;
    gz_matrix m = {{{(w * w + x * x - y * y - z * z) / n, 2 * (x * y - w * z) / n, 2 * (x * z + w * y) / n},
                    {2 * (x * y + w * z) / n, (w * w - x * x + y * y - z * z) / n, 2 * (y * z - w * x) / n},
                    {2 * (x * z - w * y) / n, 2 * (y * z + w * x) / n, (w * w - x * x - y * y + z * z) / n}}};
    *r = m;
}

bool gz_matrix_of_quaternion(const double q[4], gz_matrix *r, bool *exact) {
    double size = 0, scaled[4];
    int exponent, used = 0;
    for (int i = 0; i < 4; i++) {
        if (!isfinite(q[i])) return false;
        size = fmax(size, fabs(q[i]));
        used += q[i] != 0;
    }
    if (!(size > 0)) return false;
    frexp(size, &exponent);
    for (int i = 0; i < 4; i++) scaled[i] = ldexp(q[i], -exponent);
    matrix_of(scaled, r);
    *exact = used == 1; /* a half turn about an axis, or none: entries are 0 and ±1 */
    return true;
}

gz_matrix gz_matrix_product(const gz_matrix *a, const gz_matrix *b) {
    gz_matrix p = {{{0}}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            p.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
    return p;
}

static void set_axis_matrices(const double a[3], gz_turn *turn) {
    *turn = (gz_turn){0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            turn->fixed.m[i][j] = a[i] * a[j];
            turn->cosine.m[i][j] = (i == j) - a[i] * a[j];
        }
    gz_matrix cross = {{{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}}};
    turn->sine = cross;
}

static gz_matrix product_of_three(const gz_matrix *a, const gz_matrix *b, const gz_matrix *c) {
    gz_matrix last = c ? gz_matrix_product(b, c) : *b;
    return gz_matrix_product(a, &last);
}

void gz_turn_about(const gz_matrix *before, const double axis[3], const gz_matrix *after, gz_turn *turn) {
    set_axis_matrices(axis, turn);
    turn->fixed = product_of_three(before, &turn->fixed, after);
    turn->cosine = product_of_three(before, &turn->cosine, after);
    turn->sine = product_of_three(before, &turn->sine, after);
    for (int i = 0; i < 3; i++)
        turn->axis[i] = before->m[i][0] * axis[0] + before->m[i][1] * axis[1] + before->m[i][2] * axis[2];
}

gz_quaternion gz_quaternion_of_vector(const double v[3]) {
    double unit[3], angle = gz_length(v);
    if (!(angle > 0) || !gz_normalise(v, unit)) return (gz_quaternion){1, {0, 0, 0}};
    gz_sine half = gz_sine_of(0.5 * angle);
    return (gz_quaternion){half.cos, {half.sin * unit[0], half.sin * unit[1], half.sin * unit[2]}};
}

/* a·b⁻¹ */
static gz_quaternion quotient(const gz_quaternion *a, const gz_quaternion *b) {
    gz_quaternion q = {.w = a->w * b->w + a->v[0] * b->v[0] + a->v[1] * b->v[1] + a->v[2] * b->v[2]};
    for (int c = 0; c < 3; c++) {
        int i = (c + 1) % 3, j = (c + 2) % 3;
        q.v[c] = b->w * a->v[c] - a->w * b->v[c] - (a->v[i] * b->v[j] - a->v[j] * b->v[i]);
    }
    return q;
}

double gz_turn_between(const gz_quaternion *from, const gz_quaternion *to, double turn[3]) {
    gz_quaternion q = quotient(to, from);
    double sine = gz_length(q.v), sign = q.w < 0 ? -1 : 1;
    turn[0] = turn[1] = turn[2] = 0;
    if (!(sine > 0)) return 0;
    double angle = 2 * gz_angle_of(sine, fabs(q.w));
    for (int c = 0; c < 3; c++) turn[c] = sign * angle * (q.v[c] / sine);
    return angle;
}

double gz_shorter_turn(const double from[3], const double to[3], double turn[3]) {
    gz_quaternion a = gz_quaternion_of_vector(from), b = gz_quaternion_of_vector(to);
    return gz_turn_between(&a, &b, turn);
}

graze_frame graze_frame_of_angles(const double position[3], const double angles[3]) {
    graze_frame frame = {.position = {position[0], position[1], position[2]}};
    if (!(gz_length(angles) <= GZ_MAX_ANGLE)) return frame;
    gz_sine r = gz_sine_of(0.5 * angles[0]), p = gz_sine_of(0.5 * angles[1]), y = gz_sine_of(0.5 * angles[2]);
    frame.rotation[0] = r.cos * p.cos * y.cos + r.sin * p.sin * y.sin;
    frame.rotation[1] = r.sin * p.cos * y.cos - r.cos * p.sin * y.sin;
    frame.rotation[2] = r.cos * p.sin * y.cos + r.sin * p.cos * y.sin;
    frame.rotation[3] = r.cos * p.cos * y.sin - r.sin * p.sin * y.cos;
    return frame;
}
