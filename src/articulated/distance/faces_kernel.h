/* Pairs of triangles, one to a lane: closest points feature by feature, as gz_gap_of_faces() has them, and how far the
   triangles are apart along the line between these. */
#include "articulated/distance/face_batch.h"
#include "pair/closest_lanes.h"

static GZ_INLINE void faces_load(const double x[3][3][GZ_FACE_BATCH], size_t i, d_vec corners[3]) {
    for (int k = 0; k < 3; k++) corners[k] = (d_vec){d_load(x[k][0] + i), d_load(x[k][1] + i), d_load(x[k][2] + i)};
}

static GZ_INLINE void faces_try_sides(const d_vec a[3], const d_vec b[3], closest_lanes *best) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            edges_lanes x = {d_vec_sub(a[i], b[j]), d_vec_sub(a[(i + 1) % 3], a[i]), d_vec_sub(b[(j + 1) % 3], b[j])};
            lanes_try_inside(&x, best);
        }
}

/* The corner above the inside of the triangle f; `sign` brings the gap to that from b to a. */
static GZ_INLINE void faces_try_corner(d_vec p, const d_vec f[3], double sign, closest_lanes *best) {
    d_vec e1 = d_vec_sub(f[1], f[0]), e2 = d_vec_sub(f[2], f[0]), q = d_vec_sub(p, f[0]);
    d_mask first = d_le(d_vec_dot(e2, e2), d_vec_dot(e1, e1));
    d_vec e = d_vec_select(first, e1, e2), g = d_vec_select(first, e2, e1);
    d_real s, t, zero = d_set1(0), far = d_set1((double)INFINITY);
    lanes_in_plane(q, e, g, &s, &t);
    d_mask inside = d_m_and(d_m_and(d_le(zero, s), d_le(zero, t)), d_le(d_add(s, t), d_set1(1)));
    d_vec gap = d_vec_scale(lanes_along(lanes_along(q, d_neg(s), e), d_neg(t), g), d_set1(sign));
    d_real squared = d_select(inside, d_vec_dot(gap, gap), far);
    d_mask nearer = d_lt(squared, best->squared);
    best->vector = d_vec_select(nearer, gap, best->vector);
    best->squared = d_select(nearer, squared, best->squared);
}

/* The least of a less the most of b along n. */
static GZ_INLINE d_real faces_along(const d_vec a[3], const d_vec b[3], d_vec n) {
    d_real low = d_vec_dot(n, a[0]), high = d_vec_dot(n, b[0]);
    for (int k = 1; k < 3; k++) {
        low = d_min(d_vec_dot(n, a[k]), low);
        high = d_max(d_vec_dot(n, b[k]), high);
    }
    return d_sub(low, high);
}

/* Of each pair how far apart it is, margin aside; negative where that is not told. */
static void faces_kernel(const gz_face_batch *batch, double gaps[GZ_FACE_BATCH]) {
    d_real least = d_set1(0x1p-900), most = d_set1(0x1p900);
    for (size_t i = 0; i < GZ_FACE_BATCH; i += d_width) {
        d_vec a[3], b[3];
        faces_load(batch->a, i, a);
        faces_load(batch->b, i, b);
        closest_lanes best = lanes_none();
        faces_try_sides(a, b, &best);
        for (int k = 0; k < 3; k++) faces_try_corner(a[k], b, 1, &best);
        for (int k = 0; k < 3; k++) faces_try_corner(b[k], a, -1, &best);
        d_real gap = d_div(faces_along(a, b, best.vector), d_sqrt(best.squared));
        d_mask told = d_m_and(d_le(least, best.squared), d_le(best.squared, most));
        d_store(gaps + i, d_select(told, gap, d_set1(-1)));
    }
}
