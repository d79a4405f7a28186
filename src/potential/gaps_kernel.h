/* gap.c in lanes, one contact to a lane, for contacts whose closest points lie inside of all of their features: the
   same operations in the same order. Any other, and one of a size whose squares might vanish, is left to plain code. */
#include "numerics/double_double_lanes.h"
#include "pair/closest_lanes.h"
#include "potential/gap_block.h"
#include "potential/gap_constants.h"

typedef struct gap_lanes {
    d_vec x[4];
    d_real weight[4];
    dd_real_vec r;
    d_vec motion[2];
    d_real part;
    d_mask told;
} gap_lanes;

static GZ_INLINE closest_lanes gap_vertex_edge(const d_vec x[4]) {
    d_vec q = d_vec_sub(x[0], x[1]), e = d_vec_sub(x[2], x[1]);
    d_real s = lanes_on_segment(q, e), one = d_set1(1);
    closest_lanes at = {.weight = {one, d_sub(s, one), d_neg(s), d_set1(0)}};
    at.vector = lanes_along(q, d_neg(s), e);
    at.squared = d_vec_dot(at.vector, at.vector);
    return at;
}

/* Weights of the closest points, and how near the features are at least. */
static GZ_INLINE d_real gap_weights(graze_kind kind, gap_lanes *g) {
    d_vec x[4];
    d_real zero = d_set1(0);
    for (int i = 0; i < 4; i++) x[i] = g->x[i];
    d_real scale = lanes_scale(x, &g->told);
    closest_lanes at = kind == GRAZE_PE ? gap_vertex_edge(x) : lanes_closest(kind, x);
    g->told = d_m_and(g->told, d_m_and(d_le(d_set1(0x1p-200), scale), d_le(scale, d_set1(0x1p200))));
    for (int i = 0; i < gz_kind_rows(kind); i++) {
        g->weight[i] = at.weight[i];
        g->told = d_m_and(g->told, d_lt(zero, d_abs(at.weight[i])));
    }
    return d_div(d_sub(d_sqrt(at.squared), d_set1(GZ_GAP_ROUNDING)), scale);
}

static GZ_INLINE dd_real_vec gap_between(d_vec a, d_vec b) {
    return (dd_real_vec){ddl_two_sum(a.x, d_neg(b.x)), ddl_two_sum(a.y, d_neg(b.y)), ddl_two_sum(a.z, d_neg(b.z))};
}

/* The closest point moves along the edge from the row `base` to the row `end`: parameter k. */
static GZ_INLINE void gap_add_edge(gap_lanes *g, int k, int base, int end) {
    dd_real_vec edge = gap_between(g->x[end], g->x[base]);
    g->r = ddl_vec_add(g->r, ddl_vec_scale(edge, g->weight[end]));
    g->motion[k] = (d_vec){edge.x.hi, edge.y.hi, edge.z.hi};
}

static GZ_INLINE void gap_part_motions(gap_lanes *g) {
    d_vec first = g->motion[0], second = g->motion[1];
    d_real whole = d_vec_dot(second, second);
    g->part = d_div(d_vec_dot(first, second), d_vec_dot(first, first));
    g->motion[1] = lanes_along(second, d_neg(g->part), first);
    d_real left = d_vec_dot(g->motion[1], g->motion[1]);
    g->told = d_m_and(g->told, d_lt(d_mul(d_set1(GZ_GAP_PARALLEL_TELLS), whole), left));
}

/* One step of Newton's method along a motion; what the parameter is changed by. */
static GZ_INLINE d_real gap_refine(gap_lanes *g, int k) {
    d_vec m = g->motion[k];
    dd_real along = ddl_add(ddl_add(ddl_scale(g->r.x, m.x), ddl_scale(g->r.y, m.y)), ddl_scale(g->r.z, m.z));
    d_real by = d_div(d_neg(along.hi), d_vec_dot(m, m));
    g->r =
        ddl_vec_add(g->r, (dd_real_vec){ddl_two_product(by, m.x), ddl_two_product(by, m.y), ddl_two_product(by, m.z)});
    return by;
}

static GZ_INLINE void gap_move(gap_lanes *g, d_real by, int row, d_real slope) {
    g->weight[row] = d_add(g->weight[row], d_mul(by, slope));
}

/* Rows of the edges along which closest points move. */
static GZ_INLINE void gap_find_lanes(graze_kind kind, gap_lanes *g) {
    d_real one = d_set1(1), minus = d_set1(-1);
    int b = kind == GRAZE_EE ? 2 : 1, first = kind == GRAZE_EE ? 0 : 1, last = 3;
    g->r = gap_between(g->x[0], g->x[b]);
    gap_add_edge(g, 0, first, first + 1);
    if (kind != GRAZE_PE) {
        gap_add_edge(g, 1, b, last);
        gap_part_motions(g);
    }
    d_real by = gap_refine(g, 0);
    gap_move(g, by, first, minus);
    gap_move(g, by, first + 1, one);
    if (kind == GRAZE_PE) return;
    by = gap_refine(g, 1);
    gap_move(g, by, first, kind == GRAZE_EE ? g->part : d_add(minus, g->part));
    gap_move(g, by, first + 1, d_neg(g->part));
    if (kind == GRAZE_EE) gap_move(g, by, 2, minus);
    gap_move(g, by, last, one);
}

static GZ_INLINE void gap_store(const gap_lanes *g, size_t i, gz_gap_block *out) {
    dd_real square = ddl_vec_dot(g->r, g->r);
    d_store(out->square[0] + i, square.hi);
    d_store(out->square[1] + i, square.lo);
    d_store(out->vector[0] + i, g->r.x.hi);
    d_store(out->vector[1] + i, g->r.y.hi);
    d_store(out->vector[2] + i, g->r.z.hi);
    for (int row = 0; row < 4; row++) d_store(out->weight[row] + i, g->weight[row]);
    for (int k = 0; k < 2; k++) {
        d_store(out->motion[k][0] + i, g->motion[k].x);
        d_store(out->motion[k][1] + i, g->motion[k].y);
        d_store(out->motion[k][2] + i, g->motion[k].z);
    }
    d_store(out->part + i, g->part);
}

static GZ_INLINE void gaps_of(graze_kind kind, const gz_gap_job *job, gz_gap_block *out) {
    d_real zero = d_set1(0);
    for (size_t i = 0; i < job->count; i += d_width) {
        gap_lanes g = {.weight = {zero, zero, zero, zero}, .part = zero};
        g.motion[1] = (d_vec){zero, zero, zero};
        lanes_rows(job->x, job->stride, job->ids + i, job->count - i, g.x);
        d_store(out->least + i, gap_weights(kind, &g));
        gap_find_lanes(kind, &g);
        gap_store(&g, i, out);
        unsigned told = d_m_bits(g.told);
        for (size_t lane = 0; lane < d_width; lane++) out->told[i + lane] = (unsigned char)(told >> lane & 1u);
    }
}

static void contact_gaps_kernel(const gz_gap_job *job, gz_gap_block *out) {
    if (job->kind == GRAZE_VF)
        gaps_of(GRAZE_VF, job, out);
    else if (job->kind == GRAZE_EE)
        gaps_of(GRAZE_EE, job, out);
    else
        gaps_of(GRAZE_PE, job, out);
}
