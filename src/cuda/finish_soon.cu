/* The pairs that the volume polynomial settles at once: nearly all that come to the finish, by a way so short that all
   of it is compiled into one kernel, and stays in registers. */
#include "cuda/finish.cuh"

#include "numerics/closest.h"
#include "numerics/double_double.h"
#include "numerics/hull.h"
#include "pair/probe.h"

/* the functions of finish.cu, but inlined, that none of them needs memory */
#undef GZ_PAIR_FN
#undef GZ_INLINE
#define GZ_PAIR_FN __device__ __forceinline__
#define GZ_INLINE GZ_PAIR_FN

namespace soon {
#include "pair/contact.c"
#include "pair/finish_soon.c"
#include "pair/motion.c"
#include "pair/thick.c"
#include "pair/volume.c"
} // namespace soon

#define SOON_BLOCK 128
#define SOON_CHECKS 3 /* a pair that takes more is left to others: its neighbors would wait for it */

/* False when the pair is left to finish_pairs. */
template <graze_kind kind>
static __device__ bool finish_soon(const gz_device_step &s, const gz_open_pair &pair, double enough,
                                   graze_result *result) {
    gz_certified_call call = s.call;
    graze_query query;
    uint32_t ids[4];
    uint64_t most = pair.checks + SOON_CHECKS;
    call.kind = kind;
    call.separation = 0;
    call.max_checks = most < call.max_checks ? most : call.max_checks;
    call.ask = NULL, call.record = NULL; /* constants, as kind is: then nothing of them is left */
    gz_device_ids(s, kind, pair.a, pair.b, ids);
    gz_device_query(s, ids, &query, NULL);
    gz_result_unresolved(result, GRAZE_REASON_NONE);
    result->checks = pair.checks;
    return soon::gz_certified_finish_soon(&call, &query, pair.t, enough, result) &&
           (result->checks < most || call.max_checks < most);
}

static __global__ void __launch_bounds__(SOON_BLOCK)
    finish_soon_pairs(const __grid_constant__ gz_device_step s, gz_device_list<gz_open_pair> late,
                      gz_device_list<gz_device_hit> hits, graze_result *results, gz_device_list<gz_open_pair> rest) {
    __shared__ gz_open_pair held[SOON_BLOCK / 32][64];
    gz_warp_queue<gz_open_pair> queue = {held[threadIdx.x / 32], 0};
    unsigned long long count = late.size();
    unsigned step = gridDim.x * blockDim.x, lane = threadIdx.x % 32;
    for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i - lane < count; i += step) { /* whole warps */
        if (gz_warp_stopped(s.stop)) break;
        gz_open_pair pair = {0, 0, 0, 0, 0};
        double enough = gz_device_enough(s);
        graze_result result;
        bool settled = true, hit = false;
        if (i < count) pair = late.items[i];
        if (i < count && pair.t < enough) {
            settled = pair.kind == GRAZE_VF   ? finish_soon<GRAZE_VF>(s, pair, enough, &result)
                      : pair.kind == GRAZE_EE ? finish_soon<GRAZE_EE>(s, pair, enough, &result)
                                              : false;
            hit = settled && result.verdict != GRAZE_CLEAR;
        }
        unsigned long long place = gz_list_place(hits, hit);
        if (hit) gz_keep_hit(s, hits, results, place, pair, result);
        gz_queue_add(queue, !settled, pair);
        if (queue.queued > 32) gz_queue_flush(queue, rest);
    }
    gz_queue_flush(queue, rest);
}

void gz_finish_soon(const gz_device_step &s, gz_device_list<gz_open_pair> late, gz_device_list<gz_device_hit> hits,
                    graze_result *results, gz_device_list<gz_open_pair> rest, int processors, cudaStream_t stream) {
    finish_soon_pairs<<<8 * processors, SOON_BLOCK, 0, stream>>>(s, late, hits, results, rest);
}
