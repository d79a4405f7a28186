/* Looks at pairs in float, one pair to a lane, which prove most of them apart: docs/numerics.md, section 4.14. A row
   is a vertex at both ends of the window, as gz_far_job has it. */
#include "pair/probe.h"

#include "numerics/as_float.h"

/* A pair in each lane, at one end of the window: vertex–face: from the vertex to corner 0, and the sides from there;
   edge–edge: from a0 to b0, and the edges. */
typedef struct far_pair {
    v_vec q, e, f;
} far_pair;

static GZ_INLINE void far_differences(const float *const *from, const float *const *to, v_vec *start, v_vec *end) {
    f_real x[2][3];
    f_sub_ends(from, to, x[0], x[1]);
    *start = (v_vec){x[0][0], x[0][1], x[0][2]};
    *end = (v_vec){x[1][0], x[1][1], x[1][2]};
}

/* The direction of the closest points half-way; twice the differences, since it has no length. */
static GZ_INLINE v_vec far_direction(graze_kind kind, const far_pair *start, const far_pair *end) {
    v_vec q = vec_add(start->q, end->q), e = vec_add(start->e, end->e), f = vec_add(start->f, end->f);
    v_vec face[3] = {q, vec_add(q, e), vec_add(q, f)}, edges[4] = {q, vec_add(q, f), vec_sub(q, e), q};
    return kind == GRAZE_VF ? probe_direction(face, 3) : probe_direction(edges, 4);
}

/* The least of the differences along n. */
static GZ_INLINE v_real far_least(graze_kind kind, const far_pair *pair, v_vec n) {
    v_real zero = v_set1(0), q = vec_dot(n, pair->q), e = vec_dot(n, pair->e), f = v_min(vec_dot(n, pair->f), zero);
    return v_add(q, kind == GRAZE_VF ? v_min(e, f) : v_sub(f, v_max(e, zero)));
}

static GZ_INLINE void far_read(graze_kind kind, const float *(*rows)[f_width], far_pair *start, far_pair *end) {
    int corner = kind == GRAZE_VF ? 1 : 2;
    far_differences(rows[0], rows[corner], &start->q, &end->q);
    far_differences(rows[kind == GRAZE_VF ? 1 : 0], rows[kind == GRAZE_VF ? 2 : 1], &start->e, &end->e);
    far_differences(rows[corner], rows[3], &start->f, &end->f);
}

/* Bit i: lane i is proven apart from start to end, by more than `reach` in the view; `slack` as in gz_far_job. */
static GZ_INLINE unsigned far_apart(graze_kind kind, const far_pair *start, const far_pair *end, v_real slack,
                                    float reach) {
    v_vec n = far_direction(kind, start, end), size = vec_abs(n);
    v_real least = v_add(v_mul(v_add(v_add(size.x, size.y), size.z), slack), v_set1(GZ_DOT_TINY_F32));
    if (reach > 0) least = v_add(v_mul(v_mul(v_set1(reach), probe_norm(n)), v_set1(GZ_NORM_UP_F32)), least);
    return m_bits(m_and(v_lt(least, far_least(kind, start, n)), v_lt(least, far_least(kind, end, n))));
}

/* On the whole window. */
static GZ_INLINE unsigned far_lanes(graze_kind kind, const float *(*rows)[f_width], v_real slack, float reach) {
    far_pair start, end;
    far_read(kind, rows, &start, &end);
    return far_apart(kind, &start, &end, slack, reach);
}

static GZ_INLINE far_pair far_middle(const far_pair *a, const far_pair *b) {
    v_real half = v_set1(0.5f);
    return (far_pair){vec_scale(vec_add(a->q, b->q), half), vec_scale(vec_add(a->e, b->e), half),
                      vec_scale(vec_add(a->f, b->f), half)};
}

/* On each quarter of the window, by a direction of its own: what turns or passes by has none for all of it. */
static GZ_INLINE unsigned far_quarters(graze_kind kind, const float *(*rows)[f_width], v_real slack, float reach) {
    far_pair start, end;
    far_read(kind, rows, &start, &end);
    far_pair middle = far_middle(&start, &end), early = far_middle(&start, &middle), late = far_middle(&middle, &end);
    return far_apart(kind, &start, &early, slack, reach) & far_apart(kind, &early, &middle, slack, reach) &
           far_apart(kind, &middle, &late, slack, reach) & far_apart(kind, &late, &end, slack, reach);
}

#include "numerics/as_double.h"
