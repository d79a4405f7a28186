#include "cli/world/places.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cross(const double a[3], const double b[3], double to[3]) {
    for (int c = 0; c < 3; c++) to[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
}

static void between(const double *a, const double *b, double t, double to[3]) {
    for (int c = 0; c < 3; c++) to[c] = (1 - t) * (a ? a[c] : 0) + t * (b ? b[c] : 0);
}

/* ---- rotations: w, x, y, z ---- */

static void product(const double a[4], const double b[4], double to[4]) {
    double v[3];
    cross(a + 1, b + 1, v);
    to[0] = a[0] * b[0] - dot(a + 1, b + 1);
    for (int c = 0; c < 3; c++) to[1 + c] = a[0] * b[1 + c] + b[0] * a[1 + c] + v[c];
}

static void unit(const double q[4], double to[4]) {
    double largest = fmax(fmax(fabs(q[0]), fabs(q[1])), fmax(fabs(q[2]), fabs(q[3]))), p[4];
    for (int i = 0; i < 4; i++) p[i] = q[i] / largest;
    double length = sqrt(p[0] * p[0] + dot(p + 1, p + 1));
    for (int i = 0; i < 4; i++) to[i] = p[i] / length;
}

static void exponential(const double v[3], double q[4]) {
    double angle = sqrt(dot(v, v)), part = angle > 0 ? sin(angle / 2) / angle : 0;
    q[0] = cos(angle / 2);
    for (int c = 0; c < 3; c++) q[1 + c] = part * v[c];
}

/* The rotation vector of the shorter way between unit rotations. */
static void shorter(const double from[4], const double to[4], double v[3]) {
    const double back[4] = {from[0], -from[1], -from[2], -from[3]};
    double q[4];
    product(to, back, q);
    double sine = sqrt(dot(q + 1, q + 1)), sign = q[0] < 0 ? -1 : 1;
    double part = sine > 0 ? sign * 2 * atan2(sine, fabs(q[0])) / sine : 0;
    for (int c = 0; c < 3; c++) v[c] = part * q[1 + c];
}

/* A part t of the turn after a rotation. */
static void turn_on(const double from[4], const double turn[3], double t, double to[4]) {
    const double part[3] = {t * turn[0], t * turn[1], t * turn[2]};
    double q[4];
    exponential(part, q);
    product(q, from, to);
}

void cli_point_at(const graze_frame *pose, const double x[3], double to[3]) {
    const double *q = pose->rotation;
    double once[3], twice[3];
    cross(q + 1, x, once);
    cross(q + 1, once, twice);
    for (int c = 0; c < 3; c++) to[c] = pose->position[c] + x[c] + 2 * (q[0] * once[c] + twice[c]);
}

graze_frame cli_pose_within(const graze_frame *outer, const graze_frame *inner) {
    graze_frame pose;
    product(outer->rotation, inner->rotation, pose.rotation);
    cli_point_at(outer, inner->position, pose.position);
    return pose;
}

/* ---- ways ---- */

/* The origin of a screw, by way of a point on its axis. */
static void screw_on(const double *from, const double *to, const double turn[3], double t, double at[3]) {
    double angle = sqrt(dot(turn, turn)), axis[3], way[3], around[3], q[4];
    between(from, to, t, at);
    if (!(angle > 0)) return;
    graze_frame moved = {{0}, {1, 0, 0, 0}};
    double start[3], across[3];
    for (int c = 0; c < 3; c++) axis[c] = turn[c] / angle, way[c] = to[c] - from[c];
    double along = dot(axis, way);
    cross(axis, way, around);
    for (int c = 0; c < 3; c++) across[c] = way[c] - along * axis[c];
    for (int c = 0; c < 3; c++) start[c] = -(across[c] + around[c] / tan(angle / 2)) / 2;
    turn_on(moved.rotation, turn, t, q);
    memcpy(moved.rotation, q, sizeof q);
    cli_point_at(&moved, start, at);
    for (int c = 0; c < 3; c++) at[c] += from[c] - start[c] + t * along * axis[c];
}

