#include "verify/joints.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_ANGLE 0x1p20

size_t joint_values(joint_kind kind) {
    static const size_t values[] = {0, 1, 1, 3, 3, 6};
    return values[kind];
}

static bool refuse(char reason[VERIFY_TEXT], const char *why) {
    snprintf(reason, VERIFY_TEXT, "%s", why);
    return false;
}

/* ---- frames ---- */

void frame_init(frame *f) { enclosure_init_all(f->m[0], 12); }
void frame_clear(frame *f) { enclosure_clear_all(f->m[0], 12); }

void frame_compose(frame *f, const frame *a, const frame *b) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            enclosure_mul(&f->m[i][j], &a->m[i][0], &b->m[0][j]);
            for (int k = 1; k < 3; k++) enclosure_add_mul(&f->m[i][j], &a->m[i][k], &b->m[k][j]);
            if (j == 3) enclosure_add(&f->m[i][j], &f->m[i][j], &a->m[i][3]);
        }
}

void frame_seen_from(frame *f, const frame *a, const frame *b) {
    enclosure difference[3];
    enclosure_init_all(difference, 3);
    for (int k = 0; k < 3; k++) enclosure_sub(&difference[k], &a->m[k][3], &b->m[k][3]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            enclosure_mul(&f->m[i][j], &b->m[0][i], j < 3 ? &a->m[0][j] : &difference[0]);
            for (int k = 1; k < 3; k++)
                enclosure_add_mul(&f->m[i][j], &b->m[k][i], j < 3 ? &a->m[k][j] : &difference[k]);
        }
    enclosure_clear_all(difference, 3);
}

/* ---- matrices of numbers, row by row ---- */

/* Which component of v stands in [v]×, and its sign. */
static const int cross_part[9] = {-1, 2, 1, 2, -1, 0, 1, 0, -1};
static const int cross_sign[9] = {0, -1, 1, 1, 0, -1, -1, 1, 0};

static void set_identity(enclosure m[9]) {
    for (int i = 0; i < 9; i++) enclosure_set_whole(&m[i], i % 4 == 0);
}

