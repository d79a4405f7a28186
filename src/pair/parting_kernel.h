/* The planes of vertices.c in lanes, with the same operations in the same order. A pair that is too close for a
   direction between its closest points, or of a size that is not scaled by one multiplication, is left to plain code.
 */
#include "pair/closest_direction.h"
#include "pair/closest_lanes.h"
#include "pair/parting_job.h"

/* Some pairs, one to a lane, seen from where their first row is at t = 0. */
typedef struct parting_lanes {
    d_vec origin, x0[4];
    d_vec n;        /* a unit vector from a to b */
    d_real near[4]; /* how far along n (−n for b) each row reaches at t = 0 */
    d_real front[2];
    d_mask apart, told; /* told: this says something about the pair */
} parting_lanes;

static GZ_INLINE void find_lanes_direction(graze_kind kind, parting_lanes *p) {
    d_vec x[4];
    for (int i = 0; i < 4; i++) x[i] = p->x0[i];
    d_mask fit;
    lanes_scale(x, &fit);
    closest_lanes at = lanes_closest(kind, x);
    p->told = d_m_and(fit, d_le(d_set1(GZ_CLOSEST_TELLS), at.squared));
    d_vec towards = d_vec_scale(at.vector, d_set1(-1));
    d_real length = d_sqrt(d_vec_dot(towards, towards));
    p->n = (d_vec){d_div(towards.x, length), d_div(towards.y, length), d_div(towards.z, length)};
}

static GZ_INLINE d_real lanes_reach(d_vec n, d_vec x, int side) {
    d_vec parts = {d_mul(n.x, x.x), d_mul(n.y, x.y), d_mul(n.z, x.z)}, sizes = d_vec_abs(parts);
    d_real dot = d_add(d_add(parts.x, parts.y), parts.z), size = d_add(d_add(sizes.x, sizes.y), sizes.z);
    d_real slack = d_add(d_mul(size, d_set1(GZ_DOT_SLACK)), d_set1(GZ_DOT_TINY));
    return d_add(side ? d_neg(dot) : dot, slack);
}

static GZ_INLINE void place_lanes_planes(graze_kind kind, double separation, parting_lanes *p) {
    d_real near[2] = {d_set1(-(double)INFINITY), d_set1(-(double)INFINITY)};
    d_real square = d_add(d_vec_dot(p->n, p->n), d_set1(GZ_NORM_TINY));
    d_real norm = d_mul(d_sqrt(square), d_set1(GZ_NORM_UP));
    d_mask good = d_eq(norm, norm);
    for (int i = 0; i < 4; i++) {
        int side = i < gz_kind_rows_of_a(kind) ? 0 : 1;
        p->near[i] = lanes_reach(p->n, p->x0[i], side);
        good = d_m_and(good, d_le(d_abs(p->near[i]), d_set1(DBL_MAX)));
        near[side] = d_max(p->near[i], near[side]);
    }
    d_real gap = d_neg(d_add(near[0], near[1]));
    d_real kept = d_add(d_mul(d_mul(d_set1(separation), norm), d_set1(GZ_NORM_UP)), d_set1(GZ_DOT_TINY));
    d_real each = d_mul(d_mul(d_set1(0.5), d_sub(gap, kept)), d_set1(1 - GZ_PLANES_SHARE));
    d_real least = d_mul(d_set1(GZ_PLANES_SHARE), d_add(d_abs(near[0]), d_abs(near[1])));
    good = d_m_and(good, d_lt(d_add(least, d_set1(GZ_ROOT_TINY)), each));
    for (int side = 0; side < 2; side++) p->front[side] = d_add(near[side], each);
    d_real between = d_neg(d_add(p->front[0], p->front[1]));
    d_real slack = d_mul(d_add(d_abs(p->front[0]), d_abs(p->front[1])), d_set1(GZ_DOT_SLACK));
    p->apart = d_m_and(good, d_lt(kept, d_sub(between, slack)));
}

/* The largest fraction of the way to x1 for which row i stays behind its plane. */
static GZ_INLINE d_real lanes_stop(graze_kind kind, const parting_lanes *p, int i, d_vec x1, double t_max) {
    int side = i < gz_kind_rows_of_a(kind) ? 0 : 1;
    d_real zero = d_set1(0), most = d_set1(t_max), q1 = lanes_reach(p->n, x1, side);
    d_real room = d_sub(p->front[side], p->near[i]);
    d_real root = d_mul(d_div(room, d_sub(q1, p->near[i])), d_set1(GZ_ROOT_DOWN));
    d_real stop = d_sub(root, d_set1(GZ_ROOT_TINY));
    stop = d_select(d_m_and(d_lt(zero, room), d_lt(zero, stop)), d_min(stop, most), zero);
    return d_select(d_le(q1, p->front[side]), most, stop);
}

