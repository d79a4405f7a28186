/* The narrow phase for listed pairs: one thread a pair, lanes of width 1, the code of the CPU. The first probe in float
   settles nine pairs in ten, the rounds in double most of the rest; what each leaves is listed anew, so that the next
   kernel has no idle lanes. */
#ifndef GZ_CUDA_CERTIFY_CUH
#define GZ_CUDA_CERTIFY_CUH

#include "cuda/lists.cuh"
#include "cuda/scene.cuh"

#include "narrow/pair_unit.h"

/* What every kernel of the narrow phase sees of a step. */
struct gz_device_step {
    const uint32_t *faces, *edges;
    const gz_vertex_ends *ends;
    gz_certified_call call; /* of every kind */
    double grow;            /* of a vertex' box, beside its thickness */
    bool thick;
    unsigned long long *best; /* bits of the least toi so far; NULL: every pair counts to its end */
};

/* Vertices of a pair, in the order of a query's rows. */
__device__ inline void gz_device_ids(const gz_device_step &s, graze_kind kind, uint32_t a, uint32_t b,
                                     uint32_t ids[4]) {
    const uint32_t *face = s.faces + 3 * (size_t)b, *edge_a = s.edges + 2 * (size_t)a,
                   *edge_b = s.edges + 2 * (size_t)b;
    switch (kind) {
    case GRAZE_VF: ids[0] = a, ids[1] = face[0], ids[2] = face[1], ids[3] = face[2]; break;
    case GRAZE_EE: ids[0] = edge_a[0], ids[1] = edge_a[1], ids[2] = edge_b[0], ids[3] = edge_b[1]; break;
    case GRAZE_PE: ids[0] = ids[3] = a, ids[1] = edge_b[0], ids[2] = edge_b[1]; break;
    case GRAZE_PP: ids[0] = ids[2] = a, ids[1] = ids[3] = b; break;
    }
}

__device__ inline gz_lane_source gz_device_source(const gz_device_step &s, graze_kind kind, const uint32_t (*ids)[4],
                                                  const double *radii) {
    gz_lane_source source = {kind, s.call.separation, NULL, {}, ids, radii};
    source.positions.x0 = (const char *)s.ends->x0;
    source.positions.x1 = (const char *)s.ends->x1;
    source.positions.stride = sizeof(gz_vertex_ends);
    return source;
}

/* From when on contacts are of no interest: just after the best so far, so that ties are seen. */
__device__ inline double gz_device_enough(const gz_device_step &s) {
    if (!s.best) return s.call.t_max;
    unsigned long long bits = *(volatile unsigned long long *)s.best + 1; /* of a double ≥ 0: the next one */
    double after = __longlong_as_double((long long)bits);
    return after < s.call.t_max ? after : s.call.t_max;
}

/* Appends where `left`, one atomic for a warp; all its lanes call it. */
template <class T> __device__ inline void gz_list_append(const gz_device_list<T> &list, bool left, const T &item) {
    unsigned lane = threadIdx.x % 32, all = __ballot_sync(~0u, left);
    unsigned long long base = 0;
    if (all == 0) return;
    if (lane == 0) base = list.take(__popc(all));
    base = __shfl_sync(~0u, base, 0);
    if (left) list.put(base + __popc(all & ((1u << lane) - 1)), item);
}

/* The first probe, in float: without unequal radii. */
template <graze_kind kind>
static __global__ void gz_certify_first(gz_device_step s, float separation, gz_device_list<uint2> pairs,
                                        gz_device_list<gz_open_pair> open) {
    unsigned long long count = pairs.size();
    unsigned step = gridDim.x * blockDim.x, lane = threadIdx.x % 32;
    for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i - lane < count; i += step) {
        gz_open_pair pair = {0, 0, 0, kind, 1};
        bool left = false;
        if (i < count) {
            uint32_t ids[1][4];
            pair.a = pairs.items[i].x, pair.b = pairs.items[i].y;
            gz_device_ids(s, kind, pair.a, pair.b, ids[0]);
            size_t offsets[4][1];
            row_finder rows = {{(const char *)s.ends->x0, (const char *)s.ends->x1}, ids, sizeof(gz_vertex_ends)};
#pragma unroll
            for (int row = 0; row < 4; row++) offsets[row][0] = row_offset(&rows, sizeof(gz_vertex_ends), 0, row);
            f_vec n;
            pair.t = probe_lanes(kind, &rows, offsets, separation, &n);
            left = pair.t < gz_device_enough(s);
        }
        gz_list_append(open, left, pair);
    }
}

/* With unequal radii every pair is open from the start. */
template <graze_kind kind>
static __global__ void gz_open_all(gz_device_list<uint2> pairs, gz_device_list<gz_open_pair> open) {
    unsigned long long count = pairs.size();
    unsigned step = gridDim.x * blockDim.x, lane = threadIdx.x % 32;
    for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i - lane < count; i += step) {
        gz_open_pair pair = {0, 0, 0, kind, 0};
        if (i < count) pair.a = pairs.items[i].x, pair.b = pairs.items[i].y;
        gz_list_append(open, i < count, pair);
    }
}

