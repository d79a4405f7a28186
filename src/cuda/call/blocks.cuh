/* Blocks of the host that pairs are copied to. */
#ifndef GZ_CUDA_CALL_BLOCKS_CUH
#define GZ_CUDA_CALL_BLOCKS_CUH

#include "cuda/call/backend.cuh"

/* True if its pages are locked: those of a long one that has come twice are. */
bool gz_lock_pages(gz_cuda_backend *b, const void *block, size_t size);

/* The host is about to give the block back. */
void gz_forget_block(gz_cuda_backend *b, const void *block);

/* At the end. */
void gz_unlock_blocks(gz_cuda_backend *b);

#endif
