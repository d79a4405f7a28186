/* As trace.cpp, for what bodies and links move on: pieces of splines, control positions, joints, sines. usage:
   trace_models FILE.v */
#include "traced.hpp"

#include <cfloat>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#if defined(__SSE2__)
#include <immintrin.h> /* before double is another word */
#endif

namespace proofs {
/* The larger or smaller one itself: a path through a branch. */
template <class T> inline number<T> fmax(number<T> a, number<T> b) { return a < b ? b : a; }
template <class T> inline number<T> fmin(number<T> a, number<T> b) { return b < a ? b : a; }
} // namespace proofs

using traced64 = proofs::number<double>;
using plain = double;

#define double traced64
#include "motion/taylor.h"

/* ---- what stands around the functions that are cut out ---- */

enum { GRAZE_MAX_DEGREE = 7 };
typedef struct graze_path {
    size_t degree;
    const double *knots, *control;
} graze_path;
typedef struct gz_span {
    double begin, end;
} gz_span;
typedef struct gz_matrix {
    double m[3][4];
} gz_matrix;
typedef struct gz_turn {
    gz_matrix fixed, cosine, sine;
    double axis[3];
} gz_turn;

#include CUT
#undef double

using namespace proofs;

static traced64 input(plain value, int size, bool positive = false) {
    return variable_of<plain>(value, size, positive, false);
}

static void stop(const char *why) {
    fprintf(stderr, "trace_models: %s\n", why);
    exit(1);
}

/* A part of an operation, which has to be the one that the proof looks at. */
static int part(int at, int side, op what) {
    if (now().nodes[(size_t)at].what != what) stop("a value is no longer the operation that the proof looks at");
    return side ? now().nodes[(size_t)at].b : now().nodes[(size_t)at].a;
}

static std::string numbered(const char *name, int i) { return name + ("_" + std::to_string(i)); }

/* ---- splines (9.7) ---- */

/* The Bézier values of a piece of degree 7. Variables: eight control points, the last of them the largest; then the
   part of each mean, whose quotient is traced by itself. */
static void trace_spline(FILE *out) {
    enum { DEGREE = 7, COUNT = DEGREE + 1 };
    now() = {};
    traced64 control[COUNT], knots[2 * COUNT], bezier[COUNT];
    for (int i = 0; i < COUNT; i++) control[i] = input(0.5 + 0.125 * i, 500);
    for (int i = 0; i < 2 * COUNT; i++) knots[i] = i + 1;
    graze_path path = {DEGREE, knots, control};
    int first = (int)now().nodes.size();
    traced64 off = gz_spline_piece(&path, DEGREE, 0, 1, 8.25, 8.75, bezier);
    int last = (int)now().nodes.size();
    writer<plain> w(out, "TracedSpline");
    for (int at = first; at < last; at++)
        if (now().nodes[(size_t)at].what == op::div) w.input(at, 0, true);
    std::string list;
    for (int i = 0; i < COUNT; i++) {
        w.value(numbered("value", i).c_str(), bezier[i].at);
        list += numbered("value", i) + " :: ";
    }
    w.text("Definition values : list expr := (" + list + "nil).");
    w.value("off", off.at);
    w.constant("ERROR", GZ_SPLINE_ERROR);
    w.constant("TINY", GZ_TAYLOR_TINY);
}

/* Variables: a knot, the next one, a time. */
static void trace_spline_part(FILE *out) {
    now() = {};
    traced64 knots[3] = {0, input(-0.5, 160), input(2, 160)}, time = input(0.25, 160);
    traced64 control[2] = {0.5, 0.75}, bezier[2];
    graze_path path = {1, knots, control};
    gz_spline_piece(&path, 1, 0, 1, time, 2, bezier);
    writer<plain> w(out, "TracedSplinePart");
    w.value("part", part(part(bezier[0].at, 1, op::add), 0, op::mul));
}

/* ---- control positions (12.1) ---- */

