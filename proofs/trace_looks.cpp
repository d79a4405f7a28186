/* As trace.cpp, for what leaves pairs out before they are asked about: looks in float, boxes of what never moves,
   places at a part of the time. What is not C++ as a whole was cut out of its file by cut.sh. usage: trace_looks FILE.v
 */
#include "traced.hpp"

#include <algorithm>
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
#include "numerics/lanes.h"
/* the power of two that scales a pair is an input, not made of operations */
static float scale_in_use;
static float given_scale(float) { return scale_in_use; }
#define f_scale_of given_scale
#include "pair/pair_unit.h"

#include "numerics/as_float.h"

#include "pair/far.h"
#include "pair/far_look.h"
#include "pair/narrowed.h"
#include "pair/swept.h"

#include "numerics/as_double.h"

#include "pair/view_kernel.h"

/* ---- what stands around the functions that are cut out ---- */

#include "graze/articulated.h"

typedef struct gz_face_node {
    double center[3], half[3];
} gz_face_node;
typedef struct gz_link_box {
    double lo[3], hi[3];
} gz_link_box;
enum { GZ_BLOCK = 8 };
typedef struct gz_rough_block {
    float side[6][GZ_BLOCK];
} gz_rough_block;
typedef struct gz_leaf {
    uint8_t down[2];
} gz_leaf;
typedef struct gz_window_sizes {
    double largest, widest;
} gz_window_sizes;
typedef struct gz_tree_source {
    gz_window_sizes sizes;
    double window;
    gz_view view;
} gz_tree_source;
typedef struct gz_step_call {
    gz_tree_source *trees;
    struct {
        double tolerance;
    } narrow;
    double kept;
} gz_step_call;
static double gz_kept_reach(const gz_step_call *call, double) { return call->kept; }
typedef struct gz_link {
    struct {
        double m[3][3];
    } rotation;
    double position[3];
    bool rotation_exact, axis_exact;
    int joint;
} gz_link;
typedef struct gz_joint_motion {
    int degree;
    double shift[3][GRAZE_MAX_DEGREE + 1], shift_error, speed, reach;
    bool moves;
} gz_joint_motion;
typedef struct gz_windows_job {
    gz_view view;
    double t;
} gz_windows_job;

#include CUT

#undef double
#undef float

using namespace proofs;

template <class T> static number<T> input(T value, int size, bool positive = false) {
    return variable_of<T>(value, size, positive, false);
}

static void stop(const char *why) {
    fprintf(stderr, "trace_looks: %s\n", why);
    exit(1);
}

static int part(int at, int side, op what) {
    if (now().nodes[(size_t)at].what != what) stop("a value is no longer the operation that the proof looks at");
    return side ? now().nodes[(size_t)at].b : now().nodes[(size_t)at].a;
}

/* The comparison with this sign that was made as number `which`. */
static const decision &compared(const char *sign, int which) {
    for (const decision &d : now().decisions)
        if (!strcmp(d.sign, sign) && which-- == 0) return d;
    stop("the code no longer compares what the proof looks at");
    return now().decisions[0];
}

/* ---- boxes of what never moves (9.11) ---- */

/* One side of a node, grown. Variables: center, half, growth. */
static void trace_still(FILE *out) {
    now() = {};
    gz_face_node node = {};
    node.center[0] = input(-3.0, 500);
    node.half[0] = input(0.5, 500, true);
    gz_link_box box = {};
    box.lo[0] = -3.0;
    box.hi[0] = -3.0;
    gz_still_may_meet(&node, &box, input(0.25, 500, true));
    writer<plain> w(out, "TracedStill");
    w.value("low", compared("<=", 0).a);
    w.value("high", compared("<=", 1).b);
    w.constant("SLACK", GZ_STILL_SLACK);
}

/* ---- pairs that are plainly apart (4.14) ---- */

/* The largest coordinate that the look takes. */
static plain far_largest() {
    now() = {};
    gz_far_slack(input(1.0f, 0, true), GZ_FAR_SLACK);
    const node &largest = now().nodes[(size_t)compared("<=", 0).b];
    if (largest.what != op::constant) stop("the look no longer has a largest coordinate");
    return largest.value;
}
static int exponent_of(plain power) {
    int exponent;
    return std::frexp(power, &exponent) == 0.5 ? exponent - 1 : exponent;
}

