#include "narrow/far.h"
#include "narrow/probe.h"

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
    if (kind == GRAZE_VF) return probe_direction((v_vec[3]){q, vec_add(q, e), vec_add(q, f)}, 3);
    return probe_direction((v_vec[4]){q, vec_add(q, f), vec_sub(q, e), q}, 4);
}

/* The least of the differences along n. */
static GZ_INLINE v_real far_least(graze_kind kind, const far_pair *pair, v_vec n) {
    v_real zero = v_set1(0), q = vec_dot(n, pair->q), e = vec_dot(n, pair->e), f = v_min(vec_dot(n, pair->f), zero);
    return v_add(q, kind == GRAZE_VF ? v_min(e, f) : v_sub(f, v_max(e, zero)));
}

/* Bit i: lane i is proven apart on the whole window. */
static GZ_INLINE unsigned far_lanes(graze_kind kind, const gz_far_job *job, const float *(*rows)[f_width]) {
    far_pair start, end;
    int corner = kind == GRAZE_VF ? 1 : 2;
    far_differences(rows[0], rows[corner], &start.q, &end.q);
    far_differences(rows[kind == GRAZE_VF ? 1 : 0], rows[kind == GRAZE_VF ? 2 : 1], &start.e, &end.e);
    far_differences(rows[corner], rows[3], &start.f, &end.f);
    v_vec n = far_direction(kind, &start, &end), size = vec_abs(n);
    v_real least = v_add(v_mul(v_add(v_add(size.x, size.y), size.z), v_set1(job->slack)), v_set1(GZ_DOT_TINY_F32));
    if (job->reach > 0) least = v_add(v_mul(v_mul(v_set1(job->reach), probe_norm(n)), v_set1(GZ_NORM_UP_F32)), least);
    return m_bits(m_and(v_lt(least, far_least(kind, &start, n)), v_lt(least, far_least(kind, &end, n))));
}

static GZ_INLINE void far_rows(graze_kind kind, const gz_far_job *job, const uint32_t pair[2],
                               const float *(*rows)[f_width], size_t lane) {
    if (kind == GRAZE_VF) {
        const uint32_t *face = job->faces[pair[1]];
        rows[0][lane] = job->ends[pair[0]];
        for (int i = 0; i < 3; i++) rows[1 + i][lane] = job->ends[face[i]];
        return;
    }
    for (int i = 0; i < 4; i++) rows[i][lane] = job->ends[job->edges[pair[i / 2]][i % 2]];
}

/* `kind` is a constant at every call: one loop is compiled for each. */
static GZ_INLINE size_t far_pairs(graze_kind kind, const gz_far_job *job, const uint32_t (*pairs)[2], size_t count,
                                  uint32_t (*left)[2]) {
    const float *rows[4][f_width];
    size_t kept = 0;
    for (size_t i = 0; i < count; i += f_width) {
        size_t used = count - i < f_width ? count - i : f_width;
        for (size_t lane = 0; lane < f_width; lane++) /* empty lanes repeat the last pair */
            far_rows(kind, job, pairs[i + (lane < used ? lane : used - 1)], rows, lane);
        unsigned open = ~far_lanes(kind, job, rows) & ((1u << used) - 1u);
        for (; open; open &= open - 1, kept++) memcpy(left[kept], pairs[i + (size_t)__builtin_ctz(open)], sizeof *left);
    }
    return kept;
}

static size_t far_kernel(const gz_far_job *job, graze_kind kind, const uint32_t (*pairs)[2], size_t count,
                         uint32_t (*left)[2]) {
    return kind == GRAZE_VF ? far_pairs(GRAZE_VF, job, pairs, count, left)
                            : far_pairs(GRAZE_EE, job, pairs, count, left);
}

#include "numerics/as_double.h"
