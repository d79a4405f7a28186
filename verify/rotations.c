#include "verify/rotations.h"

#include <math.h>
#include <stdio.h>

bool rotation_refuse(char reason[VERIFY_TEXT], const char *why) {
    snprintf(reason, VERIFY_TEXT, "%s", why);
    return false;
}

/* ---- matrices of numbers, row by row ---- */

/* Which component of v stands in [v]×, and its sign. */
static const int cross_part[9] = {-1, 2, 1, 2, -1, 0, 1, 0, -1};
static const int cross_sign[9] = {0, -1, 1, 1, 0, -1, -1, 1, 0};

static void set_identity(enclosure m[9]) {
    for (int i = 0; i < 9; i++) enclosure_set_whole(&m[i], i % 4 == 0);
}

void matrix_multiply(enclosure a[9], const enclosure b[9]) {
    enclosure product[9];
    enclosure_init_all(product, 9);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            enclosure_mul(&product[3 * i + j], &a[3 * i], &b[j]);
            for (int k = 1; k < 3; k++) enclosure_add_mul(&product[3 * i + j], &a[3 * i + k], &b[3 * k + j]);
        }
    for (int i = 0; i < 9; i++) enclosure_copy(&a[i], &product[i]);
    enclosure_clear_all(product, 9);
}

/* Twice the product x·y goes into the sum with that sign. */
static void add_twice(enclosure *sum, const enclosure *x, const enclosure *y, int sign) {
    enclosure product;
    enclosure_init(&product);
    enclosure_mul(&product, x, y);
    enclosure_scale_long(&product, &product, 2 * sign);
    enclosure_add(sum, sum, &product);
    enclosure_clear(&product);
}

