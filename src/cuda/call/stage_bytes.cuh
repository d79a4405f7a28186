/* The stages of a call: their times beside what each has to move. */
#ifndef GZ_CUDA_CALL_STAGE_BYTES_CUH
#define GZ_CUDA_CALL_STAGE_BYTES_CUH

#include "cuda/call/backend.cuh"

/* Fills in answer->stages, where they were asked for. */
bool gz_read_stages(gz_cuda_step &c);

#endif
