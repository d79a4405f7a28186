/* As trace.cpp, for articulated models and worlds: splines, boxes of links, determinants, control positions. usage:
   trace_links FILE.v */
#include "traced.hpp"

#include <array>
#include <cfloat>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#if defined(__SSE2__)
#include <immintrin.h> /* before double is another word */
#endif

namespace proofs {
/* A row of three where C has a compound literal. */
template <class T> inline std::array<T, 3> row_of(std::array<T, 3> row) { return row; }
/* The larger or smaller one itself: a path through a branch. */
template <class T> inline number<T> fmax(number<T> a, number<T> b) { return a < b ? b : a; }
template <class T> inline number<T> fmin(number<T> a, number<T> b) { return b < a ? b : a; }
} // namespace proofs

using traced64 = proofs::number<double>;
using plain = double;

#define double traced64
#include "motion/rounding.h"
#include "motion/taylor.h"
#include "numerics/vec3.h"

/* ---- what stands around the functions that are cut out ---- */

typedef struct gz_face_node {
    double center[3], half[3];
} gz_face_node;
typedef struct gz_link_box {
    double lo[3], hi[3];
} gz_link_box;
typedef struct gz_shape_mesh {
    double (*vertices)[3];
} gz_shape_mesh;
enum { SIDES = 96 };
typedef struct gz_span {
    double begin, end;
} gz_span;

#include CUT
#undef double

using namespace proofs;

static traced64 input(plain value, int size, bool positive = false, bool rounded = false) {
    return variable_of<plain>(value, size, positive, rounded);
}

static int part(int at, int side, op what) {
    if (now().nodes[(size_t)at].what != what) {
        fprintf(stderr, "trace_links: a value is no longer the operation that the proof looks at\n");
        exit(1);
    }
    return side ? now().nodes[(size_t)at].b : now().nodes[(size_t)at].a;
}

/* The comparison that was made as number `which`. */
static const decision &compared(const char *sign, int which) {
    for (const decision &d : now().decisions)
        if (!strcmp(d.sign, sign) && which-- == 0) return d;
    fprintf(stderr, "trace_links: the code no longer compares what the proof looks at\n");
    exit(1);
}

/* ---- determinants of three differences (9.6) ---- */

/* Variables: four corners, what each is off by; the largest difference; where these are at most 1 (`near`) the nine
   differences. */
static void trace_crossing(FILE *out, const char *module, bool near) {
    now() = {};
    gz_vec3 x[4];
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) x[i].c[c] = input(c == i ? 2 : 0.25 * (i + c), 160);
    traced64 error = input(0x1p-20, near ? 0 : 160, true);
    int first = (int)now().nodes.size();
    side_of(x[0], x[1], x[2], x[3], error);
    const decision &last = now().decisions[now().decisions.size() - 2];
    if (strcmp(last.sign, ">") != 0) part(0, 0, op::lost);
    int reach = part(part(part(last.b, 0, op::add), 0, op::mul), 1, op::mul);
    writer<plain> w(out, module);
    w.input(part(reach, 0, op::add), near ? 0 : 161, true);
    for (int i = 0; near && i < 9; i++) {
        part(first + i, 0, op::sub);
        w.input(first + i, 1, false);
    }
    w.value("determinant", last.a);
    w.value("slack", last.b);
    w.constant("SLACK", GZ_CROSSING_SLACK);
    w.constant("TINY", GZ_CROSSING_TINY);
}

/* ---- times of a plan (9.7) ---- */

/* Variables: both ends of a piece, the part of it. */
static void trace_seconds(FILE *out) {
    now() = {};
    traced64 ends[2] = {input(-0.5, 160), input(2, 160)}, t = input(0.5, 0, true);
    traced64 at = gz_spline_seconds(ends, t, -1);
    writer<plain> w(out, "TracedSeconds");
    int product = part(at.at, 1, op::add);
    w.value("time", part(at.at, 0, op::add));
    w.value("slack", part(product, 1, op::mul));
    w.value("before", at.at);
    w.constant("PLAN_TIME", GZ_PLAN_TIME);
    w.constant("TINY", GZ_TAYLOR_TINY);
}

/* ---- prisms (9.10) ---- */

/* Corners of a prism. Its polygon has no inputs: what was computed stands for it, up to the last factor. Variable: the
   radius. */
static void trace_prism(FILE *out) {
    now() = {};
    traced64 across = input(1, 160, true), made[2 * SIDES + 2][3];
    gz_shape_mesh mesh = {made};
    put_corners(&mesh, 0, across, 0);
    writer<plain> w(out, "TracedPrism");
    std::string list;
    for (int i = 0; i < SIDES; i++) {
        std::string names[2];
        for (int c = 0; c < 2; c++) {
            int corner = part(made[i][c].at, 1, op::mul);
            w.computed(part(corner, 0, op::mul));
            int length = part(part(corner, 1, op::mul), 1, op::div);
            w.computed(length);
            names[c] = "corner_" + std::to_string(i) + "_" + std::to_string(c);
            w.value(names[c].c_str(), made[i][c].at);
        }
        list += "(" + names[0] + ", " + names[1] + ") :: ";
    }
    w.text("Definition corners : list (expr * expr) := (" + list + "nil).");
    w.constant("UP", GZ_PRISM_UP);
    w.constant("LEAST", GZ_PRISM_LEAST);
}

int main(int count, char **arguments) {
    FILE *out = count == 2 ? fopen(arguments[1], "w") : NULL;
    if (!out) {
        fprintf(stderr, "usage: trace_links FILE.v\n");
        return 2;
    }
    fprintf(out, "(* Written by trace_links.cpp from the library's code. *)\n"
                 "From Coq Require Import ZArith QArith List.\nRequire Import Rounding Given.\n"
                 "Open Scope Z_scope.\n\n");
    trace_crossing(out, "TracedCrossing", false);
    trace_crossing(out, "TracedCrossingNear", true);
    trace_seconds(out);
    trace_prism(out);
    return fclose(out) == 0 ? 0 : 1;
}
