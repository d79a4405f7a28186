/* Closest points of two primitives at rest: weights, vector and squared distance. Plain floating point, but good in
   every degenerate case: the distance errs by at most 2^-48 of the pair's size (docs/numerics.md, section 8).
   Squares of differences must neither overflow nor vanish: gz_closest_scale sees to that. */
#ifndef GZ_NUMERICS_CLOSEST_H
#define GZ_NUMERICS_CLOSEST_H

#include "numerics/kind.h"
#include "numerics/vec3.h"

typedef struct gz_closest {
    double weight[4]; /* of the rows: those of a are ≥ 0 and sum to 1, those of b ≤ 0 and sum to −1; 0 where not read */
    gz_vec3 vector; /* the weighted sum of the rows: from the point of b to that of a */
    double squared; /* of its length */
} gz_closest;

/* Parameter in [0, 1] of the point of the segment 0, e that is closest to q; 0 for a segment without length. */
static GZ_PAIR_FN inline double gz_closest_on_segment(gz_vec3 q, gz_vec3 e) {
    double s = gz_vec3_dot(q, e) / gz_vec3_dot(e, e);
    return s > 0 ? (s < 1 ? s : 1) : 0; /* NaN gives 0 */
}

/* s and t of the point s·e + t·f of the plane that is closest to q, for e not shorter than f; NaN where there is no
   plane. The part of f across e is taken first: a thin angle then costs s nothing. */
static GZ_PAIR_FN inline void gz_closest_in_plane(gz_vec3 q, gz_vec3 e, gz_vec3 f, double *s, double *t) {
    double square = gz_vec3_dot(e, e), along = gz_vec3_dot(f, e) / square, foot = gz_vec3_dot(q, e) / square;
    gz_vec3 across = gz_vec3_along(f, -along, e), left = gz_vec3_along(q, -foot, e);
    *t = gz_vec3_dot(left, across) / gz_vec3_dot(across, across);
    *s = foot - *t * along;
}

/* ---- vertex and face ---- */

/* The weights −w of three rows of b, taken when that point is nearer than the best so far. */
static GZ_PAIR_FN inline void gz_closest_try_face(const gz_vec3 x[4], int i, double wi, int j, double wj, int k,
                                                  double wk, gz_closest *best) {
    gz_vec3 q = gz_vec3_sub(x[0], x[i]);
    gz_vec3 gap = gz_vec3_along(gz_vec3_along(q, -wj, gz_vec3_sub(x[j], x[i])), -wk, gz_vec3_sub(x[k], x[i]));
    double squared = gz_vec3_dot(gap, gap);
    if (!(squared < best->squared)) return;
    best->weight[i] = -wi;
    best->weight[j] = -wj;
    best->weight[k] = -wk;
    best->vector = gap;
    best->squared = squared;
}

static GZ_PAIR_FN inline void gz_closest_try_side(const gz_vec3 x[4], int i, int j, int k, gz_closest *best) {
    double s = gz_closest_on_segment(gz_vec3_sub(x[0], x[i]), gz_vec3_sub(x[j], x[i]));
    gz_closest_try_face(x, i, 1 - s, j, s, k, 0, best);
}

/* The rows i and j of the longest side of the face, k the third; their cyclic order is kept. */
static GZ_PAIR_FN inline void gz_closest_longest_side(const gz_vec3 x[4], int *i, int *j, int *k) {
    double most = -1;
    for (int a = 1; a <= 3; a++) {
        int b = a == 3 ? 1 : a + 1;
        gz_vec3 e = gz_vec3_sub(x[b], x[a]);
        double square = gz_vec3_dot(e, e);
        if (!(square > most)) continue;
        most = square;
        *i = a;
        *j = b;
        *k = 6 - a - b;
    }
}

static GZ_PAIR_FN inline void gz_closest_vertex_face(const gz_vec3 x[4], gz_closest *best) {
    int i = 1, j = 2, k = 3;
    double s, t;
    gz_closest_longest_side(x, &i, &j, &k);
    gz_vec3 e = gz_vec3_sub(x[j], x[i]), f = gz_vec3_sub(x[k], x[i]);
    gz_closest_in_plane(gz_vec3_sub(x[0], x[i]), e, f, &s, &t);
    best->weight[0] = 1;
    if (s >= 0 && t >= 0 && s + t <= 1) {
        gz_closest_try_face(x, i, 1 - (s + t), j, s, k, t, best);
        return;
    }
    gz_closest_try_side(x, 1, 2, 3, best);
    gz_closest_try_side(x, 2, 3, 1, best);
    gz_closest_try_side(x, 3, 1, 2, best);
}

/* ---- edge and edge ---- */

/* The points at u of the edge a and at v of b; q = a0 − b0. */
static GZ_PAIR_FN inline void gz_closest_try_edges(gz_vec3 q, gz_vec3 ea, gz_vec3 eb, double u, double v,
                                                   gz_closest *best) {
    gz_vec3 gap = gz_vec3_along(gz_vec3_along(q, u, ea), -v, eb);
    double squared = gz_vec3_dot(gap, gap);
    if (!(squared < best->squared)) return;
    best->weight[0] = 1 - u;
    best->weight[1] = u;
    best->weight[2] = v - 1;
    best->weight[3] = -v;
    best->vector = gap;
    best->squared = squared;
}

