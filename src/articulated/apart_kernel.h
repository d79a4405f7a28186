/* Two nodes along all directions of a view: gz_view_apart(), and gaps. */
#include "articulated/projection.h"

#include "numerics/lanes.h"

/* x0·a0 + x1·a1 + x2·a2, where row i of x is `stride` doubles after the one before it */
static GZ_INLINE d_real apart_dot(const double *x, size_t stride, const d_real a[3]) {
    d_real sum = d_add(d_mul(d_load(x), a[0]), d_mul(d_load(x + stride), a[1]));
    return d_add(sum, d_mul(d_load(x + 2 * stride), a[2]));
}

static GZ_INLINE void apart_broadcast(const double x[3], d_real out[3]) {
    for (int c = 0; c < 3; c++) out[c] = d_set1(x[c]);
}

/* |n| of the lanes from i on. */
static GZ_INLINE d_real apart_width(const gz_view_lanes *v, int i, const d_real half[3]) {
    d_real sum = d_add(d_mul(d_abs(d_load(v->n[0] + i)), half[0]), d_mul(d_abs(d_load(v->n[1] + i)), half[1]));
    return d_add(sum, d_mul(d_abs(d_load(v->n[2] + i)), half[2]));
}

/* As gz_node_interval(), then the comparison, in every lane. */
static bool apart_kernel(const gz_view_lanes *v, const gz_face_node *a, const gz_face_node *b, double *sweep) {
    d_real at[3], half_a[3], to[3], half_b[3], one_half = d_set1(0.5);
    double moves[GZ_VIEW_LANES];
    apart_broadcast(a->center, at);
    apart_broadcast(a->half, half_a);
    apart_broadcast(b->center, to);
    apart_broadcast(b->half, half_b);
    for (int i = 0; i < GZ_VIEW_LANES; i += d_width) {
        d_real c[4];
        for (int k = 0; k < 4; k++)
            c[k] = d_add(d_load(v->t[k] + i), apart_dot(v->x[0][k] + i, sizeof v->x[0] / sizeof(double), at));
        d_real move = d_add(d_add(d_abs(c[1]), d_mul(one_half, d_abs(c[2]))), d_abs(c[3]));
        d_real half = d_add(move, apart_dot(v->spread[0] + i, GZ_VIEW_LANES, half_a));
        d_real middle = d_add(c[0], d_mul(one_half, c[2])), margin = d_load(v->margin + i);
        d_real other = apart_dot(v->n[0] + i, GZ_VIEW_LANES, to);
        d_real room = d_add(d_add(d_add(half, apart_width(v, i, half_b)), margin), d_load(v->reach + i));
        if (d_m_bits(d_lt(room, d_abs(d_sub(middle, other))))) return true;
        d_store(moves + i, d_add(move, margin));
    }
    *sweep = moves[0] > moves[1] ? moves[0] : moves[1];
    *sweep = moves[2] > *sweep ? moves[2] : *sweep;
    return false;
}

/* As apart_kernel(), but at a single time, where a frame is its constant part: fewer sums, the same bits. */
static bool apart_still_kernel(const gz_view_lanes *v, const gz_face_node *a, const gz_face_node *b, double *sweep) {
    d_real at[3], half_a[3], to[3], half_b[3];
    apart_broadcast(a->center, at);
    apart_broadcast(a->half, half_a);
    apart_broadcast(b->center, to);
    apart_broadcast(b->half, half_b);
    *sweep = 0;
    for (int i = 0; i < GZ_VIEW_LANES; i += d_width) {
        d_real middle = d_add(d_load(v->t[0] + i), apart_dot(v->x[0][0] + i, sizeof v->x[0] / sizeof(double), at));
        d_real half = apart_dot(v->spread[0] + i, GZ_VIEW_LANES, half_a);
        d_real other = apart_dot(v->n[0] + i, GZ_VIEW_LANES, to);
        d_real room = d_add(d_add(half, apart_width(v, i, half_b)), d_load(v->margin + i));
        room = d_add(room, d_load(v->reach + i));
        if (d_m_bits(d_lt(room, d_abs(d_sub(middle, other))))) return true;
    }
    return false;
}

/* Gaps between the nodes along each direction at a single time: 0 where they are not apart. */
static void gap_kernel(const gz_view_lanes *v, const gz_face_node *a, const gz_face_node *b,
                       double gaps[GZ_VIEW_LANES]) {
    d_real at[3], half_a[3], to[3], half_b[3], zero = d_set1(0);
    apart_broadcast(a->center, at);
    apart_broadcast(a->half, half_a);
    apart_broadcast(b->center, to);
    apart_broadcast(b->half, half_b);
    for (int i = 0; i < GZ_VIEW_LANES; i += d_width) {
        d_real middle = d_add(d_load(v->t[0] + i), apart_dot(v->x[0][0] + i, sizeof v->x[0] / sizeof(double), at));
        d_real half = apart_dot(v->spread[0] + i, GZ_VIEW_LANES, half_a);
        d_real other = apart_dot(v->n[0] + i, GZ_VIEW_LANES, to);
        d_real room = d_add(d_add(half, apart_width(v, i, half_b)), d_load(v->margin + i));
        d_store(gaps + i, d_max(d_sub(d_abs(d_sub(middle, other)), room), zero));
    }
}
