/* Runs the library's code on numbers that remember how they were computed, and writes the trees of what it compares,
   for Coq. usage: trace FILE.v */
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
#undef double
#undef float

using namespace proofs;

template <class T> static number<T> input(T value, int size, bool positive = false, bool rounded = false) {
    return variable_of<T>(value, size, positive, rounded);
}

/* Coordinates of two edges that pass each other: none is zero, and the probe along z keeps them apart. */
template <class T, class query_type> static void draw_query(query_type *query, int size) {
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < 4; i++)
            for (int c = 0; c < 3; c++) {
                T x = (T)(0.25 * (1 + i) + 0.125 * c * (i % 2 ? 1 : -1) + 0.0625 * end);
                if (c == 2) x = (T)((i < 2 ? 0.5 : 8) + 0.125 * i);
                (end ? query->x1 : query->x0)[i][c] = input<T>(x, size);
            }
}

/* The number on the right of the comparison "0 < x" that was made as number `which` of its kind. */
static int compared_with_zero(int which) {
    for (const decision &d : now().decisions) {
        const node &left = now().nodes[(size_t)d.a];
        if (strcmp(d.sign, "<") != 0 || left.what != op::constant || left.value != 0) continue;
        if (which-- == 0) return d.b;
    }
    fprintf(stderr, "trace: the code no longer compares a probe with zero\n");
    exit(1);
}

static int part(int at, int side, op what) {
    if (now().nodes[(size_t)at].what != what) {
        fprintf(stderr, "trace: a compared value is no longer the operation that the proof looks at\n");
        exit(1);
    }
    return side ? now().nodes[(size_t)at].b : now().nodes[(size_t)at].a;
}

/* The bounds of a probe's inputs: coordinates, directions and sizes are at most these powers of two. */
struct probe_range {
    int coordinate, direction;
};

/* Writes what a probe of two edges compared with zero, for every difference at both ends. */
template <class T> static void write_probe(writer<T> &w) {
    for (int i = 0; i < 8; i++) {
        int compared = compared_with_zero(i);
        std::string name = std::to_string(i);
        w.value(("dot_" + name).c_str(), part(compared, 0, op::sub));
        w.value(("least_" + name).c_str(), part(compared, 1, op::sub));
        w.value(("compared_" + name).c_str(), compared);
    }
}

/* A probe of two edges with a separation. Variables: 24 coordinates, n, the sizes M of the differences, t, the
   separation. */
static void trace_probe(FILE *out, probe_range range) {
    now() = {};
    graze_query query;
    draw_query<plain>(&query, range.coordinate);
    gz_lane_source source = {};
    source.kind = GRAZE_EE;
    source.queries = &query;
    d_vec w0[4], w1[4];
    uint32_t index = 0;
    d_load_differences(GRAZE_EE, &source, &index, w0, w1);
    d_vec n = {input(0.0625, range.direction), input(0.03125, range.direction), input(1.0, range.direction)};
    int most = range.coordinate + 2;
    d_vec size = {input(16.0, most, true), input(16.0, most, true), input(16.0, most, true)};
    traced64 t = input(0.0, 0, true), separation = input(0.25, range.coordinate, true);
    d_probe_advance(w0, w1, 4, size, n, t, separation);
    writer<plain> w(out, "TracedProbe");
    write_probe(w);
    w.constant("DOT_SLACK", GZ_DOT_SLACK);
    w.constant("DOT_TINY", GZ_DOT_TINY);
    w.constant("NORM_UP", GZ_NORM_UP);
    w.constant("NORM_TINY", GZ_NORM_TINY);
}

static void trace_probe_f32(FILE *out, probe_range range) {
    now() = {};
    graze_query_f32 query;
    draw_query<plain_float>(&query, range.coordinate);
    gz_lane_source_f32 source = {};
    source.kind = GRAZE_EE;
    source.queries = &query;
    f_vec w0[4], w1[4];
    uint32_t index = 0;
    f_load_differences(GRAZE_EE, &source, &index, w0, w1);
    f_vec n = {input(0.0625f, range.direction), input(0.03125f, range.direction), input(1.0f, range.direction)};
    int most = range.coordinate + 2;
    f_vec size = {input(16.0f, most, true), input(16.0f, most, true), input(16.0f, most, true)};
    traced32 t = input(0.0f, 0, true), separation = input(0.25f, range.coordinate, true);
    f_probe_advance(w0, w1, 4, size, n, t, separation);
    writer<plain_float> w(out, "TracedProbe32");
    write_probe(w);
    w.constant("DOT_SLACK", GZ_DOT_SLACK_F32);
    w.constant("DOT_TINY", GZ_DOT_TINY_F32);
    w.constant("NORM_UP", GZ_NORM_UP_F32);
    w.constant("NORM_TINY", GZ_NORM_TINY_F32);
}

