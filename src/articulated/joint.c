/* The motion of a joint: from values to coefficients, and from coefficients to Taylor models. */
#include "articulated/joint.h"

#include "motion/sine.h"

#include <math.h>
#include <string.h>

/* A rotation vector within this of π has no shorter way. */
#define NO_DIRECTION 1e-9

static graze_status refuse(const char **why, const char *reason, graze_status status) {
    *why = reason;
    return status;
}

/* ---- values ---- */

/* The polynomial of joint value `i`, in powers of t, and a size that its roundings are relative to. */
typedef struct value_path {
    double c[GRAZE_MAX_DEGREE + 1], size;
    double most;  /* no value of it is larger */
    double rate;  /* of change, at most, where that is known apart from the coefficients; else 0 */
    double error; /* that the values came with */
} value_path;

static value_path straight_path(double from, double to) {
    return (value_path){{from, to - from}, fabs(from) + fabs(to), fmax(fabs(from), fabs(to)), 0, 0};
}

static value_path cubic_path(const double b[4]) {
    double most = fmax(fmax(fabs(b[0]), fabs(b[1])), fmax(fabs(b[2]), fabs(b[3])));
    if (isnan(b[0] + b[1] + b[2] + b[3])) most = NAN;
    return (value_path){
        {b[0], 3 * (b[1] - b[0]), 3 * ((b[0] - b[1]) + (b[2] - b[1])), (b[3] - b[0]) + 3 * (b[1] - b[2])},
        32 * most,
        most,
        0,
        0};
}

/* By differences: the coefficient of t^k is C(degree, k) times the k-th one. */
static value_path bezier_path(const double *b, int degree, double error) {
    /* not below 3^degree: the sizes of all coefficients add up to no more, for Bézier values of at most 1 */
    static const double sizes[] = {1, 4, 10, 32, 90, 260, 780, 2400};
    value_path path = {.error = error};
    double choose = 1, sum = 0, step = 0;
    for (int k = 0; k <= degree; k++) {
        path.c[k] = b[k];
        path.most = fmax(path.most, fabs(b[k]));
        sum += b[k];
        if (k) step = fmax(step, fabs(b[k] - b[k - 1]));
    }
    if (isnan(sum)) path.most = NAN;
    for (int k = 1; k <= degree; k++)
        for (int i = degree; i >= k; i--) path.c[i] -= path.c[i - 1];
    for (int k = 1; k <= degree; k++) {
        choose = choose * (degree - k + 1) / k;
        path.c[k] *= choose;
    }
    path.size = sizes[degree] * path.most;
    path.rate = degree * (step + 2 * error) * GZ_TAYLOR_UP;
    return path;
}

static value_path path_of(const graze_motion *motion, uint32_t i) {
    if (motion->bezier)
        return bezier_path(motion->bezier + (size_t)i * (motion->degree + 1), (int)motion->degree,
                           motion->bezier_error ? motion->bezier_error[i] : 0);
    if (motion->cubic) return cubic_path(motion->cubic[i]);
    return straight_path(motion->from ? motion->from[i] : 0, motion->to ? motion->to[i] : 0);
}

/* False for NaN, too: fmax leaves it out, the size does not. */
static bool usable(const value_path *path, double most) {
    return path->most <= most && path->size <= 2400 * most && path->error >= 0 && path->error <= most;
}

static bool is_still(const double *c) {
    for (int k = 1; k <= GRAZE_MAX_DEGREE; k++)
        if (c[k] != 0) return false;
    return true;
}

/* ---- rotations ---- */

static void set_angle(gz_joint_motion *joint, const value_path *angle) {
    memcpy(joint->angle, angle->c, sizeof joint->angle);
    joint->angle_error = GZ_PATH_ERROR * angle->size + angle->error;
    joint->turns = !is_still(angle->c);
    joint->spin = (fabs(angle->c[1]) + 2 * fabs(angle->c[2]) + 3 * fabs(angle->c[3]) + GZ_PATH_ERROR * angle->size) *
                  GZ_TAYLOR_UP;
    if (angle->rate > 0) joint->spin = angle->rate;
}

