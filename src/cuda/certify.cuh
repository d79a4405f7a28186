/* The narrow phase for listed pairs: one thread a pair, lanes of width 1, the code of the CPU. The first probe in float
   settles nine pairs in ten, the rounds in double most of the rest; what each leaves is listed anew, so that the next
   kernel has no idle lanes. */
#ifndef GZ_CUDA_CERTIFY_CUH
#define GZ_CUDA_CERTIFY_CUH

#include "cuda/narrow.cuh"
#include "cuda/scene/expand.cuh"
#include "cuda/warp.cuh"

#include "pair/certified_first_kernel.h"
#include "pair/certified_kernel.h"

#define GZ_FIRST_BLOCK 256

/* Rare, and no part of the loop: it would take half of its registers. */
static __device__ __noinline__ bool gz_doubtful_is_candidate(const gz_device_step &s, graze_kind kind, uint32_t a,
                                                             uint32_t b) {
    uint32_t ids[4];
    gz_device_ids(s, kind, a, b, ids);
    return gz_late_is_candidate(s, kind, ids);
}

/* The first probe, in float: without unequal radii. */
template <graze_kind kind> __device__ inline double gz_probe_first(const gz_vertex_ends v[4], float separation) {
    size_t offsets[4][1];
    row_finder rows = {{(const char *)v->x0, (const char *)v->x1}, NULL, sizeof(gz_vertex_ends), NULL};
#pragma unroll
    for (int row = 0; row < 4; row++) offsets[row][0] = row * sizeof(gz_vertex_ends);
    f_vec n;
    return probe_lanes(kind, &rows, offsets, f_set1(separation), separation > 0, &n);
}

/* Lists what is open after the first probe, or all where radii differ; with `count` it looks at those that may be no
   candidates: the boxes in float find a few pairs more than those in double. */
template <graze_kind kind, bool count>
static __global__ void __launch_bounds__(GZ_FIRST_BLOCK, 4)
    gz_certify_first(const __grid_constant__ gz_device_step s, float separation, gz_device_list<uint2> pairs,
                     gz_device_list<gz_open_pair> open) {
    __shared__ gz_open_pair held[GZ_FIRST_BLOCK / 32][64];
    gz_warp_queue<gz_open_pair> queue = {held[threadIdx.x / 32], 0};
    unsigned long long total = pairs.size();
    unsigned step = gridDim.x * blockDim.x, lane = threadIdx.x % 32, candidates = 0;
    double enough = gz_device_enough(s);
    for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i - lane < total; i += step) {
        if (gz_warp_stopped(s.stop)) break;
        gz_open_pair pair = {0, 0, 0, kind, 0};
        bool left = false;
        if (i < total) {
            gz_vertex_ends v[4];
            uint2 found = pairs.items[i];
            pair.a = found.x, pair.b = found.y & ~GZ_DOUBTFUL;
            gz_device_vertices(s, kind, pair.a, pair.b, v);
            if (!s.thick) pair.t = gz_probe_first<kind>(v, separation), pair.checks = 1;
            left = pair.t < enough;
            if (count && found.y & GZ_DOUBTFUL) candidates += gz_doubtful_is_candidate(s, kind, pair.a, pair.b);
        }
        gz_queue_add(queue, left, pair);
        if (queue.queued > 32) gz_queue_flush(queue, open);
    }
    gz_queue_flush(queue, open);
    if (!count) return;
    candidates = gz_warp_sum(candidates);
    if (lane == 0 && candidates) atomicAdd(&s.state->candidates[kind], (unsigned long long)candidates);
}

/* As gz_certify_first, with a look at each quarter of the step before it, in float: then whole warps probe what is
   left, a few pairs in a hundred. */
