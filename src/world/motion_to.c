/* What is written here is rounded, and defines a motion of its own: the caller proves that one. */
#include "world/motion_to.h"

#include "motion/screw.h"
#include "motion/sine.h"

#include <math.h>
#include <string.h>

#define HALF_A_CIRCLE 3.14159 /* a turn of that much may have no shorter way once it is rounded */

typedef struct block {
    struct block *next;
    size_t size; /* with this header */
} block;

#define HEADER 64 /* of a block, so that what follows is aligned as memory of the context */

/* One motion: as it was given, and where the copy's numbers are. */
typedef struct part {
    const gz_body *body;
    graze_body_motion given;
    double (*x[4])[3]; /* positions of STRAIGHT and CUBIC bodies */
    graze_motion joints, joints_given, joints_rest;
    double *to, *curves; /* values at the end; Bézier values */
} part;

struct gz_motions_to {
    graze_context *context;
    const graze_world *world;
    size_t count;
    block *blocks;
    part *parts;
    graze_body_motion *list, *rest;
    bool whole; /* no joint had a turn of its own */
};

/* ---- memory ---- */

static void *take(gz_motions_to *to, size_t count, size_t size) {
    if (size && count > (SIZE_MAX - HEADER) / size) return NULL;
    block *made = gz_allocate(to->context, HEADER + count * size);
    if (!made) return NULL;
    *made = (block){to->blocks, HEADER + count * size};
    to->blocks = made;
    return memset((char *)made + HEADER, 0, count * size);
}

void gz_motions_to_close(graze_context *context, gz_motions_to *to) {
    if (!to) return;
    for (block *at = to->blocks, *next; at; at = next) {
        next = at->next;
        gz_release(context, at, at->size);
    }
    gz_release(context, to, sizeof *to);
}

/* ---- room ---- */

/* The turn that a joint is given; NULL where it takes the shorter way. */
static const double *given_turn(const graze_motion *motion, uint32_t index) {
    const double *turn = motion->turns ? motion->turns[index] : NULL;
    return turn && !isnan(turn[0]) && !isnan(turn[1]) && !isnan(turn[2]) ? turn : NULL;
}

static const char *open_turn(gz_motions_to *to, const gz_link *link, const double *turn) {
    if (!turn || (link->joint != GRAZE_JOINT_SPHERICAL && link->joint != GRAZE_JOINT_FREE)) return NULL;
    to->whole = false;
    return gz_length(turn) < HALF_A_CIRCLE ? NULL : "a joint turns by half a circle or more, and has no shorter way";
}

static bool open_joints(gz_motions_to *to, part *at, const char **why) {
    const graze_model *model = &at->body->model;
    graze_motion *joints = &at->joints;
    if (!at->given.joints) return true;
    *joints = at->joints_given = gz_motion_at(gz_motions_from(at->given.joints, 0), 0);
    joints->struct_size = sizeof *joints;
    for (uint32_t i = 0; i < model->count && !*why; i++) *why = open_turn(to, &model->links[i], given_turn(joints, i));
    size_t values = joints->bezier ? joints->degree + 1 : joints->cubic ? 4 : 0;
    at->to = take(to, model->values, sizeof *at->to);
    at->curves = take(to, model->values * values, sizeof *at->curves);
    joints->turns = NULL;
    joints->to = at->to;
    if (joints->bezier)
        joints->bezier = at->curves;
    else if (joints->cubic)
        joints->cubic = (const double(*)[4])at->curves;
    return at->to && at->curves;
}

static bool open_positions(gz_motions_to *to, part *at, graze_body_motion *motion) {
    graze_body_kind kind = at->body->kind;
    bool straight = kind == GRAZE_BODY_STRAIGHT;
    if (!straight && kind != GRAZE_BODY_CUBIC) return true;
    for (int k = 0; k < 4; k++) {
        if (straight && k % 3) continue;
        at->x[k] = take(to, at->body->shape->mesh.vertex_count, sizeof *at->x[k]);
        if (!at->x[k]) return false;
        if (!straight) motion->control[k] = (const double(*)[3])at->x[k];
    }
    if (straight) motion->x0 = (const double(*)[3])at->x[0], motion->x1 = (const double(*)[3])at->x[3];
    motion->stride = sizeof *at->x[0];
    return true;
}

