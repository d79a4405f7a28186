/* The pairs within a distance of each other. */
#ifndef GZ_CUDA_CALL_FIND_NEAR_CUH
#define GZ_CUDA_CALL_FIND_NEAR_CUH

#include "cuda/call/backend.cuh"

bool gz_find_near(gz_cuda_step &c);

#endif