static void set_fixed_rotation(gz_joint_motion *joint, const gz_link *link) {
    joint->fixed = link->joint == GRAZE_JOINT_FIXED;
    joint->turn.fixed = link->rotation;
    joint->matrix_error = link->rotation_exact ? 0 : GZ_JOINT_ERROR;
}

static void set_scalar_rotation(gz_joint_motion *joint, const gz_link *link, const value_path *angle) {
    joint->turn = link->turn;
    set_angle(joint, angle);
    joint->matrix_error = link->rotation_exact && link->axis_exact ? 0 : GZ_JOINT_ERROR;
}

/* By what angle a joint turns about which unit vector of its frame, and a size that their roundings are relative to. */
typedef struct joint_turn {
    double axis[3], angle, sizes;
} joint_turn;

/* Spherical and free joints: a turn in the joint's frame after the rotation that it starts from. */
static graze_status set_turn(gz_joint_motion *joint, const gz_link *link, uint32_t index, const graze_motion *motion,
                             uint32_t first, joint_turn *made, const char **why) {
    double zero[3] = {0, 0, 0}, turn[3];
    const double *from = motion->from ? motion->from + first : zero, *to = motion->to ? motion->to + first : zero;
    const double *given = motion->turns ? motion->turns[index] : NULL;
    if (!(gz_length(from) <= GZ_MAX_ANGLE) || !(gz_length(to) <= GZ_MAX_ANGLE))
        return refuse(why, "its rotation vector is not finite or beyond 2^20", GRAZE_ERR_NOT_FINITE);
    if (given && !isnan(given[0]) && !isnan(given[1]) && !isnan(given[2])) {
        memcpy(turn, given, sizeof turn);
        if (!(gz_length(turn) <= GZ_MAX_ANGLE))
            return refuse(why, "its turn is not finite or beyond 2^20", GRAZE_ERR_OUT_OF_RANGE);
    } else if (gz_shorter_turn(from, to, turn) > 3.141592653589793 - NO_DIRECTION) {
        return refuse(why, "half a circle has no shorter way: say which by `turn`", GRAZE_ERR_INVALID_ARGUMENT);
    }
    gz_matrix start;
    bool exact;
    gz_quaternion q = gz_quaternion_of_vector(from);
    gz_matrix_of_quaternion((double[4]){q.w, q.v[0], q.v[1], q.v[2]}, &start, &exact);
    double angle = made->angle = gz_length(turn);
    if (angle > 0) gz_normalise(turn, made->axis);
    gz_turn_about(&link->rotation, made->axis, &start, &joint->turn);
    value_path path = straight_path(0, angle);
    set_angle(joint, &path);
    bool still = angle == 0 && gz_length(from) == 0;
    made->sizes = 1 + angle + gz_length(from) + gz_length(to);
    joint->matrix_error = still ? (link->rotation_exact ? 0 : GZ_JOINT_ERROR) : GZ_TURN_ERROR * made->sizes;
    return GRAZE_OK;
}

/* Spherical and free joints whose rotation vector moves straight. */
static graze_status set_rotvec(gz_joint_motion *joint, const gz_link *link, const double from[3], const double to[3],
                               const char **why) {
    if (!(gz_length(from) <= GZ_MAX_ANGLE) || !(gz_length(to) <= GZ_MAX_ANGLE))
        return refuse(why, "its rotation vector is not finite or beyond 2^20", GRAZE_ERR_NOT_FINITE);
    joint->turn.fixed = link->rotation;
    joint->matrix_error = link->rotation_exact ? 0 : GZ_JOINT_ERROR;
    joint->rotvecs = gz_length(from) > 0 || gz_length(to) > 0;
    joint->rotvec = gz_rotvec_between(from, to);
    joint->spin = (gz_length(joint->rotvec.way) + GZ_PATH_ERROR * (gz_length(from) + gz_length(to))) * GZ_TAYLOR_UP;
    for (int c = 0; c < 3; c++) joint->turns |= from[c] != to[c];
    if (!joint->turns) joint->spin = 0;
    return GRAZE_OK;
}