template <graze_kind kind>
static __global__ void __launch_bounds__(GZ_FIRST_BLOCK, 4)
    gz_certify_looking(const __grid_constant__ gz_device_step s, const gz_far_vertex *far, float separation,
                       gz_device_list<uint2> pairs, gz_device_list<gz_open_pair> open) {
    __shared__ gz_open_pair held[GZ_FIRST_BLOCK / 32][64];
    __shared__ uint2 near[GZ_FIRST_BLOCK / 32][64];
    gz_warp_queue<gz_open_pair> queue = {held[threadIdx.x / 32], 0};
    gz_warp_queue<uint2> probing = {near[threadIdx.x / 32], 0};
    unsigned long long total = pairs.size();
    unsigned step = gridDim.x * blockDim.x, lane = threadIdx.x % 32, candidates = 0;
    double enough = gz_device_enough(s);
    bool last = false;
    for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; !last; i += step) {
        last = i - lane >= total || gz_warp_stopped(s.stop);
        bool wanted = i < total && !last;
        uint2 found = make_uint2(0, 0);
        if (wanted) {
            uint32_t ids[4];
            found = pairs.items[i];
            if (found.y & GZ_DOUBTFUL) candidates += gz_doubtful_is_candidate(s, kind, found.x, found.y & ~GZ_DOUBTFUL);
            found.y &= ~GZ_DOUBTFUL;
            gz_device_ids(s, kind, found.x, found.y, ids);
            wanted = !gz_is_far<kind, true>(far, ids, s.state->input.reach);
        }
        gz_queue_add(probing, wanted, found);
        if (probing.queued < 32 && !last) continue;
        gz_open_pair pair = {0, 0, 0, kind, 0};
        bool left = gz_queue_take(probing, &found);
        if (left) {
            gz_vertex_ends v[4];
            pair.a = found.x, pair.b = found.y;
            gz_device_vertices(s, kind, pair.a, pair.b, v);
            pair.t = gz_probe_first<kind>(v, separation), pair.checks = 1;
            left = pair.t < enough;
        }
        gz_queue_add(queue, left, pair);
        if (queue.queued > 32) gz_queue_flush(queue, open);
    }
    gz_queue_flush(queue, open);
    candidates = gz_warp_sum(candidates);
    if (lane == 0 && candidates) atomicAdd(&s.state->candidates[kind], (unsigned long long)candidates);
}

/* A probe of a pair whose vertices may differ in radius. */
template <graze_kind kind>
__device__ inline double gz_probe_thick(const gz_device_step &s, const gz_lane_source &source, const uint32_t ids[4],
                                        int round, double t) {
    uint32_t first = 0;
    d_vec w0[4], w1[4], w[4];
    double radii[4], reach[4];
    for (int i = 0; i < 4; i++) radii[i] = s.ends[ids[i]].radius;
    d_load_differences(kind, &source, &first, w0, w1);
    d_probe_at(w0, w1, gz_difference_count(kind), t + gz_certified_ahead(round) * (1 - t), w);
    for (int k = 0; k < gz_difference_count(kind); k++)
        reach[k] =
            (s.call.separation + radii[gz_difference_from(kind, k)] + radii[gz_difference_to(kind, k)]) * GZ_REACH_UP;
    return d_probe_advance_thick(w0, w1, gz_difference_count(kind), d_probe_size(w0, w1, gz_difference_count(kind)),
                                 d_probe_direction(w, gz_difference_count(kind)), t, reach);
}

/* One round in double: moves the pair on, unless it is `fresh` and done already. */
template <graze_kind kind>
__device__ inline gz_certified_next gz_device_round(const gz_device_step &s, double separation, gz_open_pair &pair,
                                                    bool fresh) {
    uint32_t ids[4], first = 0;
    gz_device_ids(s, kind, pair.a, pair.b, ids);
    gz_certified_next next = GZ_NEXT_PROBE;
    if (fresh && pair.checks) next = gz_certified_after(0, pair.t, pair.t, gz_device_enough(s), s.call.max_checks);
    if (next == GZ_NEXT_PROBE) {
        double before = pair.t;
        int round = (int)pair.checks++;
        graze_query query; /* read again in each round: registers are dearer */
        gz_device_query(s, ids, &query, NULL);
        gz_lane_source source = {kind, separation, &query};
        if (s.thick)
            pair.t = gz_probe_thick<kind>(s, source, ids, round, before);
        else
            d_probe_round(kind, &source, gz_certified_ahead(round), &first, 1, &pair.t, NULL);
        next = gz_certified_after(round, pair.t, pair.t - before, gz_device_enough(s), s.call.max_checks);
    }
    return next == GZ_NEXT_FINISH && !s.only && !gz_late_is_candidate(s, kind, ids) ? GZ_NEXT_CLEAR : next;
}

