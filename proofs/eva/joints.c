/* Every kind of joint on every kind of motion, with any finite numbers. */
#include "verify/joints.h"

#include "__fc_builtin.h"
#include <float.h>
#include <math.h>

/* Of numbers, as the standard says. */
double fmax(double x, double y) { return x > y ? x : y; }
double atan2(double y, double x) {
    (void)y, (void)x;
    return Frama_C_double_interval(-4, 4);
}

static double any(void) { return Frama_C_double_interval(-DBL_MAX, DBL_MAX); }

static void fill(double *x, int count) {
    for (int i = 0; i < count; i++) x[i] = any();
}

static void set(joint_kind kind, bool cubic, const spline *path, bool turned, bool screwed) {
    static double values[4 * 6], turns[1][3];
    static char reason[VERIFY_TEXT];
    bool screws[1] = {screwed};
    path_link link = {.parent = -1, .joint = kind};
    fill(values, 24), fill(turns[0], 3);
    fill(link.position, 3), fill(link.rotation, 4), fill(link.axis, 3);
    path_motion motion = {.cubic = cubic, .values = values, .path = path, .begin = 0, .end = 1, .screws = screws};
    if (turned) motion.turns = (const double(*)[3])turns;
    joint_motion joint;
    joint_init(&joint);
    if (joint_set(&joint, &link, &motion, 0, joint_values(kind), 0, Frama_C_interval(-1074, 1024), reason)) {
        enclosure time;
        frame f, composed, seen;
        enclosure_init(&time);
        enclosure_set_whole(&time, 1);
        frame_init(&f), frame_init(&composed), frame_init(&seen);
        joint_frame(&joint, &time, &f);
        frame_compose(&composed, &f, &f);
        frame_seen_from(&seen, &f, &composed);
        frame_clear(&f), frame_clear(&composed), frame_clear(&seen);
        enclosure_clear(&time);
    }
    joint_clear(&joint);
}

/* Knots that spline_fault has nothing against, one piece and two, of every degree. */
static void splines(void) {
    static double knots[2 * SPLINE_TERMS + 2], control[6 * (SPLINE_TERMS + 1)];
    for (int degree = 1; degree < SPLINE_TERMS; degree++)
        for (int pieces = 1; pieces <= 2; pieces++) {
            spline s = {
                .degree = degree, .count = (size_t)(degree + pieces), .values = 6, .knots = knots, .control = control};
            fill(control, 6 * (degree + pieces));
            for (int i = 0; i < 2 * degree + pieces + 1; i++)
                knots[i] = i <= degree ? 0 : i == degree + 1 && pieces == 2 ? 0.5 : 1;
            if (spline_fault(&s)) continue;
            for (joint_kind kind = JOINT_REVOLUTE; kind <= JOINT_PLANAR; kind += kind == JOINT_PRISMATIC ? 2 : 1)
                set(kind, false, &s, false, kind == JOINT_PLANAR);
        }
}

/* Any knots: what is no spline is told, and nothing else is read. */
static void faults(void) {
    static double knots[6];
    fill(knots, 6);
    for (int degree = 1; degree <= 2; degree++) {
        spline s = {.degree = degree, .count = (size_t)(5 - degree), .values = 1, .knots = knots};
        spline_fault(&s);
        if (s.count > (size_t)degree) spline_first_point(&s, any());
    }
}

int main(void) {
    for (joint_kind kind = JOINT_FIXED; kind <= JOINT_FREE; kind++)
        for (int how = 0; how < 8; how++) set(kind, how & 1, NULL, how & 2, how & 4);
    splines();
    faults();
    return 0;
}
