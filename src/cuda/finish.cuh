/* Pairs and queries that the probes leave. */
#ifndef GZ_CUDA_FINISH_CUH
#define GZ_CUDA_FINISH_CUH

#include "cuda/batch.cuh"
#include "cuda/narrow.cuh"

/* Answers those late pairs without separation, one for all or their own, and thickness that take little, and lists the
 * others in `rest`. */
void gz_finish_soon(const gz_device_step &s, gz_device_list<gz_open_pair> late, gz_device_list<gz_device_hit> hits,
                    graze_result *results, gz_device_list<gz_open_pair> rest, int processors, cudaStream_t stream);

/* Answers late pairs, one thread each. What is not clear goes to `hits`, with its result beside it unless `results` is
   NULL; what needs exact arithmetic goes to `asks`, memory of the host. Nothing is waited for. */
void gz_finish(const gz_device_step &s, gz_device_list<gz_open_pair> late, gz_device_list<gz_device_hit> hits,
               graze_result *results, gz_device_list<gz_device_ask> asks, int processors, cudaStream_t stream);

/* Answers the late queries of a slice. */
void gz_finish_queries(const gz_batch_slice &s, int processors, cudaStream_t stream);

/* ---- for both kernels ---- */

/* A pair that is not clear, at its place in the list. */
__device__ inline void gz_keep_hit(const gz_device_step &s, const gz_device_list<gz_device_hit> &hits,
                                   graze_result *results, unsigned long long place, const gz_open_pair &pair,
                                   const graze_result &result) {
    unsigned long long bits = (unsigned long long)__double_as_longlong(result.toi + 0.0);
    if (bits < *(volatile unsigned long long *)&s.state->best) atomicMin(&s.state->best, bits);
    hits.put(place, gz_device_hit{bits, s.coder.code(pair.kind, pair.a, pair.b)});
    if (results && place < hits.room) results[place] = result;
}

#endif
