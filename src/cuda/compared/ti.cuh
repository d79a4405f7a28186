/* The interval-parallel Tight Inclusion of the published GPU pipeline (Belgrod et al., Algorithm 3), for comparison:
   one thread an interval, whichever pair it is of, and one earliest time for all of them. Of a separation and radii it
   knows the separation alone. */
#ifndef GZ_CUDA_COMPARED_TI_CUH
#define GZ_CUDA_COMPARED_TI_CUH

#include "cuda/scene/scene.cuh"

#include "compared/narrow/ti_pair.h"

/* A box of parameters: its lower corner, and how often each was halved. */
struct gz_ti_interval {
    double t, u, v;
    uint32_t pair;
    uint8_t depth[4]; /* the last is not used */
};

struct gz_device_ti {
    gz_device_array<gz_ti_pair> pairs;
    gz_device_array<gz_ti_interval> stack, taken;
    gz_device_array<unsigned long long> state; /* intervals on the stack, bits of the earliest time */
    gz_pinned_array<unsigned long long> host_state;
};

struct gz_ti_found {
    double toi; /* no contact of these pairs before it; INFINITY: none in [0, t_max] */
    uint64_t checks, rounds;
};

/* Of pairs by code, vertex and face or edge and edge. */
bool gz_compare_ti(gz_device_scene &s, gz_device_ti &ti, const gz_device_step &step, const unsigned long long *codes,
                   size_t count, double tolerance, gz_ti_found *found, gz_device_error &error);

void gz_ti_release(gz_device_ti &ti);

#endif