/* Four vertices at both ends of a window, so that corners `a` and `b` are closest. */
static void draw_far(graze_kind kind, int a, int b, int size, traced32 ends[4][8]) {
    static const plain_float away[3][3] = {{0, 0, 0}, {2, 1, 1.5f}, {1, 2, 2.5f}};
    for (int i = 0; i < 4; i++) {
        bool first = kind == GRAZE_VF ? i == 0 : i < 2;
        int step = first              ? (kind == GRAZE_VF || i == a ? 0 : 1)
                   : kind == GRAZE_VF ? (i - 1 - b + 3) % 3
                   : i - 2 == b       ? 0
                                      : 1;
        for (int end = 0; end < 2; end++)
            for (int c = 0; c < 3; c++)
                ends[i][4 * end + c].value = (first ? -1 - away[step][c] : 1 + away[step][c]) + 0.125f * end;
        ends[i][3] = ends[i][7] = 0.0f;
    }
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < 4; i++)
            for (int c = 0; c < 3; c++) ends[i][4 * end + c] = input(ends[i][4 * end + c].value, size);
}

/* The threshold "(|x| + |y| + |z|) share + tiny", with a reach "reach |n| up + that": n and the share become inputs. */
static void set_threshold(writer<plain_float> &w, int least, int most) {
    int slack = part(least, 1, op::add), product = part(slack, 0, op::add), sum = part(product, 0, op::mul);
    int share = part(product, 1, op::mul);
    int at[3] = {part(part(sum, 0, op::add), 0, op::add), part(part(sum, 0, op::add), 1, op::add),
                 part(sum, 1, op::add)};
    for (int c = 0; c < 3; c++) w.input(part(at[c], 0, op::abs), 62, false);
    w.value("share", share);
    w.input(share, most, true);
    w.value("slack", slack);
    w.value("least", least);
}

/* What was compared with this threshold, and is more. */
static std::vector<int> beyond_that(int least) {
    std::vector<int> found;
    for (const decision &d : now().decisions)
        if (!strcmp(d.sign, "<") && d.a == least && d.outcome) found.push_back(d.b);
    return found;
}

/* The last of the first `count` inputs that a value is made of; not what n is made of. */
static int last_input(int at, int count) {
    const node n = now().nodes[(size_t)at];
    if (n.what == op::variable) return n.a < count ? n.a : -1;
    if (n.what == op::constant) return -1;
    if (n.what == op::mul) return last_input(n.b, count);
    int b = n.what == op::add || n.what == op::sub ? last_input(n.b, count) : -1;
    return std::max(last_input(n.a, count), b);
}

/* The least of the differences along n that the code compares, at both ends of the window. Variables: four vertices at
   its start, then at its end, the largest coordinate, the reach, n, the share of that coordinate. */
static void trace_far(FILE *out, graze_kind kind, int a, int b, const char *module) {
    plain largest = far_largest();
    int most = exponent_of(largest);
    now() = {};
    traced32 ends[4][8];
    draw_far(kind, a, b, most, ends);
    const traced32 *rows[4][f_width];
    for (int i = 0; i < 4; i++) rows[i][0] = ends[i];
    traced32 slack = gz_far_slack(input(8.0f, most, true), GZ_FAR_SLACK), reach = input(0.25f, most, true);
    far_lanes(kind, rows, slack, reach);
    int least = now().decisions.back().a;
    std::vector<int> beyond = beyond_that(least);
    if (beyond.size() != 2) stop("the look no longer compares both ends");
    writer<plain_float> w(out, module);
    set_threshold(w, least, most);
    for (int i : beyond) w.value(last_input(i, 24) < 12 ? "beyond_0" : "beyond_1", i);
    w.constant("FAR_SLACK", GZ_FAR_SLACK);
    w.constant("DOT_TINY", GZ_DOT_TINY_F32);
    w.constant("NORM_UP", GZ_NORM_UP_F32);
    w.constant("LARGEST", largest);
}