void cli_rigid_pose(const graze_body_motion *motion, double t, graze_frame *pose) {
    double from[4], to[4], turn[3];
    between(motion->pose0.position, motion->pose1.position, t, pose->position);
    if (motion->path == GRAZE_PATH_ROTVEC) {
        between(motion->rotvec0, motion->rotvec1, t, turn);
        exponential(turn, pose->rotation);
        return;
    }
    unit(motion->pose0.rotation, from);
    unit(motion->pose1.rotation, to);
    shorter(from, to, turn);
    turn_on(from, turn, t, pose->rotation);
    if (motion->path == GRAZE_PATH_SCREW)
        screw_on(motion->pose0.position, motion->pose1.position, turn, t, pose->position);
}

/* ---- joints ---- */

static double value_at(const graze_motion *motion, size_t i, double t) {
    double p[4];
    if (!motion->cubic) return (1 - t) * (motion->from ? motion->from[i] : 0) + t * (motion->to ? motion->to[i] : 0);
    memcpy(p, motion->cubic[i], sizeof p);
    for (int level = 3; level > 0; level--)
        for (int k = 0; k < level; k++) p[k] = (1 - t) * p[k] + t * p[k + 1];
    return p[0];
}

/* A spherical or free joint's; `turn` becomes that of the whole way. */
static void rotation_at(const cli_joint *joint, const graze_motion *motion, size_t value, double t, double turn[3],
                        double q[4]) {
    static const double none[3] = {0, 0, 0};
    const double *from = motion->from ? motion->from + value : none, *to = motion->to ? motion->to + value : none;
    double start[4], end[4];
    if (motion->rotvecs && motion->rotvecs[joint->link]) {
        between(from, to, t, turn);
        exponential(turn, q);
        return;
    }
    exponential(from, start);
    exponential(to, end);
    bool given = motion->turns && !isnan(motion->turns[joint->link][0]);
    if (given)
        memcpy(turn, motion->turns[joint->link], 3 * sizeof *turn);
    else
        shorter(start, end, turn);
    turn_on(start, turn, t, q);
}

static void about_axis(const double axis[3], double angle, double v[3]) {
    double length = sqrt(dot(axis, axis));
    for (int c = 0; c < 3; c++) v[c] = axis[c] / length * angle;
}

void cli_joint_pose(const cli_joint *joint, const graze_motion *motion, double t, graze_frame *pose) {
    graze_frame inner = {{0, 0, 0}, {1, 0, 0, 0}}, outer = joint->origin;
    static const double z[3] = {0, 0, 1};
    size_t first = joint->value, shifts = joint->kind == GRAZE_JOINT_PLANAR ? 2 : 3;
    double v[3], ends[2][3] = {{0}};
    bool screws = motion->screws && motion->screws[joint->link];
    unit(joint->origin.rotation, outer.rotation);
    switch (joint->kind) {
    case GRAZE_JOINT_FIXED: break;
    case GRAZE_JOINT_REVOLUTE:
        about_axis(joint->axis, value_at(motion, first, t), v);
        exponential(v, inner.rotation);
        break;
    case GRAZE_JOINT_PRISMATIC: about_axis(joint->axis, value_at(motion, first, t), inner.position); break;
    case GRAZE_JOINT_SPHERICAL: rotation_at(joint, motion, first, t, v, inner.rotation); break;
    case GRAZE_JOINT_PLANAR:
    case GRAZE_JOINT_FREE:
        for (size_t c = 0; c < shifts; c++) {
            inner.position[c] = value_at(motion, first + c, t);
            ends[0][c] = motion->from ? motion->from[first + c] : 0;
            ends[1][c] = motion->to ? motion->to[first + c] : 0;
        }
        if (joint->kind == GRAZE_JOINT_FREE) {
            rotation_at(joint, motion, first + 3, t, v, inner.rotation);
        } else {
            about_axis(z, value_at(motion, first + 2, t), v);
            exponential(v, inner.rotation);
            about_axis(z, value_at(motion, first + 2, 1) - value_at(motion, first + 2, 0), v);
        }
        if (screws) screw_on(ends[0], ends[1], v, t, inner.position);
        break;
    }
    *pose = cli_pose_within(&outer, &inner);
}
