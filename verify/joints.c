#include "verify/joints.h"

#include <math.h>
#include <string.h>

#define MOST_ANGLE 0x1p20

size_t joint_values(joint_kind kind) {
    static const size_t values[] = {0, 1, 1, 3, 3, 6};
    return values[kind];
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

/* ---- values ---- */

static bool is_zero(const enclosure *a) {
    for (int k = 0; k < a->terms; k++)
        if (mpz_sgn(a->c[k])) return false;
    return mpz_sgn(a->r) == 0;
}

/* The polynomial of a value in powers of time. */
static void set_path(enclosure c[SPLINE_TERMS], const path_motion *motion, size_t value, size_t count, int exponent) {
    enclosure b[4];
    if (motion->path) {
        spline_piece(c, motion->path, value, motion->begin, motion->end, exponent);
        return;
    }
    enclosure_init_all(b, 4);
    for (int k = 0; k < SPLINE_TERMS; k++) enclosure_set_whole(&c[k], 0);
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

static bool spline_fits(const path_motion *motion, size_t value) {
    const spline *path = motion->path;
    size_t first = spline_first_point(path, motion->begin);
    for (size_t i = first; i <= first + (size_t)path->degree; i++)
        if (!is_angle(path->control[i * path->values + value])) return false;
    return true;
}

static bool angles_fit(const path_motion *motion, size_t value, size_t count) {
    if (motion->path) return spline_fits(motion, value);
    if (!motion->cubic) return is_angle(motion->values[value]) && is_angle(motion->values[value + count]);
    for (int k = 0; k < 4; k++)
        if (!is_angle(motion->values[4 * value + (size_t)k])) return false;
    return true;
}

/* ---- joints ---- */

void joint_init(joint_motion *joint) {
    joint->turns = joint->screws = false;
    enclosure_init_all(joint->fixed, 9);
    enclosure_init_all(joint->cosine, 9);
    enclosure_init_all(joint->sine, 9);
    enclosure_init_all(joint->angle, SPLINE_TERMS);
    enclosure_init_all(joint->shift[0], 3 * SPLINE_TERMS);
    enclosure_init_all(joint->axis, 3);
    enclosure_init_all(joint->swing, 3);
    enclosure_init_all(joint->turned, 3);
}

void joint_clear(joint_motion *joint) {
    enclosure_clear_all(joint->fixed, 9);
    enclosure_clear_all(joint->cosine, 9);
    enclosure_clear_all(joint->sine, 9);
    enclosure_clear_all(joint->angle, SPLINE_TERMS);
    enclosure_clear_all(joint->shift[0], 3 * SPLINE_TERMS);
    enclosure_clear_all(joint->axis, 3);
    enclosure_clear_all(joint->swing, 3);
    enclosure_clear_all(joint->turned, 3);
}

/* Adds a value times a direction of the joint's frame to the position; `row` is the origin's rotation. */
static void add_shift(joint_motion *joint, const enclosure origin[9], const enclosure direction[3],
                      const enclosure path[SPLINE_TERMS]) {
    enclosure along;
    enclosure_init(&along);
    for (int i = 0; i < 3; i++) {
        enclosure_mul(&along, &origin[3 * i], &direction[0]);
        for (int k = 1; k < 3; k++) enclosure_add_mul(&along, &origin[3 * i + k], &direction[k]);
        for (int k = 0; k < SPLINE_TERMS; k++)
            if (!is_zero(&path[k])) enclosure_add_mul(&joint->shift[i][k], &along, &path[k]);
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
    for (int i = 0; i < 3; i++) enclosure_copy(&joint->axis[i], &unit[i]);
    turn_set(unit, joint->fixed, joint->cosine, joint->sine);
    enclosure_init_all(whole, 9);
    for (int p = 0; p < 3; p++) {
        for (int i = 0; i < 9; i++) enclosure_copy(&whole[i], &origin[i]);
        matrix_multiply(whole, parts[p]);
        if (start) matrix_multiply(whole, start);
        for (int i = 0; i < 9; i++) enclosure_copy(&parts[p][i], &whole[i]);
    }
    enclosure_clear_all(whole, 9);
}

/* A rotation that does not change: what is left of a turn of less than 2^-99 goes into the bounds. */
static void set_still(joint_motion *joint, const enclosure origin[9], const enclosure start[9], bool near) {
    for (int i = 0; i < 9; i++) enclosure_copy(&joint->fixed[i], &origin[i]);
    if (start) matrix_multiply(joint->fixed, start);
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
        return rotation_refuse(reason, "a rotation vector beyond 2^20");
    enclosure start[9], unit[3], angle;
    enclosure_init_all(start, 9);
    enclosure_init_all(unit, 3);
    enclosure_init(&angle);
    matrix_of_vector(from, start);
    bool near = false, still, good = true;
    if (turn) {
        still = !vector_direction(turn, unit, &angle);
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
    for (int k = 0; k < SPLINE_TERMS; k++) enclosure_set_whole(&joint->angle[k], 0);
    if (good && !still) enclosure_copy(&joint->angle[1], &angle);
    enclosure_clear_all(start, 9);
    enclosure_clear_all(unit, 3);
    enclosure_clear(&angle);
    return good;
}

/* The translation of planar and free joints, along the axes of the joint's frame. */
static void add_shifts(joint_motion *joint, const enclosure origin[9], const path_motion *motion, size_t first,
                       size_t count, int shifts, int exponent) {
    enclosure axis[3], path[SPLINE_TERMS];
    enclosure_init_all(axis, 3);
    enclosure_init_all(path, SPLINE_TERMS);
    for (int k = 0; k < shifts; k++) {
        set_axis(axis, k);
        set_path(path, motion, first + (size_t)k, count, exponent);
        add_shift(joint, origin, axis, path);
    }
    enclosure_clear_all(axis, 3);
    enclosure_clear_all(path, SPLINE_TERMS);
}

/* Revolute, prismatic and planar joints: one value about or along an axis. */
static bool set_scalar(joint_motion *joint, const enclosure origin[9], const path_link *link, const path_motion *motion,
                       size_t value, size_t count, int exponent, char reason[VERIFY_TEXT]) {
    enclosure axis[3], length, path[SPLINE_TERMS];
    enclosure_init_all(axis, 3);
    enclosure_init(&length);
    enclosure_init_all(path, SPLINE_TERMS);
    bool slides = link->joint == JOINT_PRISMATIC, good = true;
    if (link->joint == JOINT_PLANAR)
        set_axis(axis, 2);
    else
        good = vector_direction(link->axis, axis, &length) || rotation_refuse(reason, "an axis that is zero");
    if (good && !slides) good = angles_fit(motion, value, count) || rotation_refuse(reason, "an angle beyond 2^20");
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
    enclosure_clear_all(path, SPLINE_TERMS);
    return good;
}

/* ---- screws ---- */

/* Angles below 2^-60: t and 0 to within 2^-119 and 2^-60. */
static void small_screw_functions(enclosure *s, enclosure *q, const enclosure *time) {
    enclosure_copy(s, time);
    mpz_add_ui(s->r, s->r, 1u << 9);
    enclosure_set_whole(q, 0);
    mpz_ui_pow_ui(q->r, 2, FIXED_BITS - 60);
}

/* 1/x; false where x may be zero. */
static bool invert(enclosure *f, const enclosure *x) {
    enclosure one, size;
    enclosure_init(&one);
    enclosure_init(&size);
    long sign = mpz_sgn(x->c[0]) < 0 ? -1 : 1;
    enclosure_set_whole(&one, sign);
    enclosure_scale_long(&size, x, sign);
    bool good = enclosure_divide(f, &one, &size);
    enclosure_clear(&one);
    enclosure_clear(&size);
    return good;
}

/* 1 - f */
static void complement(enclosure *f) {
    enclosure one;
    enclosure_init(&one);
    enclosure_set_whole(&one, 1);
    enclosure_sub(f, &one, f);
    enclosure_clear(&one);
}

/* sin(θt)/θ and (1 - cos θt)/θ at the times `time`. */
static void screw_functions(enclosure *s, enclosure *q, const enclosure *angle, const enclosure *time) {
    enclosure at, inverse, sine, cosine;
    enclosure *all[] = {&at, &inverse, &sine, &cosine};
    for (int i = 0; i < 4; i++) enclosure_init(all[i]);
    enclosure_most(at.r, angle);
    if (mpz_sizeinbase(at.r, 2) <= FIXED_BITS - 60) {
        small_screw_functions(s, q, time);
    } else {
        bool known = invert(&inverse, angle);
        enclosure_mul(&at, angle, time);
        enclosure_sine(&sine, &cosine, &at);
        complement(&cosine);
        enclosure_mul(s, &sine, &inverse);
        enclosure_mul(q, &cosine, &inverse);
        if (!known) { /* neither is larger than 1 */
            mpz_ui_pow_ui(s->r, 2, FIXED_BITS + 1);
            mpz_set(q->r, s->r);
        }
    }
    for (int i = 0; i < 4; i++) enclosure_clear(all[i]);
}

/* Sets what `across` needs at the start so that it is the way after the whole turn:
   (p·across - q·axis×across)/(p² + q²), with p and q the functions at time 1. */
static bool set_swing(joint_motion *joint, const enclosure across[3]) {
    enclosure p, q, one, chord, part, turned[3];
    enclosure *all[] = {&p, &q, &one, &chord, &part};
    for (int i = 0; i < 5; i++) enclosure_init(all[i]);
    enclosure_init_all(turned, 3);
    enclosure_set_whole(&one, 1);
    screw_functions(&p, &q, &joint->angle[1], &one);
    enclosure_mul(&chord, &p, &p);
    enclosure_add_mul(&chord, &q, &q);
    vector_cross(turned, joint->axis, across);
    bool good = true;
    for (int i = 0; i < 3 && good; i++) {
        enclosure_mul(&joint->turned[i], &q, &turned[i]);
        enclosure_mul(&part, &p, &across[i]);
        enclosure_sub(&part, &part, &joint->turned[i]);
        good = enclosure_divide(&joint->swing[i], &part, &chord);
    }
    if (good) vector_cross(joint->turned, joint->axis, joint->swing);
    for (int i = 0; i < 5; i++) enclosure_clear(all[i]);
    enclosure_clear_all(turned, 3);
    return good;
}

/* v := origin·v */
static void into_parent(const enclosure origin[9], enclosure v[3]) {
    enclosure in[3];
    enclosure_init_all(in, 3);
    for (int i = 0; i < 3; i++) enclosure_copy(&in[i], &v[i]);
    for (int i = 0; i < 3; i++) vector_dot(&v[i], &origin[3 * i], in);
    enclosure_clear_all(in, 3);
}

/* The way from start to end as a screw, in place of the straight one that the joint has. */
static bool set_screw(joint_motion *joint, const enclosure origin[9], const path_motion *motion, size_t first,
                      size_t count, int shifts, int exponent) {
    enclosure way[3], path[SPLINE_TERMS], along;
    enclosure_init_all(way, 3);
    enclosure_init_all(path, SPLINE_TERMS);
    enclosure_init(&along);
    for (int k = 0; k < 3; k++) {
        enclosure_set_whole(&way[k], 0);
        if (k < shifts) set_path(path, motion, first + (size_t)k, count, exponent);
        if (k < shifts) enclosure_copy(&way[k], &path[1]);
    }
    vector_dot(&along, joint->axis, way);
    for (int k = 0; k < 3; k++) { /* path: along the axis */
        enclosure_mul(&path[k], &along, &joint->axis[k]);
        enclosure_sub(&way[k], &way[k], &path[k]);
    }
    joint->screws = set_swing(joint, way);
    if (joint->screws) {
        into_parent(origin, joint->swing);
        into_parent(origin, joint->turned);
        into_parent(origin, path);
        for (int i = 0; i < 3; i++) enclosure_copy(&joint->shift[i][1], &path[i]);
    }
    enclosure_clear_all(way, 3);
    enclosure_clear_all(path, SPLINE_TERMS);
    enclosure_clear(&along);
    return joint->screws;
}

/* A turn that is too small to be told from none bends the way by less than 2^-97 of its length. */
static void blur_way(joint_motion *joint) {
    mpz_t most;
    mpz_init(most);
    for (int i = 0; i < 3; i++) {
        enclosure_most(most, &joint->shift[i][1]);
        mpz_cdiv_q_2exp(most, most, 95);
        for (int k = 0; k < 3; k++) mpz_add(joint->shift[k][0].r, joint->shift[k][0].r, most);
    }
    mpz_clear(most);
}

static bool is_screw(const path_motion *motion, size_t index) { return motion->screws && motion->screws[index]; }

/* ---- the whole ---- */

static void set_position(joint_motion *joint, const path_link *link, int exponent) {
    for (int i = 0; i < 3; i++) {
        enclosure_set_double(&joint->shift[i][0], link->position[i], exponent);
        for (int k = 1; k < SPLINE_TERMS; k++) enclosure_set_whole(&joint->shift[i][k], 0);
    }
}

static bool is_ball(joint_kind joint) { return joint == JOINT_SPHERICAL || joint == JOINT_FREE; }

/* The number of values of the joint along axes of its frame; its rotation comes after them. */
static int shifts_of(joint_kind joint) { return joint == JOINT_FREE ? 3 : joint == JOINT_PLANAR ? 2 : 0; }

static bool is_possible(const path_link *link, const path_motion *motion, size_t index, char reason[VERIFY_TEXT]) {
    if (is_ball(link->joint) && (motion->cubic || motion->path))
        return rotation_refuse(reason, "a curved path of a joint that is not scalar");
    if (is_screw(motion, index) && !shifts_of(link->joint))
        return rotation_refuse(reason, "a screw of a joint that is neither planar nor free");
    return true;
}

static bool set_turning(joint_motion *joint, const enclosure origin[9], const path_link *link,
                        const path_motion *motion, size_t first, size_t count, size_t index, int exponent,
                        char reason[VERIFY_TEXT]) {
    size_t value = first + (size_t)shifts_of(link->joint);
    if (link->joint == JOINT_FIXED) {
        set_still(joint, origin, NULL, false);
        return true;
    }
    if (!is_ball(link->joint)) return set_scalar(joint, origin, link, motion, value, count, exponent, reason);
    const double *from = motion->values + value, *turn = motion->turns ? motion->turns[index] : NULL;
    return set_ball(joint, origin, from, from + count, turn && !isnan(turn[0]) ? turn : NULL, reason);
}

bool joint_set(joint_motion *joint, const path_link *link, const path_motion *motion, size_t first, size_t count,
               size_t index, int exponent, char reason[VERIFY_TEXT]) {
    int shifts = shifts_of(link->joint);
    enclosure origin[9];
    enclosure_init_all(origin, 9);
    joint->turns = joint->screws = false;
    set_position(joint, link, exponent);
    bool good = matrix_of_quaternion(link->rotation, origin) || rotation_refuse(reason, "a rotation that is zero");
    good = good && is_possible(link, motion, index, reason);
    if (good) add_shifts(joint, origin, motion, first, count, shifts, exponent);
    good = good && set_turning(joint, origin, link, motion, first, count, index, exponent, reason);
    if (good && is_screw(motion, index)) {
        const enclosure *angle = &joint->angle[1];
        if (!joint->turns)
            blur_way(joint);
        else if (mpz_sgn(angle->c[0]) || mpz_sgn(angle->r))
            good = set_screw(joint, origin, motion, first, count, shifts, exponent) ||
                   rotation_refuse(reason, "no screw leads there by a whole number of turns");
    }
    enclosure_clear_all(origin, 9);
    return good;
}

/* ---- at a time ---- */

/* … ((c3 t + c2) t + c1) t + c0 */
static void path_at(enclosure *f, const enclosure c[SPLINE_TERMS], const enclosure *time) {
    enclosure product;
    int top = SPLINE_TERMS - 1;
    while (top > 0 && is_zero(&c[top])) top--;
    enclosure_init(&product);
    enclosure_copy(f, &c[top]);
    for (int k = top - 1; k >= 0; k--) {
        enclosure_mul(&product, f, time);
        enclosure_add(f, &product, &c[k]);
    }
    enclosure_clear(&product);
}

static void add_screw(const joint_motion *joint, const enclosure *time, frame *f) {
    enclosure s, q;
    enclosure_init(&s);
    enclosure_init(&q);
    screw_functions(&s, &q, &joint->angle[1], time);
    for (int i = 0; i < 3; i++) {
        enclosure_add_mul(&f->m[i][3], &s, &joint->swing[i]);
        enclosure_add_mul(&f->m[i][3], &q, &joint->turned[i]);
    }
    enclosure_clear(&s);
    enclosure_clear(&q);
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
                turn_mix(&f->m[i][j], &joint->fixed[at], &joint->cosine[at], &cosine, &joint->sine[at], &sine);
            else
                enclosure_copy(&f->m[i][j], &joint->fixed[at]);
        }
        path_at(&f->m[i][3], joint->shift[i], time);
    }
    if (joint->screws) add_screw(joint, time, f);
    enclosure_clear(&angle);
    enclosure_clear(&sine);
    enclosure_clear(&cosine);
}
