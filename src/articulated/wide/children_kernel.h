/* One node against a block of nodes, along all directions of a view: each lane decides as gz_view_apart() does. */
#include "articulated/apart_kernel.h"
#include "articulated/wide/children.h"

/* A node of b along all directions. */
typedef struct children_stander {
    double at[GZ_VIEW_LANES], width[GZ_VIEW_LANES];
} children_stander;

/* A node of a along all directions. */
typedef struct children_mover {
    double middle[GZ_VIEW_LANES], half[GZ_VIEW_LANES], moves[GZ_VIEW_LANES];
} children_mover;

/* Nodes of a block from some place on, and what is known of them so far. */
typedef struct children_lanes {
    d_real center[3], half[3], sweep, squared;
} children_lanes;

static GZ_INLINE void children_load(const gz_face_block *block, int place, children_lanes *lanes) {
    for (int c = 0; c < 3; c++) {
        lanes->center[c] = d_load(block->center[c] + place);
        lanes->half[c] = d_load(block->half[c] + place);
    }
    lanes->sweep = lanes->squared = d_set1(0);
}

/* x0·a0 + x1·a1 + x2·a2 of numbers that are `stride` doubles apart */
static GZ_INLINE d_real children_dot(const double *x, size_t stride, const d_real a[3]) {
    d_real sum = d_add(d_mul(d_set1(x[0]), a[0]), d_mul(d_set1(x[stride]), a[1]));
    return d_add(sum, d_mul(d_set1(x[2 * stride]), a[2]));
}

static GZ_INLINE d_real children_width(const gz_view_lanes *v, int d, const d_real half[3]) {
    d_real sum = d_add(d_mul(d_abs(d_set1(v->n[0][d])), half[0]), d_mul(d_abs(d_set1(v->n[1][d])), half[1]));
    return d_add(sum, d_mul(d_abs(d_set1(v->n[2][d])), half[2]));
}

/* A bit for each lane whose nodes are apart along direction d; the axes of b add to the squared distance. */
static GZ_INLINE unsigned children_apart(const gz_view_lanes *v, int d, d_real middle, d_real half, d_real other,
                                         d_real width, children_lanes *lanes) {
    d_real gap = d_sub(middle, other);
    d_real room = d_add(d_add(d_add(half, width), d_set1(v->margin[d])), d_set1(v->reach[d]));
    if (d < 3) lanes->squared = d_add(lanes->squared, d_mul(gap, gap));
    return d_m_bits(d_lt(room, d_abs(gap)));
}

/* The places of a block that direction after direction leaves. */
static GZ_INLINE unsigned children_store(const children_lanes *lanes, unsigned apart, int place, gz_children *out) {
    d_store(out->sweep + place, lanes->sweep);
    d_store(out->squared + place, lanes->squared);
    return (~apart & ((1u << d_width) - 1)) << place;
}

static GZ_INLINE bool children_has(const gz_view_lanes *v, int d) { return v->margin[d] < INFINITY; }

/* ---- a block of a ---- */

static GZ_INLINE children_stander children_stand(const gz_view_lanes *v, const gz_face_node *b) {
    children_stander stander;
    d_real to[3], half[3];
    apart_broadcast(b->center, to);
    apart_broadcast(b->half, half);
    for (int i = 0; i < GZ_VIEW_LANES; i += d_width) {
        d_store(stander.at + i, apart_dot(v->n[0] + i, GZ_VIEW_LANES, to));
        d_store(stander.width + i, apart_width(v, i, half));
    }
    return stander;
}

static GZ_INLINE unsigned children_of_a_along(const gz_view_lanes *v, int d, const children_stander *b, bool still,
                                              children_lanes *lanes) {
    const size_t stride = sizeof v->x[0] / sizeof(double);
    d_real c[4], one_half = d_set1(0.5), half = children_dot(v->spread[0] + d, GZ_VIEW_LANES, lanes->half);
    for (int k = 0; k < (still ? 1 : 4); k++)
        c[k] = d_add(d_set1(v->t[k][d]), children_dot(v->x[0][k] + d, stride, lanes->center));
    if (!still) {
        d_real move = d_add(d_add(d_abs(c[1]), d_mul(one_half, d_abs(c[2]))), d_abs(c[3]));
        half = d_add(move, half);
        c[0] = d_add(c[0], d_mul(one_half, c[2]));
        if (d < 3) lanes->sweep = d_max(lanes->sweep, d_add(move, d_set1(v->margin[d])));
    }
    return children_apart(v, d, c[0], half, d_set1(b->at[d]), d_set1(b->width[d]), lanes);
}