/* The direction of a look where it is a cross product: the other ways to it have no products of two coordinates. */
static void trace_direction(FILE *out, graze_kind kind, const char *module) {
    int most = exponent_of(far_largest());
    now() = {};
    static const plain_float face[4][3] = {{0.25f, 0.25f, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const plain_float edges[4][3] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0x1p-10f}, {0, 1, 0x1p-10f}};
    traced32 ends[4][8];
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 8; c++) ends[i][c] = 0.0f;
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < 4; i++)
            for (int c = 0; c < 3; c++) ends[i][4 * end + c] = input(kind == GRAZE_VF ? face[i][c] : edges[i][c], most);
    const traced32 *rows[4][f_width];
    for (int i = 0; i < 4; i++) rows[i][0] = ends[i];
    far_pair start, end;
    far_read(kind, rows, &start, &end);
    f_vec n = far_direction(kind, &start, &end);
    writer<plain_float> w(out, module);
    const traced32 c[3] = {n.x, n.y, n.z};
    for (int i = 0; i < 3; i++) {
        part(part(c[i].at, 0, op::mul), 0, op::sub);
        w.value(("n_" + std::to_string(i)).c_str(), c[i].at);
    }
}

/* A coordinate at the end of a window, in the view, and what is told of its size. Variables: both ends of the step, the
   time, the view's origin and scale; the place at that time. */
static void trace_places(FILE *out) {
    static const char *const names[2] = {"size_from", "size_to"};
    static const plain starts[2] = {7, 1};
    for (int i = 0; i < 2; i++) {
        now() = {};
        gz_windows_job job = {};
        traced64 a = input(starts[i], 160), b = input(4.0, 160);
        job.t = input(0.5, 0, true);
        job.view.origin[0] = input(0.25, 162);
        job.view.scale = input(0.5, 900, true);
        window_lanes seen = window_of(&job, 0, a, b, 0);
        traced64 size = far_size(&job.view, 0, seen.from, a, b);
        writer<plain> w(out, i ? "TracedPlacesTo" : "TracedPlacesFrom");
        int place = part(part(seen.to.at, 0, op::mul), 0, op::sub);
        w.value("from", seen.from.at);
        w.value(names[i], size.at);
        w.value("offset", part(size.at, 1, op::add));
        w.value("place", place);
        w.input(place, 162, false);
        w.value("to", seen.to.at);
        w.constant("FAR_OFFSET", GZ_FAR_OFFSET);
    }
}

/* ---- the first probe (4.10) ---- */

/* A difference that was narrowed, n, the scale, the separation, the sizes; then the difference, the sizes and the
   separation as they are scaled. Sizes: the first is that of the pair, the second the least. */
static void trace_narrowed(FILE *out, plain scale, const char *module) {
    now() = {};
    f_vec difference = {input(0.5f, 127), input(-0.25f, 127), input(0.75f, 127)},
          n = {input(0.25f, 10), input(0.5f, 10), input(1.0f, 10)};
    scale_in_use = input((plain_float)scale, 127, true);
    traced32 separation = input(0.125f, 127, true);
    f_vec size = {input(1.0f, 127, true), input(0x1p-140f, 127, true), input(1.0f, 127, true)};
    f_vec scaled = f_vec_scale(difference, scale_in_use);
    narrowed_scale(&size);
    traced32 dot = f_vec_dot(n, scaled), least = narrowed_least(size, n, scale_in_use, separation, true);
    writer<plain_float> w(out, module);
    const int made[3] = {scaled.x.at, scaled.y.at, scaled.z.at}, sizes[3] = {size.x.at, size.y.at, size.z.at};
    for (int c = 0; c < 3; c++) w.value(("scaled_" + std::to_string(c)).c_str(), made[c]);
    w.value("size", size.x.at);
    w.value("least_size", size.y.at);
    for (int at : made) w.input(at, 2, false);
    for (int at : sizes) w.input(at, 28, true);
    int reach = part(part(part(least.at, 0, op::add), 0, op::mul), 0, op::mul);
    w.value("reach", reach);
    w.input(reach, 60, true);
    w.value("dot", dot.at);
    w.value("least", least.at);
    w.constant("NARROW_TINY", GZ_NARROW_TINY);
    w.constant("DOT_SLACK", GZ_DOT_SLACK_F32);
    w.constant("NORM_UP", GZ_NORM_UP_F32);
}

/* ---- places at a part of the time (3) ---- */

/* What fma leaves of a product: "a b - product". */
static void left_of(int at, int a, int b, int product) {
    const node n = now().nodes[(size_t)at];
    if (n.what != op::lost || n.a != a || n.b != b || part((int)n.value, 0, op::neg) != product)
        stop("the rest of a product is no longer what the proof looks at");
}

/* Variables: both ends, the time; then what fma makes of the three products: the time's rest and its own rounding times
   the start, the time times the end. */