/* The rounds in double: moves the pair on; what comes then. */
template <graze_kind kind>
__device__ inline gz_certified_next gz_device_rounds(const gz_device_step &s, gz_open_pair &pair) {
    uint32_t ids[1][4], first = 0;
    double radii[4];
    gz_device_ids(s, kind, pair.a, pair.b, ids[0]);
    if (s.thick)
        for (int i = 0; i < 4; i++) radii[i] = s.ends[ids[0][i]].radius;
    gz_lane_source source = gz_device_source(s, kind, ids, NULL);
    gz_certified_next next = GZ_NEXT_PROBE;
    if (pair.checks) next = gz_certified_after(0, pair.t, pair.t, gz_device_enough(s), s.call.max_checks);
    while (next == GZ_NEXT_PROBE) {
        double before = pair.t;
        int round = (int)pair.checks++;
        if (s.thick) {
            d_vec w0[4], w1[4], w[4];
            double reach[4];
            d_load_differences(kind, &source, &first, w0, w1);
            double at = before + gz_certified_ahead(round) * (1 - before);
            d_probe_at(w0, w1, gz_difference_count(kind), at, w);
            for (int k = 0; k < gz_difference_count(kind); k++)
                reach[k] = (s.call.separation + radii[gz_difference_from(kind, k)] + radii[gz_difference_to(kind, k)]) *
                           GZ_REACH_UP;
            pair.t = d_probe_advance_thick(w0, w1, gz_difference_count(kind),
                                           d_probe_size(w0, w1, gz_difference_count(kind)),
                                           d_probe_direction(w, gz_difference_count(kind)), before, reach);
        } else {
            d_probe_round(kind, 0, &source, gz_certified_ahead(round), &first, 1, &pair.t, NULL);
        }
        next = gz_certified_after(round, pair.t, pair.t - before, gz_device_enough(s), s.call.max_checks);
    }
    return next;
}

static __global__ void __launch_bounds__(128)
    gz_certify_rounds(gz_device_step s, gz_device_list<gz_open_pair> open, gz_device_list<gz_open_pair> late) {
    unsigned long long count = open.size();
    unsigned step = gridDim.x * blockDim.x, lane = threadIdx.x % 32;
    for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i - lane < count; i += step) {
        gz_open_pair pair = {0, 0, 0, 0, 0};
        gz_certified_next next = GZ_NEXT_CLEAR;
        if (i < count) {
            pair = open.items[i];
            next = pair.kind == GRAZE_VF   ? gz_device_rounds<GRAZE_VF>(s, pair)
                   : pair.kind == GRAZE_EE ? gz_device_rounds<GRAZE_EE>(s, pair)
                   : pair.kind == GRAZE_PE ? gz_device_rounds<GRAZE_PE>(s, pair)
                                           : gz_device_rounds<GRAZE_PP>(s, pair);
        }
        gz_list_append(late, next == GZ_NEXT_FINISH, pair);
    }
}

/* Whether a search for candidates in double would find the pair: what it would not never counts. */
__device__ inline bool gz_device_is_candidate(const gz_device_step &s, graze_kind kind, const uint32_t ids[4]) {
    gz_box sides[2] = {gz_box_empty(), gz_box_empty()}, box;
    for (int i = 0; i < gz_kind_rows(kind); i++) {
        const gz_vertex_ends &v = s.ends[ids[i]];
        gz_swept_box(v.x0, v.x1, s.call.t_max, s.thick ? gz_add_up(s.grow, v.radius) : s.grow, &box);
        gz_box_join(&sides[i >= gz_kind_rows_of_a(kind)], &box);
    }
    return gz_boxes_meet(&sides[0], &sides[1]);
}

/* The rest of a pair, on its own. What needs exact arithmetic is listed for the host. */
static __global__ void __launch_bounds__(64)
    gz_certify_finish(gz_device_step s, gz_device_list<gz_open_pair> late, gz_device_list<gz_device_hit> hits,
                      graze_result *results, gz_device_list<unsigned long long> asks) {
    unsigned long long count = late.size();
    for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        gz_open_pair pair = late.items[i];
        graze_kind kind = (graze_kind)pair.kind;
        double enough = gz_device_enough(s);
        if (pair.t >= enough) continue;
        uint32_t ids[4];
        double radii[4];
        graze_query query;
        gz_device_ids(s, kind, pair.a, pair.b, ids);
        for (int k = 0; k < 4; k++) {
            const gz_vertex_ends &v = s.ends[ids[k]];
            radii[k] = v.radius;
            for (int c = 0; c < 3; c++) query.x0[k][c] = v.x0[c], query.x1[k][c] = v.x1[c];
        }
        gz_certified_call call = s.call;
        graze_result result;
        call.kind = kind;
        gz_result_unresolved(&result, GRAZE_REASON_NONE);
        result.checks = pair.checks;
        bool answered = gz_certified_finish(&call, &query, s.thick ? radii : NULL, pair.t, enough, &result);
        if (answered && result.verdict == GRAZE_CLEAR) continue;
        if (!gz_device_is_candidate(s, kind, ids)) continue;
        unsigned long long code = gz_pair_code(kind, pair.a, pair.b);
        if (!answered) {
            asks.put(asks.take(1), code);
            continue;
        }
        unsigned long long bits = (unsigned long long)__double_as_longlong(result.toi + 0.0);
        if (s.best) atomicMin(s.best, bits);
        unsigned long long place = hits.take(1);
        gz_device_hit hit = {bits, code, (uint32_t)result.proven, (uint32_t)place};
        hits.put(place, hit);
        if (results && place < hits.room) results[place] = result;
    }
}

#endif
