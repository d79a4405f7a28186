/* Candidates in place of an answer, and how far each vertex may go on its own. */
#ifndef GZ_CUDA_CALL_FIND_LISTS_CUH
#define GZ_CUDA_CALL_FIND_LISTS_CUH

#include "cuda/call/backend.cuh"

bool gz_find_candidates(gz_cuda_step &c);

/* Lists pairs by code in b->pairs, in as many passes as it takes. */
bool gz_find_codes(gz_cuda_step &c);

/* Nobody moves until all pairs have been looked at; to be called before gz_find_stops. */
bool gz_open_times(gz_cuda_step &c);
bool gz_find_stops(gz_cuda_step &c);

#endif
