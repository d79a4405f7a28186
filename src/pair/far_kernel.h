#include "pair/far.h"
#include "pair/far_look.h"

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

/* `kind` and `quarters` are constants at every call: one loop is compiled for each. `left` may be `pairs`. */
static GZ_INLINE size_t far_pairs(graze_kind kind, bool quarters, const gz_far_job *job, const uint32_t (*pairs)[2],
                                  size_t count, uint32_t (*left)[2]) {
    const float *rows[4][f_width];
    size_t kept = 0;
    for (size_t i = 0; i < count; i += f_width) {
        size_t used = count - i < f_width ? count - i : f_width;
        for (size_t lane = 0; lane < f_width; lane++) /* empty lanes repeat the last pair */
            far_rows(kind, job, pairs[i + (lane < used ? lane : used - 1)], rows, lane);
        unsigned apart = quarters ? far_quarters(kind, rows, f_set1(job->slack), job->reach)
                                  : far_lanes(kind, rows, f_set1(job->slack), job->reach);
        for (unsigned open = ~apart & ((1u << used) - 1u); open; open &= open - 1, kept++) {
            const uint32_t *pair = pairs[i + (size_t)__builtin_ctz(open)];
            uint32_t a = pair[0], b = pair[1];
            left[kept][0] = a, left[kept][1] = b;
        }
    }
    return kept;
}

static GZ_INLINE size_t far_looks(graze_kind kind, const gz_far_job *job, const uint32_t (*pairs)[2], size_t count,
                                  uint32_t (*left)[2]) {
    size_t kept = far_pairs(kind, false, job, pairs, count, left);
    return job->quarters ? far_pairs(kind, true, job, (const uint32_t(*)[2])left, kept, left) : kept;
}

static size_t far_kernel(const gz_far_job *job, graze_kind kind, const uint32_t (*pairs)[2], size_t count,
                         uint32_t (*left)[2]) {
    return kind == GRAZE_VF ? far_looks(GRAZE_VF, job, pairs, count, left)
                            : far_looks(GRAZE_EE, job, pairs, count, left);
}