static bool open_parts(gz_motions_to *to, const graze_body_motion *given, const char **why) {
    to->list = take(to, to->count, sizeof *to->list);
    to->rest = take(to, to->count, sizeof *to->rest);
    to->parts = take(to, to->count, sizeof *to->parts);
    if (!to->list || !to->rest || !to->parts) return false;
    for (size_t i = 0; i < to->count && !*why; i++) {
        part *at = &to->parts[i];
        at->given = to->list[i] = gz_body_motion_at(given, i);
        at->body = to->world->bodies[at->given.body];
        if (!open_positions(to, at, &to->list[i]) || !open_joints(to, at, why)) return false;
        if (at->given.joints) to->list[i].joints = &at->joints;
    }
    return true;
}

gz_motions_to *gz_motions_to_open(graze_context *context, const graze_world *world, const graze_body_motion *given,
                                  size_t count, const char **why) {
    gz_motions_to *to = gz_allocate(context, sizeof *to);
    if (!to) return NULL;
    *to = (gz_motions_to){.context = context, .world = world, .count = count, .whole = true};
    if (open_parts(to, given, why)) return to;
    gz_motions_to_close(context, to);
    return NULL;
}

bool gz_motions_to_are_whole(const gz_motions_to *to) { return to->whole; }

const graze_body_motion *gz_motions_to_list(const gz_motions_to *to) { return to->list; }

/* ---- numbers ---- */

/* Rounded, but never beyond the ends. */
static double between(double a, double b, double alpha) {
    double x = a + alpha * (b - a), low = a < b ? a : b, high = a < b ? b : a;
    return alpha == 1 ? b : x < low ? low : x > high ? high : x;
}

static const double *position(const void *x, size_t stride, uint32_t v) {
    return (const double *)(const void *)((const char *)x + stride * v);
}

/* The first part of a Bézier curve: `degree` rounds, of which each leaves its first value. */
static void first_part(double *b, uint32_t degree, double alpha) {
    for (uint32_t round = 0; round < degree && alpha != 1; round++)
        for (uint32_t k = degree; k > round; k--) b[k] = alpha == 0 ? b[0] : between(b[k - 1], b[k], alpha);
}

static gz_quaternion product(const gz_quaternion *a, const gz_quaternion *b) {
    gz_quaternion q = {.w = a->w * b->w - (a->v[0] * b->v[0] + a->v[1] * b->v[1] + a->v[2] * b->v[2])};
    for (int c = 0; c < 3; c++) {
        int i = (c + 1) % 3, j = (c + 2) % 3;
        q.v[c] = a->w * b->v[c] + b->w * a->v[c] + (a->v[i] * b->v[j] - a->v[j] * b->v[i]);
    }
    return q;
}

/* The rotation after a part of a turn. */
static gz_quaternion turned(const double turn[3], double alpha, const gz_quaternion *start) {
    double way[3] = {alpha * turn[0], alpha * turn[1], alpha * turn[2]};
    gz_quaternion by = gz_quaternion_of_vector(way);
    return product(&by, start);
}

/* How far a screw has led, which leads by `way` in all. */
static void screwed(const double turn[3], const double way[3], double alpha, double to[3]) {
    double axis[3] = {0, 0, 1}, angle = gz_length(turn);
    gz_screw screw;
    for (int c = 0; c < 3; c++) to[c] = alpha * way[c];
    if (!(angle > 0) || !gz_normalise(turn, axis) || !gz_screw_about(axis, angle, way, &screw)) return;
    double half = alpha * gz_sinc_of(0.5 * angle * alpha);
    double s = alpha * gz_sinc_of(angle * alpha), bend = 0.5 * half * half;
    for (int c = 0; c < 3; c++) to[c] = alpha * screw.slide[c] + s * screw.swing[c] + bend * screw.bend[c];
}

/* ---- bodies ---- */

static bool set_positions(const part *at, double alpha) {
    const graze_body_motion *given = &at->given;
    bool straight = at->body->kind == GRAZE_BODY_STRAIGHT, moved = false;
    size_t stride = given->stride ? given->stride : sizeof *at->x[0];
    for (uint32_t v = 0; v < at->body->shape->mesh.vertex_count; v++)
        for (int c = 0; c < 3; c++) {
            double b[4];
            for (int k = 0; k < 4; k++) {
                const void *x = straight ? (k < 2 ? given->x0 : given->x1) : given->control[k];
                b[k] = position(x, stride, v)[c];
            }
            if (straight)
                b[3] = alpha == 0 ? b[0] : between(b[0], b[3], alpha);
            else
                first_part(b, 3, alpha);
            for (int k = 0; k < 4; k++) {
                if (at->x[k]) at->x[k][v][c] = b[k];
                moved |= b[k] != b[0] && (!straight || k == 3);
            }
        }
    return moved;
}

