/* The narrow phase for pairs that keep a part of their own start distance each: one thread a pair, from its distance
   through all rounds. Such pairs have no kernel for each round: their separations would have to be handed on. */
#ifndef GZ_CUDA_KEPT_CUH
#define GZ_CUDA_KEPT_CUH

#include "cuda/at_rest.cuh"
#include "cuda/certify.cuh"

#define GZ_KEPT_BLOCK 128

/* Lists a pair that the rounds leave. */
__device__ inline void gz_keep_stopped(const gz_device_step &s, const gz_device_list<gz_open_pair> &late,
                                       const gz_open_pair &pair) {
    unsigned long long at = late.take(1);
    late.put(at, pair);
    if (at < GZ_FEW_LATE) gz_keep_late(s, (uint32_t)at, pair);
    if (pair.t == 0 && !s.all) gz_note_stuck(s, pair);
}

template <graze_kind kind>
static __global__ void __launch_bounds__(GZ_KEPT_BLOCK)
    gz_certify_kept(const __grid_constant__ gz_device_step s, gz_device_list<uint2> pairs,
                    gz_device_list<gz_open_pair> late) {
    unsigned long long total = pairs.size();
    for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i < total; i += gridDim.x * blockDim.x) {
        if (gz_device_stopped(s.stop)) return;
        uint2 found = pairs.items[i];
        gz_open_pair pair = {found.x, found.y & ~GZ_DOUBTFUL, 0, kind, 1};
        if (s.all && found.y & GZ_DOUBTFUL && gz_doubtful_is_candidate(s, kind, pair.a, pair.b))
            atomicAdd(&s.state->candidates[kind], 1ull);
        gz_vertex_ends v[4];
        double separation = gz_kept_by(s, kind, pair.a, pair.b);
        gz_device_vertices(s, kind, pair.a, pair.b, v);
        pair.t = gz_probe_first<kind>(v, gz_float_not_below(separation));
        gz_certified_next next = gz_device_round<kind>(s, separation, pair, true);
        while (next == GZ_NEXT_PROBE) next = gz_device_round<kind>(s, separation, pair, false);
        if (next == GZ_NEXT_FINISH) gz_keep_stopped(s, late, pair);
    }
}

#endif
