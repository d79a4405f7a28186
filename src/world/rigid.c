#include "world/rigid.h"

#include "motion/sine.h"

#include <math.h>

/* A turn within this of π has no shorter way. */
#define NO_DIRECTION 1e-9

static const gz_matrix one = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

static graze_status refuse(const char **why, const char *reason, graze_status status) {
    *why = reason;
    return status;
}

static bool in_range(const double x[3]) {
    for (int c = 0; c < 3; c++)
        if (!(fabs(x[c]) <= GRAZE_MAX_COORDINATE)) return false;
    return true;
}

/* With entries below 1. */
static gz_quaternion scaled(const double q[4]) {
    int exponent;
    frexp(fmax(fmax(fabs(q[0]), fabs(q[1])), fmax(fabs(q[2]), fabs(q[3]))), &exponent);
    return (gz_quaternion){ldexp(q[0], -exponent),
                           {ldexp(q[1], -exponent), ldexp(q[2], -exponent), ldexp(q[3], -exponent)}};
}

static bool are_equal(const gz_quaternion *a, const gz_quaternion *b) {
    return a->w == b->w && a->v[0] == b->v[0] && a->v[1] == b->v[1] && a->v[2] == b->v[2];
}

/* Stays as it is, to within `error`. */
static void set_fixed(gz_joint_motion *joint, const gz_matrix *start, double error) {
    joint->turn = (gz_turn){.fixed = *start};
    joint->matrix_error = error;
}

/* The rotation by `angle` about `axis`, after the one that it starts from. */
static void set_turn(gz_joint_motion *joint, const gz_matrix *start, const double axis[3], double angle) {
    gz_turn_about(&one, axis, start, &joint->turn);
    joint->matrix_error = GZ_TURN_ERROR * (1 + angle);
    joint->angle[1] = joint->spin = angle;
    joint->angle_error = GZ_PATH_ERROR * angle;
    joint->turns = true;
}

/* A rotation vector that moves straight. */
static graze_status set_rotvec(gz_joint_motion *joint, const double from[3], const double to[3], const char **why) {
    double sizes = gz_length(from) + gz_length(to);
    if (!(gz_length(from) <= GZ_MAX_ANGLE) || !(gz_length(to) <= GZ_MAX_ANGLE))
        return refuse(why, "a rotation vector is not finite or beyond 2^20", GRAZE_ERR_NOT_FINITE);
    set_fixed(joint, &one, 0);
    joint->rotvecs = sizes > 0;
    joint->rotvec = gz_rotvec_between(from, to);
    joint->turns = from[0] != to[0] || from[1] != to[1] || from[2] != to[2];
    if (joint->turns) joint->spin = (gz_length(joint->rotvec.way) + GZ_PATH_ERROR * sizes) * GZ_TAYLOR_UP;
    return GRAZE_OK;
}

static graze_status set_way(gz_joint_motion *joint, const graze_body_motion *motion, const double axis[3], double angle,
                            const char **why) {
    double way[3];
    bool bent = motion->path == GRAZE_PATH_SCREW && angle > 0;
    for (int i = 0; i < 3; i++) {
        double from = motion->pose0.position[i], to = motion->pose1.position[i];
        way[i] = to - from;
        joint->shift[i][0] = from;
        joint->shift[i][1] = bent ? 0 : way[i];
        joint->shift_error += GZ_PATH_ERROR * (fabs(from) + fabs(to));
    }
    joint->moves = way[0] != 0 || way[1] != 0 || way[2] != 0;
    if (!bent || !joint->moves) return GRAZE_OK;
    if (!gz_screw_about(axis, angle, way, &joint->screw))
        return refuse(why, "no screw leads there", GRAZE_ERR_INVALID_ARGUMENT);
    joint->screws = true;
    double stretch = joint->screw.stretch;
    joint->shift_error += GZ_SCREW_ERROR * (1 + angle) * stretch * stretch * gz_length(way);
    for (int i = 0; i < 3; i++) joint->shift[i][1] = joint->screw.slide[i];
    return GRAZE_OK;
}

/* The shorter way between two rotations: axis and angle. */
static graze_status set_shorter(gz_joint_motion *joint, const graze_body_motion *motion, double axis[3], double *angle,
                                const char **why) {
    gz_matrix start, end;
    bool exact, end_exact;
    double turn[3];
    if (!gz_matrix_of_quaternion(motion->pose0.rotation, &start, &exact) ||
        !gz_matrix_of_quaternion(motion->pose1.rotation, &end, &end_exact))
        return refuse(why, "a rotation is zero or not finite", GRAZE_ERR_INVALID_ARGUMENT);
    gz_quaternion from = scaled(motion->pose0.rotation), to = scaled(motion->pose1.rotation);
    *angle = gz_turn_between(&from, &to, turn);
    if (*angle > 3.141592653589793 - NO_DIRECTION)
        return refuse(why, "half a circle has no shorter way: take two steps", GRAZE_ERR_INVALID_ARGUMENT);
    if (*angle > 0 && !gz_normalise(turn, axis)) *angle = 0;
    if (are_equal(&from, &to))
        set_fixed(joint, &start, exact ? 0 : GZ_JOINT_ERROR);
    else if (*angle == 0)
        set_fixed(joint, &start, GZ_TURN_ERROR);
    else
        set_turn(joint, &start, axis, *angle);
    return GRAZE_OK;
}

graze_status gz_rigid_motion(const graze_body_motion *motion, gz_joint_motion *joint, const char **why) {
    double axis[3] = {0, 0, 1}, angle = 0;
    *joint = (gz_joint_motion){.degree = 3};
    if ((unsigned)motion->path > GRAZE_PATH_ROTVEC)
        return refuse(why, "no path has that number", GRAZE_ERR_INVALID_ARGUMENT);
    if (!in_range(motion->pose0.position) || !in_range(motion->pose1.position))
        return refuse(why, "a position is not finite or beyond 2^160", GRAZE_ERR_NOT_FINITE);
    graze_status status = motion->path == GRAZE_PATH_ROTVEC ? set_rotvec(joint, motion->rotvec0, motion->rotvec1, why)
                                                            : set_shorter(joint, motion, axis, &angle, why);
    return status == GRAZE_OK ? set_way(joint, motion, axis, angle, why) : status;
}
