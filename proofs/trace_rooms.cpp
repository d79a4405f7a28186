/* As trace.cpp, of small functions in many rooms: quotients that are times, and enclosures. What is not C++
   as a whole was cut out of its file by cut.sh, into the header that -DCUT names. usage: trace_rooms FILE.v */
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

#include "pair/certified_kernel.h"

#include "numerics/as_double.h"

/* ---- what stands around the functions that are cut out ---- */

using namespace proofs;

template <class T> static number<T> input(T value, int size, bool positive = false) {
    return variable_of<T>(value, size, positive, false);
}

/* An integer is a value, and its length in bits. */
struct gz_int {
    plain value;
    int64_t bits;
};
static std::vector<int> integers; /* the nodes at which they are seen as doubles, in that order */
static traced64 seen(gz_int a) {
    traced64 x = input(a.value, 0, a.value > 0);
    integers.push_back(x.at);
    return x;
}
static int gz_int_sign(gz_int a) { return (a.value > 0) - (a.value < 0); }
static traced64 gz_int_leading(gz_int a, int64_t *exponent) {
    *exponent = a.bits;
    return seen(a);
}
static traced64 gz_int_scaled_down(gz_int a, size_t) { return seen(a); }

typedef struct gz_poly {
    int degree;
    gz_int c[9];
} gz_poly;
typedef struct gz_vector {
    gz_poly c[3];
} gz_vector;
static size_t gz_poly_bits(const gz_poly *) { return 53; }
typedef struct gz_rounded {
    traced64 value, error;
    int64_t exponent;
} gz_rounded;

#include CUT

#undef double
#undef float

/* ---- helpers ---- */

static int part(int at, int side, op what) {
    if (now().nodes[(size_t)at].what != what) {
        fprintf(stderr, "trace_rooms: a value is no longer the operation that the proof looks at\n");
        exit(1);
    }
    return side ? now().nodes[(size_t)at].b : now().nodes[(size_t)at].a;
}

/* ---- times (4.2, 4.4, 4.11) ---- */

static void trace_reach(FILE *out) {
    now() = {};
    traced64 reach = gz_reach_of(input(0.25, 160, true), input(0.5, 160, true), input(0.75, 160, true));
    writer<plain> w(out, "TracedReach");
    w.value("sum", part(reach.at, 0, op::mul));
    w.value("reach", reach.at);
    w.constant("REACH_UP", GZ_REACH_UP);
}

/* The end of a probe's time where it falls to zero, and its beginning where it rises: a and z, the distances beyond the
   threshold at both ends, are inputs. */
template <class T, class V> static void trace_root(FILE *out, const char *module, bool rises) {
    now() = {};
    V n = {input((T)1, 0), input((T)0, 0), input((T)0, 0)}, w0 = n, w1 = n;
    (rises ? w0 : w1).x = input((T)-3, 0);
    number<T> t = input((T)0, 0, true), least = input((T)0, 0);
    number<T> found;
    if constexpr (sizeof(T) == 8)
        found = d_probe_last_of(&w0, &w1, 1, n, t, &least, 0);
    else
        found = f_probe_last_of(&w0, &w1, 1, n, t, &least, 0);
    writer<T> w(out, module);
    int bound = found.at, quotient;
    if (rises)
        for (const decision &d : now().decisions)
            if (!strcmp(d.sign, "<=") && d.b == t.at) bound = d.a;
    quotient = part(part(bound, 0, rises ? op::add : op::sub), 0, op::mul);
    int a = part(quotient, 0, op::div), z = part(part(quotient, 1, op::div), 1, op::sub);
    int most = sizeof(T) == 8 ? 500 : 100;
    w.input(a, most, true, rises);
    w.input(z, most, true, !rises);
    w.value("time", bound);
    w.constant("ROOT_DOWN", sizeof(T) == 8 ? GZ_ROOT_DOWN : GZ_ROOT_DOWN_F32);
    w.constant("ROOT_UP", sizeof(T) == 8 ? GZ_ROOT_UP : GZ_ROOT_UP_F32);
    w.constant("ROOT_TINY", sizeof(T) == 8 ? GZ_ROOT_TINY : GZ_ROOT_TINY_F32);
}

/* A step of the volume polynomial, where its hull falls between control points i and j; and the time after it. */
static void trace_clip(FILE *out, const plain g[4], const char *module) {
    now() = {};
    traced64 points[4];
    for (int i = 0; i < 4; i++) {
        points[i] = input(g[i] < 0 ? -g[i] : g[i], 6, true);
        if (g[i] < 0) points[i] = -points[i];
    }
    traced64 share = input(0.5, 0, true), t = input(0.25, 0, true), left = 1 - t;
    traced64 next = later(t, gz_hull_falls(points) * share * left);
    writer<plain> w(out, module);
    w.input(left.at, 0, true);
    int sum = part(next.at, 0, op::mul), step = part(sum, 1, op::add);
    w.value("step", step);
    w.constant("CLIP_DOWN", GZ_CLIP_DOWN);
}

static void trace_later(FILE *out) {
    now() = {};
    traced64 t = input(0.25, 0, true), step = input(0.5, 0, true), next = later(t, step);
    writer<plain> w(out, "TracedLater");
    int sum = part(next.at, 0, op::mul);
    w.input(part(sum, 1, op::add), 0, true);
    w.value("sum", sum);
    w.value("next", next.at);
    w.constant("TIME_DOWN", GZ_TIME_DOWN);
}

