/* Every pair that is not clear, with its result. */
#ifndef GZ_CUDA_CALL_FIND_ALL_CUH
#define GZ_CUDA_CALL_FIND_ALL_CUH

#include "cuda/call/backend.cuh"

bool gz_find_all(gz_cuda_step &c);

#endif
