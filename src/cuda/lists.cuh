/* Lists that are filled on the device, and what the kernels of the narrow phase hand on in them. */
#ifndef GZ_CUDA_LISTS_CUH
#define GZ_CUDA_LISTS_CUH

#include "cuda/device.cuh"

/* Items that do not fit are counted all the same: then the work is done again with more room. */
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

/* An array as a list. */
template <class T> gz_device_list<T> gz_list_of(gz_device_array<T> &array, unsigned long long *count) {
    return {array.items, array.room, count};
}

/* Items that a warp holds back in shared memory: a list has one counter, and asking for it again and again is what the
   kernels would wait for. */
template <class T> struct gz_warp_queue {
    T *items;
    unsigned queued;
};

/* Puts what is in the queue into the list, and calls kept(place, item) for each. */
template <class T, class Kept>
__device__ inline void gz_queue_flush(gz_warp_queue<T> &queue, const gz_device_list<T> &list, const Kept &kept) {
    unsigned lane = threadIdx.x % 32;
    unsigned long long base = 0;
    __syncwarp();
    if (lane == 0 && queue.queued) base = list.take(queue.queued);
    base = __shfl_sync(~0u, base, 0);
    for (unsigned i = lane; i < queue.queued; i += 32) {
        list.put(base + i, queue.items[i]);
        kept(base + i, queue.items[i]);
    }
    __syncwarp();
    queue.queued = 0;
}

template <class T> __device__ inline void gz_queue_flush(gz_warp_queue<T> &queue, const gz_device_list<T> &list) {
    gz_queue_flush(queue, list, [](unsigned long long, const T &) {});
}

/* Adds the items of those lanes that have one. */
template <class T> __device__ inline void gz_queue_add(gz_warp_queue<T> &queue, bool wanted, const T &item) {
    unsigned lane = threadIdx.x % 32, all = __ballot_sync(~0u, wanted);
    if (wanted) queue.items[queue.queued + __popc(all & ((1u << lane) - 1))] = item;
    queue.queued += __popc(all);
}

/* Takes an item for each lane, those that came last first; false for lanes that get none. */
template <class T> __device__ inline bool gz_queue_take(gz_warp_queue<T> &queue, T *item) {
    unsigned lane = threadIdx.x % 32, first = queue.queued > 32 ? queue.queued - 32 : 0;
    __syncwarp();
    bool there = first + lane < queue.queued;
    if (there) *item = queue.items[first + lane];
    __syncwarp();
    queue.queued = first;
    return there;
}

/* The sum over the lanes before this one; *total is that of all. */
__device__ inline unsigned gz_lanes_before(unsigned mine, unsigned *total) {
    unsigned lane = threadIdx.x % 32, sum = mine;
    for (int apart = 1; apart < 32; apart *= 2) {
        unsigned left = __shfl_up_sync(~0u, sum, apart);
        if (lane >= (unsigned)apart) sum += left;
    }
    *total = __shfl_sync(~0u, sum, 31);
    return sum - mine;
}

/* A place in the list for each lane that wants one: one question for a warp, all of whose lanes call it. */
template <class T> __device__ inline unsigned long long gz_list_place(const gz_device_list<T> &list, bool wanted) {
    unsigned lane = threadIdx.x % 32, all = __ballot_sync(~0u, wanted);
    unsigned long long base = 0;
    if (lane == 0 && all) base = list.take(__popc(all));
    return __shfl_sync(~0u, base, 0) + __popc(all & ((1u << lane) - 1));
}

/* A place in the list for each of the lanes that happen to be here: one question for all of them. */
template <class T> __device__ inline unsigned long long gz_list_take_one(const gz_device_list<T> &list) {
    unsigned here = __activemask(), lane = threadIdx.x % 32, first = __ffs(here) - 1;
    unsigned long long base = 0;
    if (lane == first) base = list.take(__popc(here));
    return __shfl_sync(here, base, first) + __popc(here & ((1u << lane) - 1));
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

/* A pair that is not clear: its time, as bits that order as it does, and its code. */
struct gz_device_hit {
    unsigned long long toi, code;
};

/* A pair that the host answers. */
struct gz_device_ask {
    unsigned long long code;
    double free;
};

#endif
