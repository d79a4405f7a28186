/* As trace.cpp, for what steps and curves do with the numbers of pairs: windows, parts of start distances, looks in
   float. usage: trace_steps FILE.v */
#include "traced.hpp"

#include <cfloat>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

using traced64 = proofs::number<double>;
using traced32 = proofs::number<float>;
using plain = double;
using plain_float = float;

#define double traced64
#define float traced32
#include "pair/pair_unit.h"

#include "numerics/as_float.h"

#include "numerics/kept.h"
#include "pair/far.h"
#include "pair/far_look.h"
#include "pair/narrowed.h"
#include "pair/swept.h"

#include "numerics/as_double.h"

#include "pair/view_kernel.h"

/* ---- what stands around the functions that are cut out ---- */

typedef struct gz_curve {
    v_vec size;
    double separation;
} gz_curve;

namespace cut_out {
#include CUT
}

#undef double
#undef float

using namespace proofs;

template <class T> static number<T> input(T value, int size, bool positive = false) {
    return variable_of<T>(value, size, positive, false);
}

static int part(int at, int side, op what) {
    if (now().nodes[(size_t)at].what != what) {
        fprintf(stderr, "trace_steps: a value is no longer the operation that the proof looks at\n");
        exit(1);
    }
    return side ? now().nodes[(size_t)at].b : now().nodes[(size_t)at].a;
}

/* ---- boxes of windows (3) ---- */

/* Variables: both ends of a coordinate, the time, what a box grows by; then both sides of the box before it grows. */
static void trace_window(FILE *out) {
    now() = {};
    traced64 a[3] = {input(-1.0, 160), 0, 0}, b[3] = {input(3.0, 160), 0, 0};
    traced64 t = input(0.5, 0, true), grow = input(0.25, 160, true);
    gz_box box;
    gz_window_box(a, b, t, grow, &box);
    traced64 from[3] = {b[0], 0, 0}, to[3] = {a[0], 0, 0};
    gz_box back; /* x on the other side */
    gz_window_box(from, to, t, grow, &back);
    writer<plain> w(out, "TracedWindow");
    int above = part(box.hi[0].at, 0, op::add), below = part(back.lo[0].at, 0, op::sub);
    w.value("forth", part(above, 0, op::add));
    w.value("slack", part(above, 1, op::add));
    w.value("above", above);
    w.value("back", part(below, 0, op::sub));
    w.value("slack_back", part(below, 1, op::sub));
    w.value("below", below);
    w.input(above, 163, false);
    w.input(below, 163, false);
    w.value("wider", part(box.hi[0].at, 1, op::add));
    w.value("high", box.hi[0].at);
    w.value("wider_back", part(back.lo[0].at, 1, op::sub));
    w.value("low", back.lo[0].at);
    w.constant("WINDOW_SLACK", GZ_WINDOW_SLACK);
    w.constant("WINDOW_TINY", GZ_WINDOW_TINY);
}

/* ---- adjacent doubles (4.7) ---- */

/* What has to be for the volume polynomial to fall over a bracket. Variables: its Bernstein coefficients, their slack,
   the product of the sizes, both ends of the bracket; its width. */
static void trace_falling_volume(FILE *out) {
    now() = {};
    gz_volume volume = {};
    for (int i = 0; i < 4; i++) volume.c[i] = input(0.5 + 0.125 * i, 4);
    volume.slack = input(0.25, 1, true);
    volume.size = input(0.5, 3, true);
    traced64 lower = input(0.25, 0, true), upper = input(0.5, 0, true);
    gz_adjacent_volume(NULL, NULL, &volume, 1, &lower, &upper);
    const decision test = now().decisions.back();
    if (strcmp(test.sign, ">") != 0) part(0, 0, op::lost);
    writer<plain> w(out, "TracedFalling");
    int change = part(test.b, 1, op::add);
    w.input(part(change, 1, op::mul), 0, true);
    w.value("slope", part(part(test.a, 0, op::mul), 0, op::neg));
    w.value("fall", test.a);
    w.value("least", test.b);
    w.constant("CURVE", GZ_VOLUME_CURVE);
}

