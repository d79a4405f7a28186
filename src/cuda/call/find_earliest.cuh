/* The earliest contact: windows that grow until it lies inside. */
#ifndef GZ_CUDA_CALL_FIND_EARLIEST_CUH
#define GZ_CUDA_CALL_FIND_EARLIEST_CUH

#include "cuda/call/backend.cuh"

bool gz_find_earliest(gz_cuda_step &c);

#endif