static bool set_matrix(const part *at, double alpha, graze_body_motion *motion) {
    bool moved = false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            double from = at->given.matrix0[i][j];
            motion->matrix1[i][j] = alpha == 0 ? from : between(from, at->given.matrix1[i][j], alpha);
            moved |= motion->matrix1[i][j] != from;
        }
    return moved;
}

static gz_quaternion unit(const double q[4]) {
    double most = fmax(fmax(fabs(q[0]), fabs(q[1])), fmax(fabs(q[2]), fabs(q[3]))), e[4];
    for (int c = 0; c < 4; c++) e[c] = q[c] / most;
    double length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    return (gz_quaternion){e[0] / length, {e[1] / length, e[2] / length, e[3] / length}};
}

/* Between the ends alone: those are numbers that were given. */
static void set_pose(const part *at, double alpha, graze_body_motion *motion) {
    const graze_frame *from = &at->given.pose0, *to = &at->given.pose1;
    gz_quaternion a = unit(from->rotation), b = unit(to->rotation);
    double turn[3], way[3], led[3];
    bool turns = gz_turn_between(&a, &b, turn) > 0;
    for (int c = 0; c < 3; c++) way[c] = to->position[c] - from->position[c];
    screwed(turn, way, alpha, led);
    for (int c = 0; c < 3; c++)
        motion->pose1.position[c] = motion->path == GRAZE_PATH_SCREW && turns
                                        ? from->position[c] + led[c]
                                        : between(from->position[c], to->position[c], alpha);
    if (!turns) return;
    gz_quaternion q = turned(turn, alpha, &a);
    motion->pose1.rotation[0] = q.w;
    memcpy(motion->pose1.rotation + 1, q.v, sizeof q.v);
}

static void set_rotvec(const part *at, double alpha, graze_body_motion *motion) {
    for (int c = 0; c < 3; c++) {
        motion->pose1.position[c] = between(at->given.pose0.position[c], at->given.pose1.position[c], alpha);
        motion->rotvec1[c] = between(at->given.rotvec0[c], at->given.rotvec1[c], alpha);
    }
}

static bool set_rigid(const part *at, double alpha, graze_body_motion *motion) {
    const graze_body_motion *given = &at->given;
    motion->pose1 = alpha == 0 ? given->pose0 : given->pose1;
    memcpy(motion->rotvec1, alpha == 0 ? given->rotvec0 : given->rotvec1, sizeof motion->rotvec1);
    if (alpha > 0 && alpha < 1) (given->path == GRAZE_PATH_ROTVEC ? set_rotvec : set_pose)(at, alpha, motion);
    return memcmp(&motion->pose1, &given->pose0, sizeof given->pose0) != 0 ||
           memcmp(motion->rotvec1, given->rotvec0, sizeof given->rotvec0) != 0;
}

/* ---- joints ---- */

static double given_value(const double *values, uint32_t i) { return values ? values[i] : 0; }

/* A spherical joint, or the turn of a free one: value `v` and the two after it. */
static void set_turn(const part *at, uint32_t index, uint32_t v, double alpha, double turn[3]) {
    const graze_motion *given = &at->joints_given;
    const double *by = given_turn(given, index);
    double from[3], to[3], none[3] = {0, 0, 0};
    for (uint32_t c = 0; c < 3; c++) {
        from[c] = given_value(given->from, v + c);
        to[c] = given_value(given->to, v + c);
        at->to[v + c] = between(from[c], to[c], alpha);
    }
    gz_shorter_turn(from, to, turn);
    if (by) memcpy(turn, by, sizeof none);
    if ((given->rotvecs && given->rotvecs[index]) || (alpha == 1 && !by)) return;
    gz_quaternion start = gz_quaternion_of_vector(from), zero = gz_quaternion_of_vector(none);
    gz_quaternion end = turned(turn, alpha, &start);
    if (gz_length(turn) > 0) gz_turn_between(&zero, &end, at->to + v);
    if (gz_length(turn) == 0) memcpy(at->to + v, from, sizeof from);
}

