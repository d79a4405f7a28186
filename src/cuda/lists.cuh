/* What the kernels of the narrow phase hand on. */
#ifndef GZ_CUDA_LISTS_CUH
#define GZ_CUDA_LISTS_CUH

#include <cstdint>

/* A pair that is not settled: free until t, after `checks` probes. */
struct gz_open_pair {
    uint32_t a, b;
    double t;
    uint32_t kind, checks;
};

/* Kind, a, b in one number that orders as pairs do. */
__host__ __device__ inline unsigned long long gz_pair_code(uint32_t kind, uint32_t a, uint32_t b) {
    return (unsigned long long)kind << 62 | (unsigned long long)a << 31 | b;
}

/* What is not clear: its time, as bits that order as it does, and which pair. */
struct gz_device_hit {
    unsigned long long toi, code;
    uint32_t proven, place; /* of its result, in mode ALL */
};

#endif
