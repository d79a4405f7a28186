/* Lists that are filled on the device, and what the kernels of the narrow phase hand on in them. */
#ifndef GZ_CUDA_LISTS_CUH
#define GZ_CUDA_LISTS_CUH

#include <cstdint>

/* What does not fit is counted all the same: then the work is done again with more room. */
template <class T> struct gz_device_list {
    T *items;
    unsigned long long room;
    unsigned long long *count;

    __device__ unsigned long long take(unsigned long long n) const { return atomicAdd(count, n); }
    __device__ void put(unsigned long long at, const T &item) const {
        if (at < room) items[at] = item;
    }
    __device__ unsigned long long size() const { return *count < room ? *count : room; }
};

/* Where this lane's `mine` items begin, behind those of the lanes before it: one atomic for a warp, all of whose lanes
   call it. */
template <class T> __device__ inline unsigned long long gz_list_room(const gz_device_list<T> &list, unsigned mine) {
    unsigned lane = threadIdx.x % 32, sum = mine;
    for (int apart = 1; apart < 32; apart *= 2) {
        unsigned left = __shfl_up_sync(~0u, sum, apart);
        if (lane >= (unsigned)apart) sum += left;
    }
    unsigned total = __shfl_sync(~0u, sum, 31);
    unsigned long long base = 0;
    if (lane == 31 && total) base = list.take(total);
    return __shfl_sync(~0u, base, 31) + sum - mine;
}

/* The same for one item at most: where it is to go. */
template <class T> __device__ inline unsigned long long gz_list_place(const gz_device_list<T> &list, bool wanted) {
    unsigned lane = threadIdx.x % 32, all = __ballot_sync(~0u, wanted);
    unsigned long long base = 0;
    if (lane == 0 && all) base = list.take(__popc(all));
    return __shfl_sync(~0u, base, 0) + __popc(all & ((1u << lane) - 1));
}

/* A pair that is not settled: free until t, after `checks` probes. */
struct gz_open_pair {
    uint32_t a, b;
    double t;
    uint32_t kind, checks;
};

/* Kind, a, b in one number that orders as pairs do, with as many bits for a and b as the mesh needs. */
struct gz_pair_coder {
    uint32_t bits;
    __host__ __device__ unsigned long long code(uint32_t kind, uint32_t a, uint32_t b) const {
        return ((unsigned long long)kind << bits | a) << bits | b;
    }
    __host__ __device__ uint32_t kind(unsigned long long code) const { return (uint32_t)(code >> 2 * bits); }
    __host__ __device__ uint32_t a(unsigned long long code) const { return (uint32_t)(code >> bits & mask()); }
    __host__ __device__ uint32_t b(unsigned long long code) const { return (uint32_t)(code & mask()); }
    __host__ __device__ unsigned long long mask() const { return (1ull << bits) - 1; }
    int used() const { return 2 + 2 * (int)bits; }
};

/* What is not clear: its time, as bits that order as it does, and which pair. */
struct gz_device_hit {
    unsigned long long toi, code;
};

/* A pair that the host answers. */
struct gz_device_ask {
    unsigned long long code;
    double free;
};

#endif
