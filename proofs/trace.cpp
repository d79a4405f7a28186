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

/* The volume polynomial on a part of the time that is left, less its slack: for pairs without a separation. Variables:
   e1, e2, q at both ends, t, the part, the separation. */
static void trace_volume(FILE *out, int sign, const char *module) {
    now() = {};
    gz_motion pair = {};
    draw_vector(pair.e1, 0.5);
    draw_vector(pair.e2, 0.75);
    draw_vector(pair.q, 1.0);
    traced64 t = input(0.25, 0, true), length = input(0.5, 0, true);
    pair.separation = input(0.0, 0, true);
    gz_volume volume;
    gz_volume_make(&volume, &pair);
    traced64 b[4], low[4];
    restrict_to(&volume, t, b);
    lower_bound(&volume, t, length, b, sign, low);
    writer<plain> w(out, module);
    for (int i = 0; i < 4; i++) {
        std::string name = std::to_string(i);
        w.value(("c_" + name).c_str(), volume.c[i].at);
        w.value(("b_" + name).c_str(), b[i].at);
        w.value(("coefficient_" + name).c_str(), part(low[i].at, 0, op::sub));
        w.value(("low_" + name).c_str(), low[i].at);
    }
    w.value("slack", part(low[0].at, 1, op::sub));
    w.constant("VOLUME_SLACK", GZ_VOLUME_SLACK);
    w.constant("VOLUME_TINY", GZ_VOLUME_TINY);
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
    trace_volume(out, 1, "TracedVolume");
    trace_volume(out, -1, "TracedVolumeBelow");
    return fclose(out) == 0 ? 0 : 1;
}