static void set_screw(const part *at, uint32_t v, double alpha, const double turn[3], int shifts) {
    double way[3] = {0, 0, 0}, led[3];
    for (int c = 0; c < shifts; c++) {
        uint32_t i = v + (uint32_t)c;
        way[c] = given_value(at->joints_given.to, i) - given_value(at->joints_given.from, i);
    }
    screwed(turn, way, alpha, led);
    for (int c = 0; c < shifts && alpha != 1; c++) {
        uint32_t i = v + (uint32_t)c;
        at->to[i] = given_value(at->joints_given.from, i) + led[c];
    }
}

static void set_joint(const part *at, uint32_t index, double alpha) {
    const gz_link *link = &at->body->model.links[index];
    const graze_motion *given = &at->joints_given;
    uint32_t v = link->first_value;
    int shifts = link->joint == GRAZE_JOINT_FREE ? 3 : link->joint == GRAZE_JOINT_PLANAR ? 2 : 0;
    double turn[3] = {0, 0, 0};
    if (link->joint == GRAZE_JOINT_SPHERICAL) set_turn(at, index, v, alpha, turn);
    if (link->joint == GRAZE_JOINT_FREE) set_turn(at, index, v + 3, alpha, turn);
    if (link->joint == GRAZE_JOINT_PLANAR) turn[2] = given_value(given->to, v + 2) - given_value(given->from, v + 2);
    if (given->screws && given->screws[index] && gz_length(turn) > 0) set_screw(at, v, alpha, turn, shifts);
}

static bool set_curves(const part *at, double alpha) {
    const graze_motion *given = &at->joints_given;
    const double *from = given->bezier ? given->bezier : given->cubic[0];
    uint32_t degree = given->bezier ? given->degree : 3;
    bool moved = false;
    for (size_t v = 0; v < at->body->model.values; v++) {
        double *b = at->curves + v * (degree + 1);
        memcpy(b, from + v * (degree + 1), (degree + 1) * sizeof *b);
        first_part(b, degree, alpha);
        for (uint32_t k = 1; k <= degree; k++) moved |= b[k] != b[0];
        at->to[v] = b[degree];
    }
    return moved;
}

static bool set_joints(const part *at, double alpha) {
    const graze_motion *given = &at->joints_given;
    bool moved = false;
    if (!at->given.joints) return false;
    if (given->bezier || given->cubic) return set_curves(at, alpha);
    for (uint32_t v = 0; v < at->body->model.values; v++)
        at->to[v] = between(given_value(given->from, v), given_value(given->to, v), alpha);
    for (uint32_t i = 0; i < at->body->model.count && alpha > 0; i++) set_joint(at, i, alpha);
    for (uint32_t v = 0; v < at->body->model.values; v++) {
        if (alpha == 0) at->to[v] = given_value(given->from, v);
        moved |= at->to[v] != given_value(given->from, v);
    }
    return moved;
}

/* ---- all of them ---- */

static bool set_part(const part *at, double alpha, graze_body_motion *motion) {
    switch (at->body->kind) {
    case GRAZE_BODY_MODEL: return set_joints(at, alpha);
    case GRAZE_BODY_STRAIGHT:
    case GRAZE_BODY_CUBIC: return set_positions(at, alpha);
    case GRAZE_BODY_AFFINE: return set_matrix(at, alpha, motion);
    case GRAZE_BODY_RIGID: return set_rigid(at, alpha, motion);
    default: return false;
    }
}

bool gz_motions_to_set(gz_motions_to *to, double alpha) {
    bool moved = false;
    for (size_t i = 0; i < to->count; i++) moved |= set_part(&to->parts[i], alpha, &to->list[i]);
    return moved;
}

static void stand(part *at, graze_body_motion *motion) {
    memcpy(motion->matrix0, motion->matrix1, sizeof motion->matrix0);
    memcpy(motion->rotvec0, motion->rotvec1, sizeof motion->rotvec0);
    motion->pose0 = motion->pose1;
    motion->x0 = motion->x1;
    for (int k = 0; k < 3; k++) motion->control[k] = motion->control[3];
    if (!at->given.joints) return;
    at->joints_rest = graze_default_motion();
    at->joints_rest.from = at->joints_rest.to = at->to;
    at->joints_rest.rotvecs = at->joints.rotvecs;
    motion->joints = &at->joints_rest;
}

const graze_body_motion *gz_motions_to_rest(gz_motions_to *to) {
    for (size_t i = 0; i < to->count; i++) {
        to->rest[i] = to->list[i];
        stand(&to->parts[i], &to->rest[i]);
    }
    return to->rest;
}