/* ---- translations ---- */

/* Adds (component along `direction` in the joint's frame) to the translation. */
static void add_shift(gz_joint_motion *joint, const gz_link *link, const double direction[3], const value_path *path) {
    for (int i = 0; i < 3; i++) {
        const double *row = link->rotation.m[i];
        double d = row[0] * direction[0] + row[1] * direction[1] + row[2] * direction[2];
        for (int k = 0; k <= joint->degree; k++) joint->shift[i][k] += d * path->c[k];
    }
    bool exact = link->rotation_exact && (link->joint != GRAZE_JOINT_PRISMATIC || link->axis_exact);
    joint->shift_error += (exact ? GZ_PATH_ERROR : GZ_SHIFT_ERROR) * path->size + path->error * (1 + GZ_SHIFT_ERROR);
    joint->moves |= !is_still(path->c);
    joint->speed += path->rate;
    joint->reach += 2 * path->most;
}

static void start_shift(gz_joint_motion *joint, const gz_link *link) {
    for (int i = 0; i < 3; i++) {
        joint->shift[i][0] = link->position[i];
        joint->shift_error += GZ_PATH_ERROR * fabs(link->position[i]);
    }
}

/* ---- screws ---- */

static void into_parent(const gz_link *link, double v[3]) {
    double in[3] = {v[0], v[1], v[2]};
    for (int i = 0; i < 3; i++) {
        const double *row = link->rotation.m[i];
        v[i] = row[0] * in[0] + row[1] * in[1] + row[2] * in[2];
    }
}

/* Planar and free joints that turn. */
static graze_status set_screw(gz_joint_motion *joint, const gz_link *link, const joint_turn *turn, const double way[3],
                              const char **why) {
    gz_screw *screw = &joint->screw;
    if (!gz_screw_about(turn->axis, turn->angle, way, screw))
        return refuse(why, "no screw leads there by a whole number of turns", GRAZE_ERR_INVALID_ARGUMENT);
    into_parent(link, screw->slide);
    into_parent(link, screw->swing);
    into_parent(link, screw->bend);
    joint->screws = joint->moves = true;
    joint->shift_error += GZ_SCREW_ERROR * turn->sizes * screw->stretch * screw->stretch * gz_length(way);
    for (int i = 0; i < 3; i++) joint->shift[i][1] = screw->slide[i];
    return GRAZE_OK;
}

/* ---- both ---- */

static graze_status bad_value(const char **why) {
    return refuse(why, "a joint value is not finite or out of range", GRAZE_ERR_NOT_FINITE);
}

/* Revolute and planar joints, whose angle is value `v`. */
static graze_status set_scalar_turn(gz_joint_motion *joint, const gz_link *link, const graze_motion *motion, uint32_t v,
                                    joint_turn *turn, const char **why) {
    value_path path = path_of(motion, v);
    if (!usable(&path, GZ_MAX_ANGLE)) return bad_value(why);
    set_scalar_rotation(joint, link, &path);
    turn->angle = path.c[1];
    turn->sizes = 1 + path.size;
    return GRAZE_OK;
}

