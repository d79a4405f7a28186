/* What the probes leave. */
#ifndef GZ_CUDA_FINISH_CUH
#define GZ_CUDA_FINISH_CUH

#include "cuda/batch.cuh"
#include "cuda/narrow.cuh"

/* Answers late pairs, one thread each. What is not clear goes to `hits`, with its result beside it unless `results` is
   NULL; what needs exact arithmetic goes to `asks`. Nothing is waited for. */
void gz_finish(const gz_device_step &s, gz_device_list<gz_open_pair> late, gz_device_list<gz_device_hit> hits,
               graze_result *results, gz_device_list<gz_device_ask> asks, int processors, cudaStream_t stream);

/* Answers the late queries of a slice. */
void gz_finish_queries(const gz_batch_slice &s, int processors, cudaStream_t stream);

#endif