/* a := a·b */
static void multiply(enclosure a[9], const enclosure b[9]) {
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

/* I + 2(w[v]× + [v]×²)/|q|² of a quaternion of any length. */
static bool matrix_of_quaternion(const double q[4], enclosure m[9]) {
    enclosure part[4], length, entry;
    enclosure_init_all(part, 4);
    enclosure_init(&length);
    enclosure_init(&entry);
    int exponent = exponent_of(q, 4);
    for (int i = 0; i < 4; i++) enclosure_set_double(&part[i], q[i], exponent);
    for (int i = 0; i < 4; i++) enclosure_add_mul(&length, &part[i], &part[i]);
    bool good = true;
    for (int i = 0; i < 9 && good; i++) {
        int row = i / 3, column = i % 3;
        entry.terms = 0;
        mpz_set_ui(entry.r, 0);
        if (row == column) {
            for (int k = 0; k < 3; k++)
                if (k != row) add_twice(&entry, &part[1 + k], &part[1 + k], -1);
        } else {
            add_twice(&entry, &part[1 + row], &part[1 + column], 1);
            add_twice(&entry, &part[0], &part[1 + cross_part[i]], cross_sign[i]);
        }
        good = enclosure_divide(&m[i], &entry, &length);
        enclosure_set_whole(&entry, row == column);
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
    for (int i = 0; i < 3; i++) enclosure_add_mul(&square, &v[i], &v[i]);
    bool good = enclosure_sqrt(length, &square);
    for (int i = 0; i < 3 && good; i++) good = enclosure_divide(&unit[i], &v[i], length);
    enclosure_clear(&square);
    return good;
}

/* A vector of doubles as unit vector and length; false for zero. */
static bool direction_of(const double v[3], enclosure unit[3], enclosure *length) {
    enclosure scaled[3];
    enclosure_init_all(scaled, 3);
    int exponent = exponent_of(v, 3);
    for (int i = 0; i < 3; i++) enclosure_set_double(&scaled[i], v[i], exponent);
    bool good = normalise(scaled, unit, length);
    if (good) enclosure_shift(length, length, exponent);
    enclosure_clear_all(scaled, 3);
    return good;
}

/* The parts of a turn about a unit vector: uuᵀ, I - uuᵀ and [u]×. */
static void set_turn(const enclosure unit[3], enclosure fixed[9], enclosure cosine[9], enclosure sine[9]) {
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

/* fixed + cos·cosine + sin·sine */
static void mix(enclosure *f, const enclosure *fixed, const enclosure *cosine, const enclosure *cos,
                const enclosure *sine, const enclosure *sin) {
    enclosure_copy(f, fixed);
    enclosure_add_mul(f, cosine, cos);
    enclosure_add_mul(f, sine, sin);
}

/* The rotation of a rotation vector. */
static void matrix_of_vector(const double v[3], enclosure m[9]) {
    enclosure parts[3][9], unit[3], length, sine, cosine;
    enclosure_init_all(parts[0], 27);
    enclosure_init_all(unit, 3);
    enclosure_init(&length);
    enclosure_init(&sine);
    enclosure_init(&cosine);
    if (direction_of(v, unit, &length)) {
        set_turn(unit, parts[0], parts[1], parts[2]);
        enclosure_sine(&sine, &cosine, &length);
        for (int i = 0; i < 9; i++) mix(&m[i], &parts[0][i], &parts[1][i], &cosine, &parts[2][i], &sine);
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
    if (direction_of(v, unit, &length)) {
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

/* Axis and angle of the shorter turn from one rotation vector to another: *near is set where they are less than 2^-100
   apart, and there is no axis. */
static bool shorter_turn(const double from[3], const double to[3], enclosure unit[3], enclosure *angle, bool *near,
                         char reason[VERIFY_TEXT]) {
    enclosure a[4], b[4], q[4], length;
    enclosure_init_all(a, 4);
    enclosure_init_all(b, 4);
    enclosure_init_all(q, 4);
    enclosure_init(&length);
    quaternion_of_vector(to, a);
    quaternion_of_vector(from, b);
    quotient(a, b, q);
    mpz_t most;
    mpz_init(most);
    *near = true;
    for (int i = 1; i < 4; i++) {
        enclosure_most(most, &q[i]);
        if (mpz_sizeinbase(most, 2) > FIXED_BITS - 102) *near = false;
    }
    mpz_abs(most, q[0].c[0]);
    bool good = mpz_cmp(most, q[0].r) > 0 || refuse(reason, "half a circle has no shorter way");
    if (good && mpz_sgn(q[0].c[0]) < 0)
        for (int i = 0; i < 4; i++) enclosure_scale_long(&q[i], &q[i], -1);
    if (good && !*near) {
        long shift = scale_up(q + 1);
        good = normalise(q + 1, unit, &length);
        if (good) enclosure_shift(&length, &length, -shift);
        good = (good && angle_of(angle, &length, &q[0])) || refuse(reason, "a turn that cannot be told from none");
        if (good) enclosure_scale_long(angle, angle, 2);
    }
    mpz_clear(most);
    enclosure_clear_all(a, 4);
    enclosure_clear_all(b, 4);
    enclosure_clear_all(q, 4);
    enclosure_clear(&length);
    return good;
}

/* ---- values ---- */

/* The cubic of a value in powers of time. */
static void set_path(enclosure c[4], const path_motion *motion, size_t value, size_t count, int exponent) {
    enclosure b[4];
    enclosure_init_all(b, 4);
    for (int k = 0; k < 4; k++) enclosure_set_whole(&c[k], 0);
    for (int k = 0; k < (motion->cubic ? 4 : 2); k++) {
        size_t at = motion->cubic ? 4 * value + (size_t)k : value + (size_t)k * count;
        enclosure_set_double(&b[k], motion->values[at], exponent);
    }
    if (motion->cubic) {
        static const long powers[4][4] = {{1, 0, 0, 0}, {-3, 3, 0, 0}, {3, -6, 3, 0}, {-1, 3, -3, 1}};
        enclosure part;
        enclosure_init(&part);
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < 4; i++) {
                enclosure_scale_long(&part, &b[i], powers[k][i]);
                enclosure_add(&c[k], &c[k], &part);
            }
        enclosure_clear(&part);
    } else {
        enclosure_copy(&c[0], &b[0]);
        enclosure_sub(&c[1], &b[1], &b[0]);
    }
    enclosure_clear_all(b, 4);
}

static bool is_angle(double x) { return fabs(x) <= MOST_ANGLE; }

static bool angles_fit(const path_motion *motion, size_t value, size_t count) {
    if (!motion->cubic) return is_angle(motion->values[value]) && is_angle(motion->values[value + count]);
    for (int k = 0; k < 4; k++)
        if (!is_angle(motion->values[4 * value + (size_t)k])) return false;
    return true;
}

/* ---- joints ---- */

void joint_init(joint_motion *joint) {
    joint->turns = false;
    enclosure_init_all(joint->fixed, 9);
    enclosure_init_all(joint->cosine, 9);
    enclosure_init_all(joint->sine, 9);
    enclosure_init_all(joint->angle, 4);
    enclosure_init_all(joint->shift[0], 12);
}

void joint_clear(joint_motion *joint) {
    enclosure_clear_all(joint->fixed, 9);
    enclosure_clear_all(joint->cosine, 9);
    enclosure_clear_all(joint->sine, 9);
    enclosure_clear_all(joint->angle, 4);
    enclosure_clear_all(joint->shift[0], 12);
}

/* Adds a value times a direction of the joint's frame to the position; `row` is the origin's rotation. */
static void add_shift(joint_motion *joint, const enclosure origin[9], const enclosure direction[3],
                      const enclosure path[4]) {
    enclosure along;
    enclosure_init(&along);
    for (int i = 0; i < 3; i++) {
        enclosure_mul(&along, &origin[3 * i], &direction[0]);
        for (int k = 1; k < 3; k++) enclosure_add_mul(&along, &origin[3 * i + k], &direction[k]);
        for (int k = 0; k < 4; k++) enclosure_add_mul(&joint->shift[i][k], &along, &path[k]);
    }
    enclosure_clear(&along);
}

static void set_axis(enclosure axis[3], int which) {
    for (int i = 0; i < 3; i++) enclosure_set_whole(&axis[i], i == which);
}

/* origin · (turn about unit) · start */
static void set_rotation(joint_motion *joint, const enclosure origin[9], const enclosure unit[3],
                         const enclosure start[9]) {
    enclosure *parts[3] = {joint->fixed, joint->cosine, joint->sine}, whole[9];
    joint->turns = true;
    set_turn(unit, joint->fixed, joint->cosine, joint->sine);
    enclosure_init_all(whole, 9);
    for (int p = 0; p < 3; p++) {
        for (int i = 0; i < 9; i++) enclosure_copy(&whole[i], &origin[i]);
        multiply(whole, parts[p]);
        if (start) multiply(whole, start);
        for (int i = 0; i < 9; i++) enclosure_copy(&parts[p][i], &whole[i]);
    }
    enclosure_clear_all(whole, 9);
}

/* A rotation that does not change: what is left of a turn of less than 2^-99 goes into the bounds. */
static void set_still(joint_motion *joint, const enclosure origin[9], const enclosure start[9], bool near) {
    for (int i = 0; i < 9; i++) enclosure_copy(&joint->fixed[i], &origin[i]);
    if (start) multiply(joint->fixed, start);
    mpz_t rest;
    mpz_init_set_ui(rest, near);
    mpz_mul_2exp(rest, rest, FIXED_BITS - 97);
    for (int i = 0; i < 9; i++) mpz_add(joint->fixed[i].r, joint->fixed[i].r, rest);
    mpz_clear(rest);
}

static bool vector_fits(const double v[3]) { return is_angle(v[0]) && is_angle(v[1]) && is_angle(v[2]); }

/* Spherical and free joints. */
static bool set_ball(joint_motion *joint, const enclosure origin[9], const double from[3], const double to[3],
                     const double *turn, char reason[VERIFY_TEXT]) {
    if (!vector_fits(from) || !vector_fits(to) || (turn && !vector_fits(turn)))
        return refuse(reason, "a rotation vector beyond 2^20");
    enclosure start[9], unit[3], angle;
    enclosure_init_all(start, 9);
    enclosure_init_all(unit, 3);
    enclosure_init(&angle);
    matrix_of_vector(from, start);
    bool near = false, still, good = true;
    if (turn) {
        still = !direction_of(turn, unit, &angle);
    } else if (memcmp(from, to, 3 * sizeof *from) == 0) {
        still = true;
    } else {
        good = shorter_turn(from, to, unit, &angle, &near, reason);
        still = near;
    }
    if (good && still)
        set_still(joint, origin, start, near);
    else if (good)
        set_rotation(joint, origin, unit, start);
    for (int k = 0; k < 4; k++) enclosure_set_whole(&joint->angle[k], 0);
    if (good && !still) enclosure_copy(&joint->angle[1], &angle);
    enclosure_clear_all(start, 9);
    enclosure_clear_all(unit, 3);
    enclosure_clear(&angle);
    return good;
}

/* The translation of planar and free joints, along the axes of the joint's frame. */
static void add_shifts(joint_motion *joint, const enclosure origin[9], const path_motion *motion, size_t first,
                       size_t count, int shifts, int exponent) {
    enclosure axis[3], path[4];
    enclosure_init_all(axis, 3);
    enclosure_init_all(path, 4);
    for (int k = 0; k < shifts; k++) {
        set_axis(axis, k);
        set_path(path, motion, first + (size_t)k, count, exponent);
        add_shift(joint, origin, axis, path);
    }
    enclosure_clear_all(axis, 3);
    enclosure_clear_all(path, 4);
}

/* Revolute, prismatic and planar joints: one value about or along an axis. */
static bool set_scalar(joint_motion *joint, const enclosure origin[9], const path_link *link, const path_motion *motion,
                       size_t value, size_t count, int exponent, char reason[VERIFY_TEXT]) {
    enclosure axis[3], length, path[4];
    enclosure_init_all(axis, 3);
    enclosure_init(&length);
    enclosure_init_all(path, 4);
    bool slides = link->joint == JOINT_PRISMATIC, good = true;
    if (link->joint == JOINT_PLANAR)
        set_axis(axis, 2);
    else
        good = direction_of(link->axis, axis, &length) || refuse(reason, "an axis that is zero");
    if (good && !slides) good = angles_fit(motion, value, count) || refuse(reason, "an angle beyond 2^20");
    if (good && slides) {
        set_path(path, motion, value, count, exponent);
        add_shift(joint, origin, axis, path);
        set_still(joint, origin, NULL, false);
    } else if (good) {
        set_path(joint->angle, motion, value, count, 0);
        set_rotation(joint, origin, axis, NULL);
    }
    enclosure_clear_all(axis, 3);
    enclosure_clear(&length);
    enclosure_clear_all(path, 4);
    return good;
}

bool joint_set(joint_motion *joint, const path_link *link, const path_motion *motion, size_t first, size_t count,
               size_t index, int exponent, char reason[VERIFY_TEXT]) {
    enclosure origin[9];
    enclosure_init_all(origin, 9);
    joint->turns = false;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) {
            if (k == 0)
                enclosure_set_double(&joint->shift[i][0], link->position[i], exponent);
            else
                enclosure_set_whole(&joint->shift[i][k], 0);
        }
    bool good = matrix_of_quaternion(link->rotation, origin) || refuse(reason, "a rotation that is zero");
    bool ball = link->joint == JOINT_SPHERICAL || link->joint == JOINT_FREE;
    int shifts = link->joint == JOINT_FREE ? 3 : link->joint == JOINT_PLANAR ? 2 : 0;
    if (good && ball && motion->cubic) good = refuse(reason, "a cubic path of a joint that is not scalar");
    if (good) add_shifts(joint, origin, motion, first, count, shifts, exponent);
    if (good && link->joint == JOINT_FIXED) {
        set_still(joint, origin, NULL, false);
    } else if (good && ball) {
        const double *from = motion->values + first + shifts, *turn = motion->turns ? motion->turns[index] : NULL;
        good = set_ball(joint, origin, from, from + count, turn && !isnan(turn[0]) ? turn : NULL, reason);
    } else if (good) {
        good = set_scalar(joint, origin, link, motion, first + (size_t)shifts, count, exponent, reason);
    }
    enclosure_clear_all(origin, 9);
    return good;
}

/* ---- at a time ---- */

/* ((c3 t + c2) t + c1) t + c0 */
static void path_at(enclosure *f, const enclosure c[4], const enclosure *time) {
    enclosure product;
    enclosure_init(&product);
    enclosure_copy(f, &c[3]);
    for (int k = 2; k >= 0; k--) {
        enclosure_mul(&product, f, time);
        enclosure_add(f, &product, &c[k]);
    }
    enclosure_clear(&product);
}

void joint_frame(const joint_motion *joint, const enclosure *time, frame *f) {
    enclosure angle, sine, cosine;
    enclosure_init(&angle);
    enclosure_init(&sine);
    enclosure_init(&cosine);
    if (joint->turns) {
        path_at(&angle, joint->angle, time);
        enclosure_sine(&sine, &cosine, &angle);
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            int at = 3 * i + j;
            if (joint->turns)
                mix(&f->m[i][j], &joint->fixed[at], &joint->cosine[at], &cosine, &joint->sine[at], &sine);
            else
                enclosure_copy(&f->m[i][j], &joint->fixed[at]);
        }
        path_at(&f->m[i][3], joint->shift[i], time);
    }
    enclosure_clear(&angle);
    enclosure_clear(&sine);
    enclosure_clear(&cosine);
}