/* The power of two that the largest of the numbers is below, so that they can be scaled by it without loss. */
static int exponent_of(const double *x, int count) {
    double most = 0;
    int exponent;
    for (int i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
    frexp(most, &exponent);
    return exponent;
}

/* Entry i of 2(w[v]× + [v]×²). */
static void quaternion_entry(enclosure *entry, const enclosure q[4], int i) {
    int row = i / 3, column = i % 3;
    enclosure_set_whole(entry, 0);
    if (row != column) {
        add_twice(entry, &q[1 + row], &q[1 + column], 1);
        add_twice(entry, &q[0], &q[1 + cross_part[i]], cross_sign[i]);
        return;
    }
    for (int k = 0; k < 3; k++)
        if (k != row) add_twice(entry, &q[1 + k], &q[1 + k], -1);
}

/* I + 2(w[v]× + [v]×²)/|q|² of a quaternion of any length. */
bool matrix_of_quaternion(const double q[4], enclosure m[9]) {
    enclosure part[4], length, entry;
    enclosure_init_all(part, 4);
    enclosure_init(&length);
    enclosure_init(&entry);
    int exponent = exponent_of(q, 4);
    for (int i = 0; i < 4; i++) enclosure_set_double(&part[i], q[i], exponent);
    for (int i = 0; i < 4; i++) enclosure_add_mul(&length, &part[i], &part[i]);
    bool good = true;
    for (int i = 0; i < 9 && good; i++) {
        quaternion_entry(&entry, part, i);
        good = enclosure_divide(&m[i], &entry, &length);
        enclosure_set_whole(&entry, i % 4 == 0);
        if (good) enclosure_add(&m[i], &m[i], &entry);
    }
    enclosure_clear_all(part, 4);
    enclosure_clear(&length);
    enclosure_clear(&entry);
    return good;
}

/* ---- directions and turns ---- */

/* v, scaled so that it is near 1, as a unit vector and a length. */
static bool normalise(const enclosure v[3], enclosure unit[3], enclosure *length) {
    enclosure square;
    enclosure_init(&square);
    vector_dot(&square, v, v);
    bool good = enclosure_sqrt(length, &square);
    for (int i = 0; i < 3 && good; i++) good = enclosure_divide(&unit[i], &v[i], length);
    enclosure_clear(&square);
    return good;
}

bool vector_direction(const double v[3], enclosure unit[3], enclosure *length) {
    enclosure scaled[3];
    enclosure_init_all(scaled, 3);
    int exponent = exponent_of(v, 3);
    for (int i = 0; i < 3; i++) enclosure_set_double(&scaled[i], v[i], exponent);
    bool good = normalise(scaled, unit, length);
    if (good) enclosure_shift(length, length, exponent);
    enclosure_clear_all(scaled, 3);
    return good;
}

void vector_cross(enclosure c[3], const enclosure a[3], const enclosure b[3]) {
    enclosure product;
    enclosure_init(&product);
    for (int k = 0; k < 3; k++) {
        enclosure_mul(&c[k], &a[(k + 1) % 3], &b[(k + 2) % 3]);
        enclosure_mul(&product, &a[(k + 2) % 3], &b[(k + 1) % 3]);
        enclosure_sub(&c[k], &c[k], &product);
    }
    enclosure_clear(&product);
}

void vector_dot(enclosure *dot, const enclosure a[3], const enclosure b[3]) {
    enclosure_mul(dot, &a[0], &b[0]);
    for (int k = 1; k < 3; k++) enclosure_add_mul(dot, &a[k], &b[k]);
}

void turn_set(const enclosure unit[3], enclosure fixed[9], enclosure cosine[9], enclosure sine[9]) {
    for (int i = 0; i < 9; i++) {
        enclosure_mul(&fixed[i], &unit[i / 3], &unit[i % 3]);
        enclosure_set_whole(&cosine[i], i % 4 == 0);
        enclosure_sub(&cosine[i], &cosine[i], &fixed[i]);
        if (cross_sign[i])
            enclosure_scale_long(&sine[i], &unit[cross_part[i]], cross_sign[i]);
        else
            enclosure_set_whole(&sine[i], 0);
    }
}

void turn_mix(enclosure *f, const enclosure *fixed, const enclosure *cosine, const enclosure *cos,
              const enclosure *sine, const enclosure *sin) {
    enclosure_copy(f, fixed);
    enclosure_add_mul(f, cosine, cos);
    enclosure_add_mul(f, sine, sin);
}

/* The rotation of a rotation vector. */
void matrix_of_vector(const double v[3], enclosure m[9]) {
    enclosure parts[3][9], unit[3], length, sine, cosine;
    enclosure_init_all(parts[0], 27);
    enclosure_init_all(unit, 3);
    enclosure_init(&length);
    enclosure_init(&sine);
    enclosure_init(&cosine);
    if (vector_direction(v, unit, &length)) {
        turn_set(unit, parts[0], parts[1], parts[2]);
        enclosure_sine(&sine, &cosine, &length);
        for (int i = 0; i < 9; i++) turn_mix(&m[i], &parts[0][i], &parts[1][i], &cosine, &parts[2][i], &sine);
    } else {
        set_identity(m);
    }
    enclosure_clear_all(parts[0], 27);
    enclosure_clear_all(unit, 3);
    enclosure_clear(&length);
    enclosure_clear(&sine);
    enclosure_clear(&cosine);
}

/* The unit quaternion of a rotation vector, w first. */
static void quaternion_of_vector(const double v[3], enclosure q[4]) {
    enclosure unit[3], length, sine;
    enclosure_init_all(unit, 3);
    enclosure_init(&length);
    enclosure_init(&sine);
    enclosure_set_whole(&q[0], 1);
    for (int i = 0; i < 3; i++) enclosure_set_whole(&q[1 + i], 0);
    if (vector_direction(v, unit, &length)) {
        enclosure_shift(&length, &length, -1);
        enclosure_sine(&sine, &q[0], &length);
        for (int i = 0; i < 3; i++) enclosure_mul(&q[1 + i], &sine, &unit[i]);
    }
    enclosure_clear_all(unit, 3);
    enclosure_clear(&length);
    enclosure_clear(&sine);
}

/* a·b⁻¹ of unit quaternions. */
static void quotient(const enclosure a[4], const enclosure b[4], enclosure q[4]) {
    enclosure product;
    enclosure_init(&product);
    enclosure_mul(&q[0], &a[0], &b[0]);
    for (int i = 1; i < 4; i++) enclosure_add_mul(&q[0], &a[i], &b[i]);
    for (int c = 0; c < 3; c++) {
        const enclosure *x = &a[1 + (c + 1) % 3], *y = &a[1 + (c + 2) % 3];
        const enclosure *u = &b[1 + (c + 1) % 3], *v = &b[1 + (c + 2) % 3];
        enclosure_mul(&q[1 + c], &b[0], &a[1 + c]);
        enclosure_add_mul(&q[1 + c], y, u);
        enclosure_mul(&product, &a[0], &b[1 + c]);
        enclosure_sub(&q[1 + c], &q[1 + c], &product);
        enclosure_mul(&product, x, v);
        enclosure_sub(&q[1 + c], &q[1 + c], &product);
    }
    enclosure_clear(&product);
}

static double double_of(const enclosure *a) {
    long exponent;
    double part = mpz_get_d_2exp(&exponent, a->c[0]);
    return ldexp(part, (int)exponent - FIXED_BITS);
}

/* sine·cos x - cosine·sin x: the sine of what is missing from x to the angle of (cosine, sine). */
static void missing_from(enclosure *f, const enclosure *sine, const enclosure *cosine, const enclosure *x) {
    enclosure s, c;
    enclosure_init(&s);
    enclosure_init(&c);
    enclosure_sine(&s, &c, x);
    enclosure_mul(f, cosine, &s);
    enclosure_scale_long(f, f, -1);
    enclosure_add_mul(f, sine, &c);
    enclosure_clear(&s);
    enclosure_clear(&c);
}

/* The angle in [0, π/2] whose sine and cosine, neither negative, are given. A guess in doubles is mended twice; then
   the sine of what is missing is at most `most`, below 1/4, and both angles are between -1/8 and 1.7, so what is
   missing is less than twice that. */
static bool angle_of(enclosure *angle, const enclosure *sine, const enclosure *cosine) {
    enclosure missing;
    enclosure_init(&missing);
    double guess = atan2(fmax(double_of(sine), 0), fmax(double_of(cosine), 0));
    enclosure_set_double(angle, guess, 0);
    for (int i = 0; i < 2; i++) {
        missing_from(&missing, sine, cosine, angle);
        enclosure_add(angle, angle, &missing);
        mpz_set_ui(angle->r, 0); /* any number near it will do: only the last difference counts */
    }
    missing_from(&missing, sine, cosine, angle);
    enclosure_most(angle->r, &missing);
    mpz_mul_ui(angle->r, angle->r, 2);
    double at = double_of(angle);
    bool good = at > -0.1 && at < 1.6 && mpz_sizeinbase(angle->r, 2) < FIXED_BITS - 1;
    enclosure_clear(&missing);
    return good;
}

/* Left and right by so many bits that the largest component is near 1. */
static long scale_up(enclosure v[3]) {
    size_t size = 0;
    for (int i = 0; i < 3; i++) {
        size_t bits = mpz_sizeinbase(v[i].c[0], 2);
        if (bits > size) size = bits;
    }
    long shift = FIXED_BITS - (long)size;
    for (int i = 0; i < 3; i++) enclosure_shift(&v[i], &v[i], shift);
    return shift;
}

/* The unit quaternion that leads from one rotation vector to another, with w >= 0; false where that may be 0. */
static bool way_between(const double from[3], const double to[3], enclosure q[4]) {
    enclosure a[4], b[4];
    enclosure_init_all(a, 4);
    enclosure_init_all(b, 4);
    quaternion_of_vector(to, a);
    quaternion_of_vector(from, b);
    quotient(a, b, q);
    bool minus = mpz_sgn(q[0].c[0]) < 0;
    for (int i = 0; i < 4 && minus; i++) enclosure_scale_long(&q[i], &q[i], -1);
    enclosure_clear_all(a, 4);
    enclosure_clear_all(b, 4);
    return mpz_cmp(q[0].c[0], q[0].r) > 0;
}

/* True if all three are below 2^-102: a turn of less than 2^-100. */
static bool is_hardly_any(const enclosure v[3]) {
    mpz_t most;
    bool small = true;
    mpz_init(most);
    for (int i = 0; i < 3; i++) {
        enclosure_most(most, &v[i]);
        small = small && mpz_sizeinbase(most, 2) <= FIXED_BITS - 102;
    }
    mpz_clear(most);
    return small;
}

bool shorter_turn(const double from[3], const double to[3], enclosure unit[3], enclosure *angle, bool *near,
                  char reason[VERIFY_TEXT]) {
    enclosure q[4], length;
    enclosure_init_all(q, 4);
    enclosure_init(&length);
    bool good = way_between(from, to, q) || rotation_refuse(reason, "half a circle has no shorter way");
    *near = is_hardly_any(q + 1);
    if (good && !*near) {
        long shift = scale_up(q + 1);
        good = normalise(q + 1, unit, &length);
        if (good) enclosure_shift(&length, &length, -shift);
        good = (good && angle_of(angle, &length, &q[0])) ||
               rotation_refuse(reason, "a turn that cannot be told from none");
        if (good) enclosure_scale_long(angle, angle, 2);
    }
    enclosure_clear_all(q, 4);
    enclosure_clear(&length);
    return good;
}