static graze_status set_rotation(gz_joint_motion *joint, const gz_link *link, uint32_t index,
                                 const graze_motion *motion, joint_turn *turn, const char **why) {
    static const double none[3] = {0, 0, 0};
    uint32_t v = link->first_value;
    switch (link->joint) {
    case GRAZE_JOINT_REVOLUTE: return set_scalar_turn(joint, link, motion, v, turn, why);
    case GRAZE_JOINT_PLANAR: return set_scalar_turn(joint, link, motion, v + 2, turn, why);
    case GRAZE_JOINT_SPHERICAL:
    case GRAZE_JOINT_FREE:
        if (motion->cubic || motion->bezier)
            return refuse(why, "curved paths are for scalar joints", GRAZE_ERR_INVALID_ARGUMENT);
        v += link->joint == GRAZE_JOINT_FREE ? 3 : 0;
        if (motion->rotvecs && motion->rotvecs[index])
            return set_rotvec(joint, link, motion->from ? motion->from + v : none, motion->to ? motion->to + v : none,
                              why);
        return set_turn(joint, link, index, motion, v, turn, why);
    default: set_fixed_rotation(joint, link); return GRAZE_OK;
    }
}

/* True if the joint is to move by a screw; *why where it cannot. */
static bool is_screw(const gz_link *link, uint32_t index, const graze_motion *motion, const char **why) {
    if (!motion->screws || !motion->screws[index]) return false;
    if (link->joint != GRAZE_JOINT_PLANAR && link->joint != GRAZE_JOINT_FREE)
        *why = "screws are for planar and free joints";
    if (motion->cubic || motion->bezier) *why = "screws are not for curved paths";
    return true;
}

/* Says what is wrong with a rotation vector that is to move straight. */
static void check_rotvec(const gz_link *link, uint32_t index, const graze_motion *motion, const char **why) {
    const double *turn = motion->turns ? motion->turns[index] : NULL;
    if (!motion->rotvecs || !motion->rotvecs[index]) return;
    if (link->joint != GRAZE_JOINT_SPHERICAL && link->joint != GRAZE_JOINT_FREE)
        *why = "straight rotation vectors are for spherical and free joints";
    if (motion->screws && motion->screws[index])
        *why = "a joint moves by a screw or a straight rotation vector, not both";
    if (turn && !isnan(turn[0] + turn[1] + turn[2])) *why = "a rotation vector that moves straight has no `turn`";
}

static graze_status set_translation(gz_joint_motion *joint, const gz_link *link, const graze_motion *motion, bool screw,
                                    const joint_turn *turn, const char **why) {
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    bool slides = link->joint == GRAZE_JOINT_PRISMATIC, bent = screw && turn->angle != 0;
    int shifts = slides ? 1 : link->joint == GRAZE_JOINT_FREE ? 3 : link->joint == GRAZE_JOINT_PLANAR ? 2 : 0;
    double way[3] = {0, 0, 0};
    for (int k = 0; k < shifts; k++) {
        value_path path = path_of(motion, link->first_value + (uint32_t)k);
        if (!usable(&path, GRAZE_MAX_COORDINATE)) return bad_value(why);
        way[k] = path.c[1];
        if (bent) path.c[1] = 0;
        add_shift(joint, link, slides ? link->axis : axes[k], &path);
    }
    bent = bent && (way[0] != 0 || way[1] != 0 || way[2] != 0);
    return bent ? set_screw(joint, link, turn, way, why) : GRAZE_OK;
}

/* Bounds of the translation and its speed, from the finished coefficients; above degree 3 those of the values, which
   have been summed up, are tighter. */
