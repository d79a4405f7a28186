/* numerics/closest.h in lanes, one pair to a lane: the same operations in the same order, so the same bits. Where that
   branches, both ways are gone and one is taken. Vertex and face, edge and edge; as double. */
#ifndef GZ_PAIR_CLOSEST_LANES_H
#define GZ_PAIR_CLOSEST_LANES_H

#include "pair/probe.h"
#include "pair/source.h"

typedef struct closest_lanes {
    d_vec vector; /* from the point of b to that of a */
    d_real squared;
    d_real weight[4]; /* of the rows, where these are told apart */
} closest_lanes;

/* a + s·b */
static GZ_INLINE d_vec lanes_along(d_vec a, d_real s, d_vec b) { return d_vec_add(a, d_vec_scale(b, s)); }

/* s into [0, 1]; NaN gives 0 */
static GZ_INLINE d_real lanes_clamp(d_real s) {
    d_real zero = d_set1(0), one = d_set1(1);
    return d_select(d_lt(zero, s), d_select(d_lt(s, one), s, one), zero);
}

static GZ_INLINE d_real lanes_on_segment(d_vec q, d_vec e) {
    return lanes_clamp(d_div(d_vec_dot(q, e), d_vec_dot(e, e)));
}

static GZ_INLINE void lanes_in_plane(d_vec q, d_vec e, d_vec f, d_real *s, d_real *t) {
    d_real square = d_vec_dot(e, e), along = d_div(d_vec_dot(f, e), square), foot = d_div(d_vec_dot(q, e), square);
    d_vec across = lanes_along(f, d_neg(along), e), left = lanes_along(q, d_neg(foot), e);
    *t = d_div(d_vec_dot(left, across), d_vec_dot(across, across));
    *s = d_sub(foot, d_mul(*t, along));
}

static GZ_INLINE closest_lanes lanes_none(void) {
    d_real zero = d_set1(0);
    return (closest_lanes){{zero, zero, zero}, d_set1((double)INFINITY), {zero, zero, zero, zero}};
}

/* Takes `gap` in the lanes where it is shorter than the best so far. */
static GZ_INLINE void lanes_try(d_vec gap, const d_real weight[4], closest_lanes *best) {
    d_real squared = d_vec_dot(gap, gap);
    d_mask nearer = d_lt(squared, best->squared);
    best->vector = d_vec_select(nearer, gap, best->vector);
    best->squared = d_select(nearer, squared, best->squared);
    for (int i = 0; i < 4; i++) best->weight[i] = d_select(nearer, weight[i], best->weight[i]);
}

/* ---- vertex and face ---- */

/* The side from row i to j; k is the third row of the face. */
static GZ_INLINE void lanes_try_side(const d_vec x[4], int i, int j, int k, closest_lanes *best) {
    d_vec q = d_vec_sub(x[0], x[i]), e = d_vec_sub(x[j], x[i]);
    d_real s = lanes_on_segment(q, e), weight[4];
    weight[0] = d_set1(1);
    weight[i] = d_neg(d_sub(d_set1(1), s));
    weight[j] = d_neg(s);
    weight[k] = d_set1(-0.0);
    lanes_try(lanes_along(lanes_along(q, d_neg(s), e), d_set1(-0.0), d_vec_sub(x[k], x[i])), weight, best);
}

/* True if the longest side begins at the second or third corner; neither: at the first. */
typedef struct side_lanes {
    d_mask second, third;
} side_lanes;

static GZ_INLINE side_lanes lanes_longest_side(const d_vec x[4]) {
    d_real squares[3];
    for (int a = 1; a <= 3; a++) {
        d_vec e = d_vec_sub(x[a == 3 ? 1 : a + 1], x[a]);
        squares[a - 1] = d_vec_dot(e, e);
    }
    d_mask second = d_lt(squares[0], squares[1]);
    return (side_lanes){second, d_lt(d_select(second, squares[1], squares[0]), squares[2])};
}

static GZ_INLINE d_vec lanes_corner(side_lanes at, d_vec first, d_vec second, d_vec third) {
    return d_vec_select(at.third, third, d_vec_select(at.second, second, first));
}
static GZ_INLINE d_real lanes_of_corner(side_lanes at, d_real first, d_real second, d_real third) {
    return d_neg(d_select(at.third, third, d_select(at.second, second, first)));
}

static GZ_INLINE closest_lanes lanes_vertex_face(const d_vec x[4]) {
    d_real s, t, zero = d_set1(0), one = d_set1(1);
    side_lanes at = lanes_longest_side(x);
    d_vec i = lanes_corner(at, x[1], x[2], x[3]), j = lanes_corner(at, x[2], x[3], x[1]);
    d_vec k = lanes_corner(at, x[3], x[1], x[2]);
    d_vec q = d_vec_sub(x[0], i), e = d_vec_sub(j, i), f = d_vec_sub(k, i);
    lanes_in_plane(q, e, f, &s, &t);
    d_real both = d_add(s, t), rest = d_sub(one, both);
    d_mask inside = d_m_and(d_m_and(d_le(zero, s), d_le(zero, t)), d_le(both, one));
    d_real weight[4] = {one, lanes_of_corner(at, rest, t, s), lanes_of_corner(at, s, rest, t),
                        lanes_of_corner(at, t, s, rest)};
    closest_lanes face = lanes_none(), side = face;
    lanes_try(lanes_along(lanes_along(q, d_neg(s), e), d_neg(t), f), weight, &face);
    lanes_try_side(x, 1, 2, 3, &side);
    lanes_try_side(x, 2, 3, 1, &side);
    lanes_try_side(x, 3, 1, 2, &side);
    face.vector = d_vec_select(inside, face.vector, side.vector);
    face.squared = d_select(inside, face.squared, side.squared);
    for (int r = 0; r < 4; r++) face.weight[r] = d_select(inside, face.weight[r], side.weight[r]);
    return face;
}