/* ---- curves (4.13) ---- */

/* A difference of two curves along n, on a part of the time. Variables: four control points of one vertex, four of
   another, n, the sizes of the differences, the part's ends, the separation. */
static void trace_curve(FILE *out) {
    now() = {};
    traced64 x[2][4][3];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 4; j++)
            for (int c = 0; c < 3; c++) x[i][j][c] = input(0.25 * (1 + i) + 0.125 * j + 0.0625 * c, 160);
    v_vec n = {input(0.0625, 325), input(0.03125, 325), input(1.0, 325)};
    gz_curve curve = {};
    curve.size = {input(16.0, 162, true), input(16.0, 162, true), input(16.0, 162, true)};
    traced64 from = input(0.25, 0, true), to = input(0.75, 0, true);
    curve.separation = input(0.25, 160, true);
    traced64 c[4], made[4], least = cut_out::least_along(&curve, n);
    for (int j = 0; j < 4; j++) {
        v_vec w = cut_out::difference(x[1][j], x[0][j]);
        c[j] = vec_dot(n, w);
    }
    cut_out::gz_curve_part(c, from, to, made);
    writer<plain> w(out, "TracedCurve");
    for (int j = 0; j < 4; j++) {
        std::string name = std::to_string(j);
        made[j] -= least;
        w.value(("part_" + name).c_str(), part(made[j].at, 0, op::sub));
        w.value(("compared_" + name).c_str(), made[j].at);
    }
    w.value("least", least.at);
    w.constant("CURVE_SLACK", GZ_CURVE_SLACK);
    w.constant("DOT_TINY", GZ_DOT_TINY);
    w.constant("NORM_UP", GZ_NORM_UP);
}

/* ---- pairs that keep a part of their distance (3, 8) ---- */

/* Variables: the computed distance, the size of the pair, the part. */
static void trace_kept_distance(FILE *out) {
    now() = {};
    traced64 distance = input(4.0, 163, true), size = input(8.0, 162, true), kept_part = input(0.5, 0, true);
    traced64 kept = gz_kept_separation(distance, size, kept_part, 0);
    writer<plain> w(out, "TracedKeptDistance");
    w.value("slack", part(part(kept.at, 1, op::mul), 1, op::sub));
    w.value("kept", kept.at);
    w.constant("SLACK", GZ_CLOSEST_SLACK);
    w.constant("TINY", GZ_CLOSEST_TINY);
}

/* Variables: the part, the time, the longest way along an axis, the largest difference of two coordinates; the part
   over the rest. */
static void trace_kept(FILE *out) {
    now() = {};
    gz_kept_step step = {};
    step.part = input(0.5, 0, true);
    traced64 window = input(0.5, 0, true);
    step.motion = input(4.0, 161, true);
    step.span = input(8.0, 161, true);
    step.separation = step.tolerance = 0;
    traced64 most = gz_kept_bound(&step, window);
    writer<plain> w(out, "TracedKept");
    int product = part(part(part(most.at, 0, op::add), 0, op::mul), 0, op::mul);
    w.value("quotient", product);
    w.input(product, 10, true);
    w.value("most", most.at);
    w.constant("DIAGONAL", GZ_KEPT_DIAGONAL);
    w.constant("TOLERANCE", GZ_KEPT_TOLERANCE);
    w.constant("UP", GZ_KEPT_UP);
    w.constant("TINY", GZ_KEPT_TINY);
}

int main(int count, char **arguments) {
    FILE *out = count == 2 ? fopen(arguments[1], "w") : NULL;
    if (!out) {
        fprintf(stderr, "usage: trace_steps FILE.v\n");
        return 2;
    }
    fprintf(out, "(* Written by trace_steps.cpp from the library's code. *)\n"
                 "From Coq Require Import ZArith QArith List.\nRequire Import Rounding Given.\n"
                 "Open Scope Z_scope.\n\n");
    trace_window(out);
    trace_falling_volume(out);
    trace_curve(out);
    trace_kept_distance(out);
    trace_kept(out);
    return fclose(out) == 0 ? 0 : 1;
}