static void trace_point(FILE *out, plain start, plain end, const char *module) {
    now() = {};
    traced64 a = input(start, 1000), b = input(end, 1000), t = input(0x1.0123456789abcp-30, 0, true);
    gz_point_sum at = gz_point_sum_at(a, b, t);
    int steps[4], tail = at.tail.at;
    for (int i = 3; i >= 0; i--) {
        steps[i] = part(tail, 1, op::add);
        tail = part(tail, 0, op::add);
    }
    int first = part(at.sum.at, 0, op::add), second = part(at.sum.at, 1, op::add);
    int rest = part(first, 0, op::mul), rest_of_rest = part(steps[2], 0, op::mul);
    left_of(steps[0], rest, a.at, first);
    left_of(steps[1], t.at, b.at, second);
    left_of(steps[3], rest_of_rest, a.at, steps[2]);
    writer<plain> w(out, module);
    w.value("p", first);
    w.value("q", second);
    w.value("r", steps[2]);
    w.value("rest", rest);
    w.value("rest_of_rest", rest_of_rest);
    w.value("sum", at.sum.at);
    w.value("sum_of_rests", tail);
    for (int i : {0, 1, 3}) w.input(steps[i], 1000, false);
    w.value("tail", at.tail.at);
    part(at.slack.at, 0, op::add);
    w.value("slack", at.slack.at);
    w.constant("POINT_SLACK", GZ_POINT_SLACK);
    w.constant("POINT_TINY", GZ_POINT_TINY);
    std::vector<plain> least; /* what products are compared with */
    for (const decision &d : now().decisions)
        if (!strcmp(d.sign, ">=")) least.push_back(now().nodes[(size_t)d.b].value);
    if (least.size() != 3 || least[0] != least[1] || least[1] != least[2])
        stop("three products are no longer compared with the least");
    w.constant("EXACT_PRODUCT", least[0]);
}

/* ---- edges beside each other (4.15) ---- */

/* What the look at two edges compares with zero. Variables: low sides of the box of b, its negated high sides, those of
   a, the slack, n. `down`: bit 0: y, bit 1: z falls where x rises, of b; a has the others. */
static void trace_beside(FILE *out, unsigned down, const char *module) {
    now() = {};
    gz_rough_block block[2] = {};
    static const plain_float low[2][3] = {{0.5f, 2, 0.25f}, {0.25f, 0.5f, 0.5f}};
    for (int e = 0; e < 2; e++)
        for (int i = 0; i < 6; i++) {
            plain_float side = i < 3 ? low[e][i] : -low[e][i - 3] - 1;
            block[e].side[i][0] = input(side, 36);
        }
    gz_leaf leaf[2] = {{{(uint8_t)(down & 1), (uint8_t)(down >> 1)}},
                       {{(uint8_t)(~down & 1), (uint8_t)(~down >> 1 & 1)}}};
    beside_block edges = {};
    beside_prepare(&block[1], &leaf[1], &edges);
    beside_lanes(&block[0], &leaf[0], &edges, 0, input(0.0625f, 60, true));
    int above = -1;
    for (const decision &d : now().decisions)
        if (above < 0 && !strcmp(d.sign, ">") && now().nodes[(size_t)d.a].what == op::sub) above = d.a;
    if (above < 0) stop("edges are no longer compared with zero");
    int least = part(above, 1, op::sub), sum = part(part(part(least, 1, op::add), 0, op::add), 0, op::mul);
    int at[3] = {part(part(sum, 0, op::add), 0, op::add), part(part(sum, 0, op::add), 1, op::add),
                 part(sum, 1, op::add)};
    writer<plain_float> w(out, module);
    for (int c = 0; c < 3; c++) w.input(part(at[c], 0, op::abs), 62, false);
    int reach = part(least, 0, op::add);
    w.value("between", part(above, 0, op::sub));
    w.value("along_a", part(part(reach, 0, op::add), 0, op::abs));
    w.value("along_b", part(part(reach, 1, op::add), 0, op::abs));
    w.value("least", least);
}

/* The slack of such edges. Variables in float: what is rounded up from double, the largest coordinate; in double: the
   widest box, the reach. */