static void bound_shift(gz_joint_motion *joint) {
    double start[3], speed[3], more[3];
    bool high = joint->degree > 3;
    joint->straight = true;
    for (int i = 0; i < 3; i++) {
        const double *c = joint->shift[i];
        joint->line[i] = c[1];
        start[i] = c[0];
        more[i] = fabs(c[1]) + fabs(c[2]) + fabs(c[3]);
        speed[i] = fabs(c[1]) + 2 * fabs(c[2]) + 3 * fabs(c[3]);
        for (int k = 2; k <= joint->degree; k++)
            if (c[k] != 0) joint->straight = false;
    }
    if (high) {
        joint->speed = (joint->speed + 8 * joint->shift_error) * GZ_TAYLOR_UP;
        joint->reach = (gz_length(start) + joint->reach + joint->shift_error) * GZ_TAYLOR_UP;
        return;
    }
    joint->speed = (gz_length(speed) + 8 * joint->shift_error) * GZ_TAYLOR_UP;
    joint->reach = (gz_length(start) + gz_length(more) + joint->shift_error) * GZ_TAYLOR_UP;
    if (!joint->screws) return;
    for (int i = 0; i < 3; i++) speed[i] = joint->screw.slide[i] + joint->screw.swing[i]; /* turns, and is as long */
    joint->straight = false;
    joint->speed = (gz_length(speed) + 8 * joint->shift_error) * GZ_TAYLOR_UP;
    joint->reach = (gz_length(start) + joint->speed + joint->shift_error) * GZ_TAYLOR_UP;
}

static bool is_identity(const gz_joint_motion *joint) {
    if (joint->turns || joint->moves || joint->rotvecs || joint->matrix_error > 0) return false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (joint->turn.fixed.m[i][j] + joint->turn.cosine.m[i][j] != (i == j) || joint->shift[i][0] != 0)
                return false;
    return joint->angle[0] == 0;
}

graze_status gz_joint_prepare(const gz_link *link, uint32_t index, const graze_motion *motion, gz_joint_motion *joint,
                              const char **why) {
    *joint = (gz_joint_motion){.degree = motion->bezier && motion->degree > 3 ? (int)motion->degree : 3};
    joint_turn turn = {.axis = {0, 0, 1}};
    bool screw = is_screw(link, index, motion, why);
    check_rotvec(link, index, motion, why);
    if (motion->bezier && motion->cubic) *why = "a path is cubic or bezier, not both";
    if (motion->bezier && !(motion->degree >= 1 && motion->degree <= GRAZE_MAX_DEGREE))
        *why = "the degree of its path is not 1 to 7";
    if (**why) return GRAZE_ERR_INVALID_ARGUMENT;
    start_shift(joint, link);
    graze_status status = set_rotation(joint, link, index, motion, &turn, why);
    if (status == GRAZE_OK) status = set_translation(joint, link, motion, screw, &turn, why);
    if (status != GRAZE_OK) return status;
    bound_shift(joint);
    joint->identity = is_identity(joint);
    return GRAZE_OK;
}

/* ---- windows ---- */

gz_window gz_window_of(double begin, double end) {
    double m = 0.5 * (begin + end), h = fmax(end - m, m - begin);
    return (gz_window){m, h * GZ_TAYLOR_UP};
}

double gz_window_place(gz_window window, double t) {
    double s = window.h > 0 ? (t - window.m) / window.h : 0;
    return s < -1 ? -1 : s > 1 ? 1 : s;
}

/* A polynomial in t as a cubic in s and what is left of it. Higher powers of s lie in [0, 1] or in [−1, 1]. */
static gz_taylor high_model(const double *given, int degree, double error, gz_window w) {
    double c[GRAZE_MAX_DEGREE + 1], power = 1;
    gz_taylor f = {.r = error};
    memcpy(c, given, sizeof c);
    for (int i = 0; i < degree; i++)
        for (int k = degree - 1; k >= i; k--) c[k] += w.m * c[k + 1];
    for (int k = 0; k <= degree; k++, power *= w.h) {
        double part = power * c[k], half = k % 2 ? 0 : 0.5 * part;
        if (k < 4) {
            f.c[k] = part;
        } else {
            f.c[0] += half;
            f.r += fabs(part - half);
        }
    }
    gz_taylor_close(&f);
    return f;
}

