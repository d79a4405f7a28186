/* Batches of queries on the device: in slices, two of which are under way at a time. */
#ifndef GZ_CUDA_BATCH_CUH
#define GZ_CUDA_BATCH_CUH

#include "cuda/device.cuh"
#include "cuda/lists.cuh"

#include "base/backend.h"
#include "pair/pair.h"

/* Counts of a slice. */
struct gz_batch_state {
    unsigned long long open, late, results;
    unsigned long long bad; /* the first query of the slice with a coordinate that is not allowed; else all bits */
};

/* A slice as its kernels see it. */
struct gz_batch_slice {
    gz_certified_call call;
    float separation; /* not below that of the call */
    double largest;
    const graze_query *queries; /* or */
    const graze_query_f32 *floats;
    uint32_t count;
    gz_device_list<gz_open_pair> open, late; /* a: which query */
    uint32_t *codes;
    graze_result *results; /* room for all */
    gz_batch_state *state;
};

/* One slice: its queries, what its kernels hand on, and where both are on the host. */
struct gz_batch_slot {
    cudaStream_t stream = nullptr;
    gz_device_array<unsigned char> queries;
    gz_device_array<gz_open_pair> open, late;
    gz_device_array<uint32_t> codes;
    gz_device_array<graze_result> results;
    gz_device_array<gz_batch_state> state;
    gz_pinned_array<unsigned char> staged;
    gz_pinned_array<uint32_t> host_codes;
    gz_pinned_array<graze_result> host_results;
    gz_pinned_array<gz_batch_state> host_state;
    size_t begin = 0, count = 0; /* 0: it is not under way */
};

struct gz_device_batch {
    gz_batch_slot slots[2];
};

/* Answers the batch; false when the device failed. */
bool gz_batch_answer_all(gz_device_batch &batch, const gz_batch_request *request, int processors,
                         gz_batch_answer *answer, gz_device_error &error);

void gz_device_batch_release(gz_device_batch &batch);

#endif