static void trace_beside_slack(FILE *out) {
    now() = {};
    gz_tree_source trees = {};
    trees.sizes.largest = input(4.0, 36, true);
    trees.sizes.widest = input(0.125, 36, true);
    trees.view.scale = 1.0;
    gz_step_call call = {};
    call.trees = &trees;
    call.kept = input(0.25, 36, true);
    int slack = gz_far_beside(&call).at;
    int rounded = part(slack, 0, op::add), largest = part(part(slack, 1, op::add), 0, op::mul), wide = rounded;
    while (now().nodes[(size_t)wide].what == op::lost) wide = now().nodes[(size_t)wide].a;
    int from = largest;
    while (now().nodes[(size_t)from].what == op::lost) from = now().nodes[(size_t)from].a;
    if (from != trees.sizes.largest.at || rounded == wide || largest == from)
        stop("a slack is no longer rounded up from double");
    {
        writer<plain_float> w(out, "TracedBesideSlack");
        now().variables.clear();
        w.input(rounded, 60, true);
        w.input(largest, 36, true);
        w.value("slack", slack);
        w.constant("SLACK", GZ_BESIDE_SLACK);
    }
    writer<plain> w(out, "TracedBesideWidth");
    now().variables.clear();
    w.input(trees.sizes.widest.at, 36, true);
    w.input(part(part(wide, 1, op::add), 1, op::mul), 38, true);
    w.value("wide", wide);
    w.constant("WIDTH", GZ_BESIDE_WIDTH);
}

/* ---- translations of joints (9.3) ---- */

/* A component of the origin of a joint that slides straight. Variables: a row of its rotation, the direction, its
   place, both values. */
static void trace_shift(FILE *out) {
    now() = {};
    gz_link link = {};
    for (int j = 0; j < 3; j++) link.rotation.m[0][j] = input(0.5 + 0.125 * j, 1);
    traced64 direction[3] = {input(0.25, 1), input(-0.5, 1), input(0.75, 1)};
    link.position[0] = input(0.5, 160);
    traced64 from = input(0.25, 160), to = input(2.0, 160);
    value_path path = straight_path(from, to);
    gz_joint_motion joint = {};
    joint.degree = 1;
    start_shift(&joint, &link);
    int placed = joint.shift_error.at;
    add_shift(&joint, &link, direction, &path);
    writer<plain> w(out, "TracedShift");
    int along = part(part(joint.shift[0][0].at, 1, op::add), 0, op::mul);
    w.value("along", along);
    w.input(along, 2, false);
    w.value("c_0", joint.shift[0][0].at);
    w.value("c_1", part(joint.shift[0][1].at, 1, op::add));
    int more = part(joint.shift_error.at, 1, op::add);
    if (part(joint.shift_error.at, 0, op::add) != placed) stop("an error is no longer the sum that the proof looks at");
    w.value("moved", part(more, 0, op::add));
    w.constant("SHIFT_ERROR", GZ_SHIFT_ERROR);
    w.constant("PATH_ERROR", GZ_PATH_ERROR);
}

int main(int count, char **arguments) {
    FILE *out = count == 2 ? fopen(arguments[1], "w") : NULL;
    if (!out) {
        fprintf(stderr, "usage: trace_looks FILE.v\n");
        return 2;
    }
    fprintf(out, "(* Written by trace_looks.cpp from the library's code. *)\n"
                 "From Coq Require Import ZArith QArith List.\nRequire Import Rounding Given.\n"
                 "Open Scope Z_scope.\n\n");
    trace_still(out);
    for (int i = 0; i < 3; i++) trace_far(out, GRAZE_VF, 0, i, ("TracedFarFace" + std::to_string(i)).c_str());
    for (int i = 0; i < 4; i++) trace_far(out, GRAZE_EE, i / 2, i % 2, ("TracedFarEdge" + std::to_string(i)).c_str());
    trace_direction(out, GRAZE_VF, "TracedDirectionFace");
    trace_direction(out, GRAZE_EE, "TracedDirectionEdge");
    trace_places(out);
    trace_narrowed(out, 8, "TracedNarrowed");
    trace_narrowed(out, 0.25, "TracedNarrowedFar");
    trace_point(out, 0.3, -0x1.921fb54442d18p-20, "TracedPoint");
    trace_point(out, -0x1.921fb54442d18p-20, 0.3, "TracedPointEnd");
    for (unsigned i = 0; i < 4; i++) trace_beside(out, i, ("TracedBeside" + std::to_string(i)).c_str());
    trace_beside_slack(out);
    trace_shift(out);
    return fclose(out) == 0 ? 0 : 1;
}