/* A cubic in t as one in s, with its error. */
static gz_taylor cubic_model(const double *c, double error, gz_window w) {
    gz_taylor f = {.r = error};
    if (c[2] == 0 && c[3] == 0) { /* a line: the same bits */
        f.c[0] = c[1] * w.m + c[0];
        f.c[1] = w.h * c[1];
    } else {
        f.c[0] = ((c[3] * w.m + c[2]) * w.m + c[1]) * w.m + c[0];
        f.c[1] = w.h * ((3 * c[3] * w.m + 2 * c[2]) * w.m + c[1]);
        f.c[2] = w.h * w.h * (3 * c[3] * w.m + c[2]);
        f.c[3] = w.h * w.h * w.h * c[3];
    }
    gz_taylor_close(&f);
    return f;
}

static gz_taylor path_model(const gz_joint_motion *joint, const double *c, double error, gz_window w) {
    return joint->degree > 3 ? high_model(c, joint->degree, error, w) : cubic_model(c, error, w);
}

/* Moves all but the constant into the bound: what interval arithmetic knows of the values. */
static void flatten(gz_taylor *f) {
    double half, middle = gz_taylor_range(f, &half);
    *f = gz_taylor_constant(middle, half);
}

static void still_frame(const gz_joint_motion *joint, gz_frame_model *frame) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            gz_frame_set(frame, i, j, gz_taylor_constant(joint->turn.fixed.m[i][j], joint->matrix_error));
        gz_frame_set(frame, i, 3, gz_taylor_constant(joint->shift[i][0], joint->shift_error));
    }
}

static void add_screw(const gz_screw *screw, gz_window window, gz_frame_model *frame) {
    gz_taylor s, c;
    gz_screw_models(screw, window, &s, &c);
    for (int i = 0; i < 3; i++) {
        gz_taylor bent = gz_taylor_mix(0, &s, screw->swing[i], &c, screw->bend[i], 0);
        gz_taylor straight = gz_frame_entry(frame, i, 3);
        gz_frame_set(frame, i, 3, gz_taylor_sum(&straight, &bent, 1));
    }
}

static void rotvec_rotation(const gz_kernels *kernels, const gz_joint_motion *joint, gz_window window, bool intervals,
                            gz_frame_model *frame) {
    gz_frame_model origin, turned;
    still_frame(joint, &origin);
    gz_rotvec_frame(&joint->rotvec, window, &turned);
    gz_frame_compose(kernels, &origin, &turned, window.h == 0, frame);
    for (int i = 0; i < 3 && intervals; i++)
        for (int j = 0; j < 3; j++) {
            gz_taylor entry = gz_frame_entry(frame, i, j);
            flatten(&entry);
            gz_frame_set(frame, i, j, entry);
        }
}

static void turn_rotation(const gz_kernels *kernels, const gz_joint_motion *joint, gz_window window, bool intervals,
                          gz_frame_model *frame) {
    gz_taylor angle = path_model(joint, joint->angle, joint->angle_error, window), sine, cosine;
    gz_taylor_sine(&angle, &sine, &cosine);
    if (intervals) {
        flatten(&sine);
        flatten(&cosine);
    }
    gz_frame_kernels(kernels)->turn(&joint->turn, &cosine, &sine, joint->matrix_error, frame);
}

void gz_joint_frame(const gz_kernels *kernels, const gz_joint_motion *joint, gz_window window, bool intervals,
                    gz_frame_model *frame) {
    if (joint->fixed) {
        still_frame(joint, frame);
        return;
    }
    if (joint->rotvecs)
        rotvec_rotation(kernels, joint, window, intervals, frame);
    else
        turn_rotation(kernels, joint, window, intervals, frame);
    for (int i = 0; i < 3; i++)
        gz_frame_set(frame, i, 3, path_model(joint, joint->shift[i], joint->shift_error, window));
    if (joint->screws) add_screw(&joint->screw, window, frame);
    for (int i = 0; i < 3 && intervals; i++) {
        gz_taylor origin = gz_frame_entry(frame, i, 3);
        flatten(&origin);
        gz_frame_set(frame, i, 3, origin);
    }
}