static GZ_INLINE unsigned children_of_a(const gz_view_lanes *v, const gz_face_block *a, const gz_face_node *b,
                                        bool still, gz_children *out) {
    children_stander stander = children_stand(v, b);
    unsigned close = 0;
    for (int place = 0; place < (int)a->count; place += d_width) {
        children_lanes lanes;
        unsigned apart = 0;
        children_load(a, place, &lanes);
        for (int d = 0; d < GZ_VIEW_LANES && apart != (1u << d_width) - 1; d++)
            if (children_has(v, d)) apart |= children_of_a_along(v, d, &stander, still, &lanes);
        close |= children_store(&lanes, apart, place, out);
    }
    return close;
}

/* ---- a block of b ---- */

static GZ_INLINE children_mover children_move(const gz_view_lanes *v, const gz_face_node *a, bool still) {
    const size_t stride = sizeof v->x[0] / sizeof(double);
    children_mover mover;
    d_real at[3], half_a[3], one_half = d_set1(0.5);
    apart_broadcast(a->center, at);
    apart_broadcast(a->half, half_a);
    for (int i = 0; i < GZ_VIEW_LANES; i += d_width) {
        d_real c[4], move = d_set1(0), half = apart_dot(v->spread[0] + i, GZ_VIEW_LANES, half_a);
        for (int k = 0; k < (still ? 1 : 4); k++)
            c[k] = d_add(d_load(v->t[k] + i), apart_dot(v->x[0][k] + i, stride, at));
        if (!still) {
            move = d_add(d_add(d_abs(c[1]), d_mul(one_half, d_abs(c[2]))), d_abs(c[3]));
            half = d_add(move, half);
            c[0] = d_add(c[0], d_mul(one_half, c[2]));
        }
        d_store(mover.middle + i, c[0]);
        d_store(mover.half + i, half);
        d_store(mover.moves + i, d_add(move, d_load(v->margin + i)));
    }
    return mover;
}

static GZ_INLINE unsigned children_of_b_along(const gz_view_lanes *v, int d, const children_mover *a,
                                              children_lanes *lanes) {
    d_real middle = d_set1(a->middle[d]), half = d_set1(a->half[d]);
    if (d < 3) return children_apart(v, d, middle, half, lanes->center[d], lanes->half[d], lanes);
    return children_apart(v, d, middle, half, children_dot(v->n[0] + d, GZ_VIEW_LANES, lanes->center),
                          children_width(v, d, lanes->half), lanes);
}

static GZ_INLINE unsigned children_of_b(const gz_view_lanes *v, const gz_face_node *a, const gz_face_block *b,
                                        bool still, gz_children *out) {
    children_mover mover = children_move(v, a, still);
    double sweep = mover.moves[0] > mover.moves[1] ? mover.moves[0] : mover.moves[1];
    sweep = still ? 0 : mover.moves[2] > sweep ? mover.moves[2] : sweep;
    unsigned close = 0;
    for (int place = 0; place < (int)b->count; place += d_width) {
        children_lanes lanes;
        unsigned apart = 0;
        children_load(b, place, &lanes);
        lanes.sweep = d_set1(sweep);
        for (int d = 0; d < GZ_VIEW_LANES && apart != (1u << d_width) - 1; d++)
            if (children_has(v, d)) apart |= children_of_b_along(v, d, &mover, &lanes);
        close |= children_store(&lanes, apart, place, out);
    }
    return close;
}

/* ---- both ---- */

static GZ_INLINE unsigned children_any(const gz_view_lanes *v, const gz_face_node *node, const gz_face_block *block,
                                       bool of_a, bool still, gz_children *out) {
    unsigned close = of_a ? children_of_a(v, block, node, still, out) : children_of_b(v, node, block, still, out);
    return close & ((1u << block->count) - 1);
}

static unsigned children_kernel(const gz_view_lanes *v, const gz_face_node *node, const gz_face_block *block, bool of_a,
                                gz_children *out) {
    return children_any(v, node, block, of_a, false, out);
}

/* At a single time. */
static unsigned children_still_kernel(const gz_view_lanes *v, const gz_face_node *node, const gz_face_block *block,
                                      bool of_a, gz_children *out) {
    return children_any(v, node, block, of_a, true, out);
}