/* Six components of a vector at both ends, the first the largest: rounded differences. */
static void draw_vector(d_vec x[2], plain largest) {
    plain part[6] = {1, 0.5, -0.25, 0.75, -0.625, 0.375};
    traced64 c[6];
    for (int i = 0; i < 6; i++) c[i] = input(largest * part[i], 1, false, true);
    for (int end = 0; end < 2; end++) x[end] = (d_vec){c[3 * end], c[3 * end + 1], c[3 * end + 2]};
}

/* Writes the volume polynomial's control points, those on [t, 1], and those on a part of that with their sign. */
static void write_volume(writer<plain> &w, const gz_volume &volume, const traced64 b[4], const int coefficient[4]) {
    for (int i = 0; i < 4; i++) {
        std::string name = std::to_string(i);
        w.value(("c_" + name).c_str(), volume.c[i].at);
        w.value(("b_" + name).c_str(), b[i].at);
        w.value(("coefficient_" + name).c_str(), coefficient[i]);
    }
    w.constant("VOLUME_SLACK", GZ_VOLUME_SLACK);
    w.constant("VOLUME_TINY", GZ_VOLUME_TINY);
    w.constant("NORMAL_SLACK", GZ_NORMAL_SLACK);
    w.constant("NORM_TINY", GZ_NORM_TINY);
}

/* x, y or z of what is under the root of a length: "x x + y y + z z", and a constant where there is one. */
static int component(int root, int which) {
    int under = part(root, 0, op::sqrt), last = part(under, 1, op::add);
    int sum = now().nodes[(size_t)last].what == op::constant ? part(under, 0, op::add) : under;
    int square = which == 2 ? part(sum, 1, op::add) : part(part(sum, 0, op::add), which, op::add);
    return part(square, 0, op::mul);
}

/* The square roots under a node, each once, in the order in which they were made. */
static std::vector<int> roots_of(int at) {
    std::vector<int> found;
    for (int i = 0; i <= at; i++)
        if (now().nodes[(size_t)i].what == op::sqrt) found.push_back(i);
    return found;
}

/* Writes what lower_bound takes off with a separation, and the coefficients of the normal that it is made of. */
static void write_normal(writer<plain> &w, const traced64 low[4]) {
    std::vector<int> roots = roots_of(low[3].at);
    if (roots.size() != 3) {
        fprintf(stderr, "trace: the normal no longer has three coefficients\n");
        exit(1);
    }
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++)
            w.value((std::string(1, "xyz"[c]) + "_" + std::to_string(i)).c_str(), component(roots[(size_t)i], c));
    for (int i = 0; i < 4; i++) w.value(("length_" + std::to_string(i)).c_str(), part(low[i].at, 1, op::sub));
}

/* lower_bound on a part of the time that is left, with a separation or without. Variables: e1, e2, q at both ends, t,
   the part, the separation. */
static void trace_volume(FILE *out, int sign, plain separation, const char *module) {
    now() = {};
    gz_motion pair = {};
    draw_vector(pair.e1, 0.5);
    draw_vector(pair.e2, 0.75);
    draw_vector(pair.q, 1.0);
    traced64 t = input(0.25, 0, true), length = input(0.5, 0, true);
    pair.separation = input(separation, 0, true);
    gz_volume volume;
    gz_volume_make(&volume, &pair);
    traced64 b[4], low[4];
    restrict_to(&volume, t, b);
    lower_bound(&volume, t, length, b, sign, low);
    int less[4], coefficient[4];
    for (int i = 0; i < 4; i++) {
        less[i] = separation > 0 ? part(low[i].at, 0, op::sub) : low[i].at;
        coefficient[i] = part(less[i], 0, op::sub);
    }
    writer<plain> w(out, module);
    write_volume(w, volume, b, coefficient);
    if (separation > 0) write_normal(w, low);
    for (int i = 0; i < 4; i++) w.value(("low_" + std::to_string(i)).c_str(), low[i].at);
    w.value("slack", part(less[0], 1, op::sub));
}

int main(int count, char **arguments) {
    FILE *out = count == 2 ? fopen(arguments[1], "w") : NULL;
    if (!out) {
        fprintf(stderr, "usage: trace FILE.v\n");
        return 2;
    }
    fprintf(out, "(* Written by trace.cpp from the library's code. *)\n"
                 "From Coq Require Import ZArith QArith List.\nRequire Import Rounding Given.\n"
                 "Open Scope Z_scope.\n\n");
    trace_probe(out, {160, 325});
    trace_probe_f32(out, {30, 62});
    trace_volume(out, 1, 0, "TracedVolume");
    trace_volume(out, -1, 0, "TracedVolumeBelow");
    trace_volume(out, 1, 0.25, "TracedNormal");
    trace_volume(out, -1, 0.25, "TracedNormalBelow");
    return fclose(out) == 0 ? 0 : 1;
}
