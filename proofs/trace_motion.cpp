/* As trace.cpp, for src/motion and what articulated models and worlds do with it: runs the library's code on numbers
   that remember how they were computed, and writes the trees for Coq. usage: trace_motion FILE.v */
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
#include "motion/rounding.h"
#include "motion/taylor.h"

#include "motion/rotvec.c"
#undef double

using namespace proofs;

static traced64 input(plain value, int size, bool positive = false) {
    return variable_of<plain>(value, size, positive, false);
}

static void stop(const char *why) {
    fprintf(stderr, "trace: %s\n", why);
    exit(1);
}

/* Not followed: sines are not made of these operations alone. */
gz_sine gz_sine_of(traced64) {
    stop("a sine");
    return {};
}
traced64 gz_sinc_of(traced64) {
    stop("a sine");
    return {};
}

/* ---- roundings that have a side ---- */

/* Variables: center, half. */
static void trace_extent(FILE *out) {
    now() = {};
    traced64 center = input(-3, 500), half = input(0.5, 500, true), extent = gz_extent_of(center, half);
    writer<plain> w(out, "TracedExtent");
    w.value("extent", extent.at);
    w.constant("EXTENT_UP", GZ_EXTENT_UP);
}

/* Variables: separation, paddings. */
static void trace_reach(FILE *out) {
    now() = {};
    traced64 separation = input(0.25, 500, true), a = input(0.5, 500, true), b = input(0.125, 500, true), low, high;
    gz_reach_between(separation, a, b, &low, &high);
    writer<plain> w(out, "TracedReach");
    w.value("low", low.at);
    w.constant("REACH_DOWN", GZ_REACH_DOWN);
}

/* Variables: a vector, a distance. */
static void trace_unit(FILE *out) {
    now() = {};
    traced64 v[3] = {input(0.5, 1), input(-0.25, 1), input(0.75, 1)}, n[3], contact = input(0.5, 500, true);
    gz_unit_of(v, n);
    traced64 along = gz_contact_along(contact);
    writer<plain> w(out, "TracedUnit");
    for (int c = 0; c < 3; c++) w.value(("n_" + std::to_string(c)).c_str(), n[c].at);
    w.value("length", now().nodes[(size_t)n[0].at].b);
    w.value("along", along.at);
    w.constant("UNIT_UP", GZ_UNIT_UP);
}

/* Variables: a time, a gap, a speed. */
static void trace_wait(FILE *out) {
    now() = {};
    traced64 t = input(0.25, 0, true), gap = input(0.5, 500, true), speed = input(2, 500, true);
    traced64 after = gz_time_after(t, gap / speed);
    writer<plain> w(out, "TracedWait");
    w.value("after", after.at);
    w.constant("WAIT_DOWN", GZ_WAIT_DOWN);
}

/* Variables: a vector. */
static void trace_length(FILE *out) {
    now() = {};
    traced64 v[3] = {input(0.5, 500), input(-0.25, 500), input(0.75, 500)}, below = gz_length_below(v);
    writer<plain> w(out, "TracedLength");
    w.value("below", below.at);
    w.constant("LENGTH_DOWN", GZ_LENGTH_DOWN);
    w.constant("LENGTH_TINY", GZ_LENGTH_TINY);
}

/* ---- Taylor models ---- */

/* Coefficients, remainder, size. */
static gz_taylor draw_model(plain shift) {
    gz_taylor f;
    for (int k = 0; k < 4; k++) f.c[k] = input(1 + shift + 0.25 * k, 400);
    f.r = input(0.125, 400, true);
    f.n = input(16, 400, true);
    f.still = false;
    return f;
}

static void write_model(writer<plain> &w, const gz_taylor &f) {
    for (int k = 0; k < 4; k++) w.value(("c_" + std::to_string(k)).c_str(), f.c[k].at);
    w.value("r", f.r.at);
    w.value("n", f.n.at);
    w.constant("SLACK", GZ_TAYLOR_SLACK);
    w.constant("UP", GZ_TAYLOR_UP);
    w.constant("TINY", GZ_TAYLOR_TINY);
}