/* ---- edge and edge ---- */

typedef struct edges_lanes {
    d_vec q, ea, eb; /* q = a0 − b0 */
} edges_lanes;

static GZ_INLINE void lanes_try_edges(const edges_lanes *x, d_real u, d_real v, closest_lanes *best) {
    d_real one = d_set1(1), weight[4] = {d_sub(one, u), u, d_sub(v, one), d_neg(v)};
    lanes_try(lanes_along(lanes_along(x->q, u, x->ea), d_neg(v), x->eb), weight, best);
}

/* The point of b at v as seen from a0, and that of a at u as seen from b0. */
static GZ_INLINE d_vec lanes_from_a(const edges_lanes *x, d_real v) {
    d_real zero = d_set1(0);
    return d_vec_sub(lanes_along((d_vec){zero, zero, zero}, v, x->eb), x->q);
}
static GZ_INLINE d_vec lanes_from_b(const edges_lanes *x, d_real u) { return lanes_along(x->q, u, x->ea); }

static GZ_INLINE void lanes_try_inside(const edges_lanes *x, closest_lanes *best) {
    d_real zero = d_set1(0), along, start;
    d_vec back = d_vec_sub((d_vec){zero, zero, zero}, x->ea);
    d_mask a_longer = d_le(d_vec_dot(x->eb, x->eb), d_vec_dot(x->ea, x->ea));
    lanes_in_plane(x->q, d_vec_select(a_longer, back, x->eb), d_vec_select(a_longer, x->eb, back), &along, &start);
    start = lanes_clamp(start); /* v where a is longer, else u */
    d_real first = lanes_on_segment(d_vec_select(a_longer, lanes_from_a(x, start), lanes_from_b(x, start)),
                                    d_vec_select(a_longer, x->ea, x->eb));
    d_real last = lanes_on_segment(d_vec_select(a_longer, lanes_from_b(x, first), lanes_from_a(x, first)),
                                   d_vec_select(a_longer, x->eb, x->ea));
    lanes_try_edges(x, d_select(a_longer, first, last), d_select(a_longer, last, first), best);
}

static GZ_INLINE closest_lanes lanes_edge_edge(const d_vec rows[4]) {
    d_real zero = d_set1(0), one = d_set1(1);
    edges_lanes x = {d_vec_sub(rows[0], rows[2]), d_vec_sub(rows[1], rows[0]), d_vec_sub(rows[3], rows[2])};
    closest_lanes best = lanes_none();
    lanes_try_edges(&x, zero, lanes_on_segment(lanes_from_b(&x, zero), x.eb), &best);
    lanes_try_edges(&x, one, lanes_on_segment(lanes_from_b(&x, one), x.eb), &best);
    lanes_try_edges(&x, lanes_on_segment(lanes_from_a(&x, zero), x.ea), zero, &best);
    lanes_try_edges(&x, lanes_on_segment(lanes_from_a(&x, one), x.ea), one, &best);
    lanes_try_inside(&x, &best);
    return best;
}

/* ---- either ---- */

static GZ_INLINE closest_lanes lanes_closest(graze_kind kind, const d_vec x[4]) {
    return kind == GRAZE_VF ? lanes_vertex_face(x) : lanes_edge_edge(x);
}

/* Scales the rows as gz_closest_scale does, by a power of two that is returned. Lanes of `fit` are those where that is
   one multiplication: the others are not to be used. */
static GZ_INLINE d_real lanes_scale(d_vec x[4], d_mask *fit) {
    d_vec most = d_vec_abs(d_vec_sub(x[1], x[0]));
    for (int i = 2; i < 4; i++) most = d_vec_max_abs(d_vec_sub(x[i], x[0]), most);
    d_real size = d_max(d_max(most.x, most.y), most.z);
    d_mask none = d_eq(size, d_set1(0));
    d_real scale = d_select(none, d_set1(1), d_mul(d_scale_of(size), d_set1(0.5)));
    *fit = d_m_or(none, d_m_and(d_le(d_set1(0x1p-900), size), d_le(size, d_set1(0x1p900))));
    for (int i = 0; i < 4; i++) x[i] = d_vec_scale(x[i], scale);
    return scale;
}

/* The four rows of pairs ids[0 …], those beyond `count` repeat the first. */
static GZ_INLINE void lanes_rows(const char *x, size_t stride, const uint32_t (*ids)[4], size_t count, d_vec rows[4]) {
    for (int i = 0; i < 4; i++) {
        const double *p[d_width];
        for (size_t lane = 0; lane < d_width; lane++) p[lane] = gz_position(x, stride, ids[lane < count ? lane : 0][i]);
        d_load3(p, &rows[i].x, &rows[i].y, &rows[i].z);
    }
}

#endif