/* For the host, which finishes them itself when there are no more. */
__device__ inline void gz_keep_late(const gz_device_step &s, uint32_t at, const gz_open_pair &pair) {
    s.state->first_late[at] = pair;
    if (s.late_rows) gz_device_rows(s, (graze_kind)pair.kind, pair.a, pair.b, s.late_rows + 4 * at);
}

/* No toi is less than 0: where many pairs are stuck at the start, the first of them may be the answer. */
__device__ inline void gz_note_stuck(const gz_device_step &s, const gz_open_pair &pair) {
    unsigned long long code = s.coder.code(pair.kind, pair.a, pair.b);
    if (code < *(volatile unsigned long long *)&s.state->stuck_code) atomicMin(&s.state->stuck_code, code);
}

/* Place of a warp in a list that it goes through with all others, in pieces of 32. */
struct gz_warp_cursor {
    unsigned long long count, piece, next, end;

    /* An item for each lane that is idle, while there are any. */
    template <class T> __device__ bool take(const gz_device_list<T> &list, bool idle, T &item) {
        unsigned lane = threadIdx.x % 32, all = __ballot_sync(~0u, idle);
        if (next == end && piece < count) {
            next = piece;
            end = piece + 32 < count ? piece + 32 : count;
            piece += gridDim.x * blockDim.x;
        }
        unsigned long long at = next + __popc(all & ((1u << lane) - 1));
        bool taken = idle && at < end;
        if (taken) item = list.items[at];
        next += __popc(all);
        if (next > end) next = end;
        return taken;
    }
    __device__ bool is_done() const { return next == end && piece >= count; }
};

/* The rounds in double. A lane whose pair is done takes another one: some need one round, some four. */
static __global__ void __launch_bounds__(128, 4)
    gz_certify_rounds(const __grid_constant__ gz_device_step s, gz_device_list<gz_open_pair> open,
                      gz_device_list<gz_open_pair> late) {
    __shared__ gz_open_pair held[4][64];
    gz_warp_queue<gz_open_pair> queue = {held[threadIdx.x / 32], 0};
    auto keep = [&](unsigned long long at, const gz_open_pair &pair) {
        if (at < GZ_FEW_LATE) gz_keep_late(s, (uint32_t)at, pair);
        if (pair.t == 0 && !s.all) gz_note_stuck(s, pair);
    };
    gz_warp_cursor cursor = {open.size(), (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 32, 0, 0};
    gz_open_pair pair = {0, 0, 0, 0, 0};
    bool busy = false;
    while ((!cursor.is_done() || __any_sync(~0u, busy)) && !gz_warp_stopped(s.stop)) {
        bool fresh = cursor.take(open, !busy, pair);
        gz_certified_next next = GZ_NEXT_CLEAR;
        if (busy || fresh)
            next = pair.kind == GRAZE_VF   ? gz_device_round<GRAZE_VF>(s, s.call.separation, pair, fresh)
                   : pair.kind == GRAZE_EE ? gz_device_round<GRAZE_EE>(s, s.call.separation, pair, fresh)
                   : pair.kind == GRAZE_PE ? gz_device_round<GRAZE_PE>(s, s.call.separation, pair, fresh)
                                           : gz_device_round<GRAZE_PP>(s, s.call.separation, pair, fresh);
        busy = next == GZ_NEXT_PROBE;
        gz_queue_add(queue, next == GZ_NEXT_FINISH, pair);
        if (queue.queued > 32) gz_queue_flush(queue, late, keep);
    }
    gz_queue_flush(queue, late, keep);
}

#endif