/* Best parameter along a for a given one along b, and the other way round. */
static GZ_PAIR_FN inline double gz_closest_along_a(gz_vec3 q, gz_vec3 ea, gz_vec3 eb, double v) {
    gz_vec3 zero = {{0, 0, 0}};
    return gz_closest_on_segment(gz_vec3_sub(gz_vec3_along(zero, v, eb), q), ea);
}
static GZ_PAIR_FN inline double gz_closest_along_b(gz_vec3 q, gz_vec3 ea, gz_vec3 eb, double u) {
    return gz_closest_on_segment(gz_vec3_along(q, u, ea), eb);
}

/* Inside both edges: the lines' closest points, moved into the edges, then each to its best place for the other. Where
   the lines are all but parallel the first are far off; what they are off by along the edges is taken back here. */
static GZ_PAIR_FN inline void gz_closest_try_inside(gz_vec3 q, gz_vec3 ea, gz_vec3 eb, gz_closest *best) {
    gz_vec3 zero = {{0, 0, 0}}, back = gz_vec3_sub(zero, ea);
    double u, v;
    if (gz_vec3_dot(ea, ea) >= gz_vec3_dot(eb, eb)) {
        gz_closest_in_plane(q, back, eb, &u, &v);
        v = v > 0 ? (v < 1 ? v : 1) : 0;
        u = gz_closest_along_a(q, ea, eb, v);
        v = gz_closest_along_b(q, ea, eb, u);
    } else {
        gz_closest_in_plane(q, eb, back, &v, &u);
        u = u > 0 ? (u < 1 ? u : 1) : 0;
        v = gz_closest_along_b(q, ea, eb, u);
        u = gz_closest_along_a(q, ea, eb, v);
    }
    gz_closest_try_edges(q, ea, eb, u, v, best);
}

static GZ_PAIR_FN inline void gz_closest_edge_edge(const gz_vec3 x[4], gz_closest *best) {
    gz_vec3 q = gz_vec3_sub(x[0], x[2]), ea = gz_vec3_sub(x[1], x[0]), eb = gz_vec3_sub(x[3], x[2]);
    gz_closest_try_edges(q, ea, eb, 0, gz_closest_along_b(q, ea, eb, 0), best);
    gz_closest_try_edges(q, ea, eb, 1, gz_closest_along_b(q, ea, eb, 1), best);
    gz_closest_try_edges(q, ea, eb, gz_closest_along_a(q, ea, eb, 0), 0, best);
    gz_closest_try_edges(q, ea, eb, gz_closest_along_a(q, ea, eb, 1), 1, best);
    gz_closest_try_inside(q, ea, eb, best);
}

/* ---- any kind ---- */

/* x as the rows of a query. */
static GZ_PAIR_FN inline gz_closest gz_closest_points(graze_kind kind, const gz_vec3 x[4]) {
    gz_closest best = {{0, 0, 0, 0}, {{0, 0, 0}}, INFINITY};
    switch (kind) {
    case GRAZE_VF: gz_closest_vertex_face(x, &best); return best;
    case GRAZE_EE: gz_closest_edge_edge(x, &best); return best;
    case GRAZE_PE: {
        double s = gz_closest_on_segment(gz_vec3_sub(x[0], x[1]), gz_vec3_sub(x[2], x[1]));
        best.weight[0] = 1;
        best.weight[1] = s - 1;
        best.weight[2] = -s;
        best.vector = gz_vec3_along(gz_vec3_sub(x[0], x[1]), -s, gz_vec3_sub(x[2], x[1]));
        break;
    }
    case GRAZE_PP:
        best.weight[0] = 1;
        best.weight[1] = -1;
        best.vector = gz_vec3_sub(x[0], x[1]);
        break;
    }
    best.squared = gz_vec3_dot(best.vector, best.vector);
    return best;
}

/* Parameters as in graze_result. */
static GZ_PAIR_FN inline double gz_closest_u(graze_kind kind, const gz_closest *at) {
    return kind == GRAZE_EE ? at->weight[1] : kind == GRAZE_PP ? 0 : -at->weight[2];
}
static GZ_PAIR_FN inline double gz_closest_v(graze_kind kind, const gz_closest *at) {
    return kind == GRAZE_VF || kind == GRAZE_EE ? -at->weight[3] : 0;
}

/* a·2^exponent, rounded once. A product does that as ldexp does, and is quicker, where the power is a normal number. */
static GZ_PAIR_FN inline gz_vec3 gz_closest_scaled(gz_vec3 a, int exponent) {
    int normal = exponent >= -1022 && exponent <= 1023;
    double power = normal ? ldexp(1.0, exponent) : 1;
    for (int c = 0; c < 3; c++) a.c[c] = normal ? a.c[c] * power : ldexp(a.c[c], exponent);
    return a;
}

/* Multiplies the rows by a power of two, 2 to the negative of what is returned, that brings the largest difference of
   two coordinates to about 1. Coordinates of at most GRAZE_MAX_COORDINATE. */
static GZ_PAIR_FN inline int gz_closest_scale(graze_kind kind, gz_vec3 x[4]) {
    int rows = gz_kind_rows(kind), exponent = 0;
    double largest = 0;
    for (int i = 1; i < rows; i++)
        for (int c = 0; c < 3; c++) {
            double size = fabs(x[i].c[c] - x[0].c[c]);
            largest = size > largest ? size : largest;
        }
    if (largest > 0) frexp(largest, &exponent);
    for (int i = 0; i < rows; i++) x[i] = gz_closest_scaled(x[i], -exponent);
    return exponent;
}

#endif