/* A part of an operation, which has to be the one that the proof looks at. */
static int part(int at, int side, op what) {
    if (now().nodes[(size_t)at].what != what) stop("a value is no longer the operation that the proof looks at");
    return side ? now().nodes[(size_t)at].b : now().nodes[(size_t)at].a;
}

/* The coefficients of s^4, s^5, s^6 in the remainder "(own + (half |d4| + |d5| + half |d6| + slack)) up + tiny". */
static void write_tail(writer<plain> &w, const gz_taylor &f) {
    int sum = part(part(part(f.r.at, 0, op::add), 0, op::mul), 1, op::add), tail = part(sum, 0, op::add);
    int two = part(tail, 0, op::add);
    w.value("d_4", part(part(part(two, 0, op::add), 1, op::mul), 0, op::abs));
    w.value("d_5", part(part(two, 1, op::add), 0, op::abs));
    w.value("d_6", part(part(part(tail, 1, op::add), 1, op::mul), 0, op::abs));
}

/* Variables: two models. */
static void trace_product(FILE *out) {
    now() = {};
    gz_taylor a = draw_model(0), b = draw_model(0.5), f = gz_taylor_product(&a, &b);
    writer<plain> w(out, "TracedProduct");
    write_model(w, f);
    write_tail(w, f);
}

/* ---- straight rotation vectors ---- */

/* A component that moves straight, over a window. Variables: its ends, the middle and half of the window. */
static void trace_path(FILE *out) {
    now() = {};
    traced64 from[3] = {input(0.5, 400), 0, 0}, to[3] = {input(-0.75, 400), 0, 0};
    gz_window window = {input(0.5, 1), input(0.25, 1)};
    gz_rotvec path = gz_rotvec_between(from, to);
    gz_taylor f = component(&path, 0, window);
    writer<plain> w(out, "TracedPath");
    w.value("c_0", f.c[0].at);
    w.value("c_1", f.c[1].at);
    w.value("r", f.r.at);
    w.constant("PATH_ERROR", GZ_PATH_ERROR);
    w.constant("UP", GZ_TAYLOR_UP);
}

/* Variable: the least square of the angle. */
static void trace_rotvec(FILE *out) {
    now() = {};
    traced64 most[3];
    fourth_coefficients(input(0.5, 40), most);
    writer<plain> w(out, "TracedRotvec");
    for (int f = 0; f < 3; f++) w.value(("near_" + std::to_string(f)).c_str(), most[f].at);
}

/* As trace_rotvec, far from 0: "constant times cube" and more factors. */
static void trace_rotvec_far(FILE *out) {
    now() = {};
    traced64 most[3];
    fourth_coefficients(input(100, 40), most);
    int sine = part(part(most[1].at, 0, op::mul), 0, op::mul);
    writer<plain> w(out, "TracedRotvecFar");
    w.value("far_0", part(most[0].at, 0, op::mul));
    w.value("far_1", part(sine, 0, op::mul));
}

int main(int count, char **arguments) {
    FILE *out = count == 2 ? fopen(arguments[1], "w") : NULL;
    if (!out) {
        fprintf(stderr, "usage: trace_motion FILE.v\n");
        return 2;
    }
    fprintf(out, "(* Written by trace_motion.cpp from the library's code. *)\n"
                 "From Coq Require Import ZArith QArith List.\nRequire Import Rounding Given.\n"
                 "Open Scope Z_scope.\n\n");
    trace_extent(out);
    trace_reach(out);
    trace_unit(out);
    trace_wait(out);
    trace_length(out);
    trace_product(out);
    trace_path(out);
    trace_rotvec(out);
    trace_rotvec_far(out);
    return fclose(out) == 0 ? 0 : 1;
}