static void write_controls(writer<plain> &w, const traced64 q[4], traced64 off) {
    for (int k = 0; k < 4; k++) w.value(numbered("control", k).c_str(), q[k].at);
    w.value("off", off.at);
    w.constant("SLACK", GZ_CONTROL_SLACK);
    w.constant("TINY", GZ_TAYLOR_TINY);
}

/* A coordinate that moves straight. Variables: both ends, the second the larger one; a window. */
static void trace_straight(FILE *out) {
    now() = {};
    traced64 x0 = input(0.5, 160), x1 = input(-2, 160), q[4];
    gz_span span = {input(0.25, 0, true), input(0.5, 0, true)};
    traced64 off = straight(x0, x1, span, q);
    writer<plain> w(out, "TracedStraight");
    write_controls(w, q, off);
}

/* A coordinate of a curve. Variables: four control values, the last of them the largest; a window. */
static void trace_cubic(FILE *out) {
    now() = {};
    traced64 c[4] = {input(0.5, 160), input(0.75, 160), input(1, 160), input(-2, 160)}, q[4];
    gz_span span = {input(0.25, 0, true), input(0.5, 0, true)};
    traced64 off = cubic(c, span, q);
    writer<plain> w(out, "TracedCubic");
    write_controls(w, q, off);
}

/* A coordinate of a point in a frame. Variables: four coefficients of each of four entries, their sizes, their
   remainders; the point. */
static void trace_turned(FILE *out) {
    now() = {};
    gz_frame_model frame;
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < 4; j++) frame.c[k][0][j] = input(0.5 + 0.125 * k + 0.0625 * j, 200);
    for (int j = 0; j < 4; j++) frame.n[0][j] = input(8, 200, true);
    for (int j = 0; j < 4; j++) frame.r[0][j] = input(0.25, 200, true);
    traced64 x[3] = {input(1, 160), input(-2, 160), input(3, 160)}, q[4], off = turned(&frame, 0, x, q);
    writer<plain> w(out, "TracedTurned");
    write_controls(w, q, off);
}

/* ---- joints (9.3) ---- */

/* origin · axis matrices, row by row. Variables: the rotation of the origin, row by row; the axis. */
static void trace_joint(FILE *out) {
    now() = {};
    gz_matrix before;
    gz_turn turn;
    traced64 axis[3];
    for (int i = 0; i < 9; i++) before.m[i / 3][i % 3] = input(0.125 * (i + 1), 1);
    for (int i = 0; i < 3; i++) axis[i] = input(0.25 * (i + 1), 1);
    gz_turn_about(&before, axis, NULL, &turn);
    writer<plain> w(out, "TracedJoint");
    const gz_matrix *made[3] = {&turn.fixed, &turn.cosine, &turn.sine};
    static const char *const names[3] = {"fixed", "cosine", "sine"};
    for (int m = 0; m < 3; m++) {
        std::string list;
        for (int i = 0; i < 9; i++) {
            w.value(numbered(names[m], i).c_str(), made[m]->m[i / 3][i % 3].at);
            list += numbered(names[m], i) + " :: ";
        }
        w.text("Definition " + std::string(names[m]) + " : list expr := (" + list + "nil).");
    }
    w.constant("ERROR", GZ_JOINT_ERROR);
}

int main(int count, char **arguments) {
    FILE *out = count == 2 ? fopen(arguments[1], "w") : NULL;
    if (!out) {
        fprintf(stderr, "usage: trace_models FILE.v\n");
        return 2;
    }
    fprintf(out, "(* Written by trace_models.cpp from the library's code. *)\n"
                 "From Coq Require Import ZArith QArith List.\nRequire Import Rounding Given.\n"
                 "Open Scope Z_scope.\n\n");
    trace_spline(out);
    trace_spline_part(out);
    trace_straight(out);
    trace_cubic(out);
    trace_turned(out);
    trace_joint(out);
    return fclose(out) == 0 ? 0 : 1;
}
