/* Whole steps on the device: windows that grow until the first contact lies inside, or all pairs at once. */
#ifndef GZ_CUDA_STEP_CUH
#define GZ_CUDA_STEP_CUH

#include "cuda/lists.cuh"
#include "cuda/scene.cuh"

#include "graze/step.h"
#include "narrow/pair.h"

/* What the host wants to know after a pass. */
struct gz_step_state {
    gz_pass_counts pass;
    unsigned long long open, late, hits, asks;
    unsigned long long best;       /* bits of the least toi so far */
    unsigned long long first_code; /* least of the pairs with that toi */
    unsigned long long candidates[4];
};

struct gz_device_narrow {
    gz_device_array<gz_open_pair> open, late;
    gz_device_array<gz_device_hit> hits;
    gz_device_array<graze_result> results;
    gz_device_array<unsigned long long> asks, codes;
    gz_device_array<uint32_t> places;
    gz_device_array<unsigned char> sort_bytes;
    gz_device_array<graze_pair_result> sorted;
    gz_device_array<gz_step_state> state;
    gz_pinned_array<gz_step_state> host_state;
    gz_pinned_array<unsigned long long> host_asks;
    gz_pinned_array<graze_pair_result> host_pairs;
};

/* What is asked; positions have been uploaded. */
struct gz_device_request {
    gz_certified_call call;
    double grow;
    unsigned kinds;
    bool all; /* every pair with its result, else the earliest */
};

/* What the device found. Pairs in host_asks were not answered: the host does. */
struct gz_device_answer {
    unsigned long long best;       /* bits of the least toi of those that it answered */
    unsigned long long first_code; /* of the first pair with it */
    size_t hit_count, ask_count;
    unsigned long long candidates[4]; /* with `all` */
};

/* One pass over all pairs whose boxes over [0, window] meet. With `all`, host_pairs holds those that are not clear,
   sorted; else only what is as early as `best` or earlier is looked at to its end. */
bool gz_device_pass(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request, double window,
                    unsigned long long best, gz_device_answer *answer, gz_device_error &error);

void gz_narrow_release(gz_device_narrow &n);

#endif