/* ---- integers seen through doubles (5) ---- */

/* a - a_error, b + b_error and so on are inputs. */
static void trace_enclose(FILE *out) {
    now() = {};
    traced64 value[2], a = input(0.5, 10), b = input(0.75, 10), e = input(0x1p-50, 10), f = input(0x1p-51, 10);
    size_t first = now().nodes.size();
    gz_enclose_quotient(a, e, b, f, 1, value);
    writer<plain> w(out, "TracedEnclose");
    int made[4] = {-1, -1, -1, -1};
    for (size_t i = first; i < now().nodes.size(); i++) {
        const node &n = now().nodes[i];
        if (n.what == op::sub && n.a == a.at) made[0] = (int)i;
        if (n.what == op::add && n.a == a.at) made[1] = (int)i;
        if (n.what == op::sub && n.a == b.at) made[2] = (int)i;
        if (n.what == op::add && n.a == b.at) made[3] = (int)i;
    }
    for (int at : made) w.input(at, 12, true);
    w.value("low", value[0].at);
    w.value("high", value[1].at);
    w.constant("ENCLOSE_DOWN", GZ_ENCLOSE_DOWN);
    w.constant("ENCLOSE_UP", GZ_ENCLOSE_UP);
    w.constant("ENCLOSE_TINY", GZ_ENCLOSE_TINY);
}

static void trace_cut(FILE *out) {
    now() = {};
    traced64 value[2];
    const gz_int above[2] = {{0.5, 60}, {0.625, 60}}, below[2] = {{0.75, 60}, {0.875, 60}};
    gz_enclose_integers(above, below, 0, value);
    writer<plain> w(out, "TracedCut");
    w.value("low", value[0].at);
    w.value("high", value[1].at);
    w.constant("CUT_DOWN", GZ_CUT_DOWN);
    w.constant("CUT_UP", GZ_CUT_UP);
    w.constant("ENCLOSE_TINY", GZ_ENCLOSE_TINY);
}

/* Two numbers that carry their errors. */
static void trace_carried(FILE *out) {
    now() = {};
    near_number a = {input(0.5, 100), input(0.125, 100, true)}, b = {input(-0.25, 100), input(0.0625, 100, true)};
    near_number product = multiply(a, b), sum = add(a, b, -1);
    writer<plain> w(out, "TracedCarried");
    w.value("product", product.value.at);
    w.value("sum", sum.value.at);
    for (size_t i = 0; i < now().nodes.size(); i++)
        if (now().nodes[i].what == op::abs && now().nodes[i].a != a.value.at && now().nodes[i].a != b.value.at)
            w.input((int)i, 210, true);
    w.value("product_error", product.error.at);
    w.value("sum_error", sum.error.at);
    w.constant("CARRIED_ROUND", GZ_CARRIED_ROUND);
    w.constant("CARRIED_UP", GZ_CARRIED_UP);
    w.constant("CARRIED_TINY", GZ_CARRIED_TINY);
}

static void trace_line(FILE *out) {
    now() = {};
    traced64 t = input(0.5, 0, true);
    gz_vector line = {};
    for (gz_poly &p : line.c) p = {1, {{0.5, 53}, {-0.75, 53}}};
    near_vector at = at_root(&line, t, 53);
    writer<plain> w(out, "TracedLine");
    w.value("value", at.c[0].value.at);
    w.value("error", at.c[0].error.at);
    w.constant("LINE_SLACK", GZ_LINE_SLACK);
    w.constant("POLY_TINY", GZ_POLY_TINY);
}

static void trace_poly(FILE *out) {
    now() = {};
    traced64 t = input(0.5, 0, true);
    gz_poly p = {8, {}};
    for (int i = 0; i < 9; i++) p.c[i] = {0.5 / (1 + i) * (i % 2 ? -1 : 1), 53};
    gz_rounded at = gz_poly_round(&p, t);
    writer<plain> w(out, "TracedPoly");
    w.value("value", at.value.at);
    w.value("error", at.error.at);
    w.constant("POLY_SLACK", GZ_POLY_SLACK);
    w.constant("POLY_TINY", GZ_POLY_TINY);
}

int main(int count, char **arguments) {
    FILE *out = count == 2 ? fopen(arguments[1], "w") : NULL;
    if (!out) {
        fprintf(stderr, "usage: trace_rooms FILE.v\n");
        return 2;
    }
    fprintf(out, "(* Written by trace_rooms.cpp from the library's code. *)\n"
                 "From Coq Require Import ZArith QArith List.\nRequire Import Rounding Given.\n"
                 "Open Scope Z_scope.\n\n");
    trace_reach(out);
    trace_root<plain, d_vec>(out, "TracedFall", false);
    trace_root<plain, d_vec>(out, "TracedRise", true);
    trace_root<plain_float, f_vec>(out, "TracedFall32", false);
    trace_root<plain_float, f_vec>(out, "TracedRise32", true);
    static const plain hulls[6][4] = {{1, -1, 1, 1}, {1, 8, -1, 1}, {1, 8, 8, -1},
                                      {8, 1, -1, 1}, {8, 1, 8, -1}, {8, 8, 1, -1}};
    for (int i = 0; i < 6; i++) trace_clip(out, hulls[i], ("TracedClip" + std::to_string(i)).c_str());
    trace_later(out);
    trace_enclose(out);
    trace_cut(out);
    trace_carried(out);
    trace_line(out);
    trace_poly(out);
    return fclose(out) == 0 ? 0 : 1;
}