static GZ_INLINE void part_lanes(graze_kind kind, const gz_parting_job *job, size_t first, parting_lanes *p) {
    lanes_rows(job->positions->x0, job->positions->stride, job->ids + first, job->count - first, p->x0);
    p->origin = p->x0[0];
    for (int i = 0; i < 4; i++) p->x0[i] = d_vec_sub(p->x0[i], p->origin);
    find_lanes_direction(kind, p);
    place_lanes_planes(kind, job->separation, p);
}

static GZ_INLINE void tell_parted(const parting_lanes *p, size_t lanes, unsigned char *parted) {
    unsigned apart = d_m_bits(p->apart), told = d_m_bits(p->told);
    for (size_t lane = 0; lane < lanes; lane++)
        parted[lane] = (unsigned char)(told >> lane & 1u ? (int)(apart >> lane & 1u) : GZ_PARTING_LEFT);
}

/* The fraction of its way at which each row of each pair has to stop. */
static GZ_INLINE void stop_lanes(graze_kind kind, const gz_parting_job *job, size_t first, const parting_lanes *p,
                                 double (*stops)[GZ_PARTING_BLOCK]) {
    d_vec x1[4];
    lanes_rows(job->positions->x1, job->positions->stride, job->ids + first, job->count - first, x1);
    for (int i = 0; i < 4; i++) {
        d_real stop = lanes_stop(kind, p, i, d_vec_sub(x1[i], p->origin), job->t_max);
        d_store(stops[i] + first, d_select(p->apart, stop, d_set1(0)));
    }
}

/* `kind` is a constant at every call. `stops` may be NULL. */
static GZ_INLINE void part_pairs(graze_kind kind, const gz_parting_job *job, unsigned char *parted,
                                 double (*stops)[GZ_PARTING_BLOCK]) {
    for (size_t first = 0; first < job->count; first += d_width) {
        size_t lanes = job->count - first < d_width ? job->count - first : d_width;
        parting_lanes p;
        part_lanes(kind, job, first, &p);
        tell_parted(&p, lanes, parted + first);
        if (stops) stop_lanes(kind, job, first, &p, stops);
    }
}

static GZ_NOINLINE void stops_kernel(const gz_parting_job *job, unsigned char *parted,
                                     double (*stops)[GZ_PARTING_BLOCK]) {
    if (job->kind == GRAZE_VF)
        part_pairs(GRAZE_VF, job, parted, stops);
    else
        part_pairs(GRAZE_EE, job, parted, stops);
}

static void parted_kernel(const gz_parting_job *job, unsigned char *parted) { stops_kernel(job, parted, NULL); }

/* ---- distances at t = 0 ---- */

static GZ_INLINE void measure_pairs(graze_kind kind, const gz_parting_job *job, double *distances) {
    for (size_t first = 0; first < job->count; first += d_width) {
        d_vec x[4];
        d_mask fit;
        lanes_rows(job->positions->x0, job->positions->stride, job->ids + first, job->count - first, x);
        d_real scale = lanes_scale(x, &fit), length = d_sqrt(lanes_closest(kind, x).squared);
        d_store(distances + first, d_select(fit, d_div(length, scale), d_set1(-1)));
    }
}

static void distances_kernel(const gz_parting_job *job, double *distances) {
    if (job->kind == GRAZE_VF)
        measure_pairs(GRAZE_VF, job, distances);
    else
        measure_pairs(GRAZE_EE, job, distances);
}

/* ---- closest points at t = 0 ---- */

static GZ_INLINE void store_closest(const closest_lanes *at, d_real scale, size_t first, gz_closest_block *out) {
    d_store(out->vector[0] + first, d_div(at->vector.x, scale));
    d_store(out->vector[1] + first, d_div(at->vector.y, scale));
    d_store(out->vector[2] + first, d_div(at->vector.z, scale));
    for (int i = 0; i < 4; i++) d_store(out->weight[i] + first, at->weight[i]);
}

static GZ_INLINE void closest_pairs(graze_kind kind, const gz_parting_job *job, gz_closest_block *out) {
    for (size_t first = 0; first < job->count; first += d_width) {
        d_vec x[4];
        d_mask fit;
        lanes_rows(job->positions->x0, job->positions->stride, job->ids + first, job->count - first, x);
        d_real scale = lanes_scale(x, &fit);
        closest_lanes at = lanes_closest(kind, x);
        d_store(out->distance + first, d_select(fit, d_div(d_sqrt(at.squared), scale), d_set1(-1)));
        store_closest(&at, scale, first, out);
    }
}

static void closest_kernel(const gz_parting_job *job, gz_closest_block *out) {
    if (job->kind == GRAZE_VF)
        closest_pairs(GRAZE_VF, job, out);
    else
        closest_pairs(GRAZE_EE, job, out);
}
