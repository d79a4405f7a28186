/* Pairs of elements whose boxes meet: a warp walks the tree for one packet of eight elements, four nodes at a time, and
   looks only at packets from its own on, so that a pair is found once. */
#ifndef GZ_CUDA_WALK_CUH
#define GZ_CUDA_WALK_CUH

#include "cuda/tree.cuh"

#define GZ_WALK_WARPS 4
#define GZ_WALK_STACK 320 /* a step takes up to four nodes and adds up to 32, nine levels deep */
#define GZ_WALK_QUEUE 512 /* pairs that a warp holds back: one step finds up to 256 */
#define GZ_LEVEL_SHIFT 28
#define GZ_WALK_STEPS 48 /* after which a warp leaves the rest of its stack to others */
#define GZ_WALK_LEFT (1u << 20)

/* A list that is filled on the device. What does not fit is counted all the same: then the work is done again with more
   room. */
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

struct gz_walker {
    uint32_t *stack;
    uint2 *queue;
    uint32_t top, queued;
    unsigned lane;
};

__device__ inline void gz_walk_flush(gz_walker &w, const gz_device_list<uint2> &pairs) {
    unsigned long long base = 0;
    if (w.lane == 0) base = pairs.take(w.queued);
    base = __shfl_sync(~0u, base, 0);
    for (uint32_t i = w.lane; i < w.queued; i += 32) pairs.put(base + i, w.queue[i]);
    __syncwarp();
    w.queued = 0;
}

/* Children of inner nodes that meet the packet, except those that lie before it. */
__device__ inline void gz_walk_push(gz_walker &w, bool wanted, uint32_t entry) {
    unsigned all = __ballot_sync(~0u, wanted);
    if (wanted) w.stack[w.top + __popc(all & ((1u << w.lane) - 1))] = entry;
    w.top += __popc(all);
    __syncwarp();
}

/* mask: which of the packet's eight elements meet element `other`. */
__device__ inline void gz_walk_queue(gz_walker &w, unsigned mask, uint32_t first, uint32_t other) {
    unsigned mine = __popc(mask), before = mine;
    for (int apart = 1; apart < 32; apart *= 2) {
        unsigned left = __shfl_up_sync(~0u, before, apart);
        if (w.lane >= (unsigned)apart) before += left;
    }
    unsigned total = __shfl_sync(~0u, before, 31);
    uint32_t at = w.queued + before - mine;
    for (; mask; mask &= mask - 1) w.queue[at++] = make_uint2(first + __ffs(mask) - 1, other);
    w.queued += total;
    __syncwarp();
}

__device__ inline bool gz_sides_meet(const float *a, const float *b) {
    return a[0] <= b[3] && b[0] <= a[3] && a[1] <= b[4] && b[1] <= a[4] && a[2] <= b[5] && b[2] <= a[5];
}

/* What is left of long walks: a packet, and a node that it has still to visit. */
struct gz_walk_list {
    uint2 *items;
    uint32_t *count; /* may be more than GZ_WALK_LEFT: the rest stayed where it was */
};

/* Gives the stack to others, as far as there is room; what there is none for stays on it. */
__device__ inline void gz_walk_leave(gz_walker &w, uint32_t packet, const gz_walk_list &to) {
    uint32_t base = 0;
    if (w.lane == 0) base = atomicAdd(to.count, w.top);
    base = __shfl_sync(~0u, base, 0);
    uint32_t room = base < GZ_WALK_LEFT ? GZ_WALK_LEFT - base : 0, given = w.top < room ? w.top : room;
    for (uint32_t i = w.lane; i < given; i += 32) to.items[base + i] = make_uint2(packet, w.stack[w.top - 1 - i]);
    w.top -= given;
    __syncwarp();
}

/* Visits four nodes of the stack. */
__device__ inline void gz_walk_step(gz_walker &w, const gz_packet *const *levels, uint32_t packet,
                                    const gz_float_box &all, const gz_float_box *mine,
                                    const gz_device_list<uint2> &pairs) {
    uint32_t nodes = w.top < 4 ? w.top : 4, group = w.lane / 8;
    bool there = group < nodes;
    uint32_t entry = there ? w.stack[w.top - 1 - group] : 0;
    __syncwarp();
    w.top -= nodes;
    uint32_t level = entry >> GZ_LEVEL_SHIFT, node = entry & ((1u << GZ_LEVEL_SHIFT) - 1);
    uint32_t child = node * 8 + w.lane % 8;
    float box[6];
#pragma unroll
    for (int k = 0; k < 6; k++) box[k] = levels[level][node].side[k][w.lane % 8];
    bool meets = there && gz_sides_meet(all.side, box);
    /* what ends before this packet has found it already */
    bool inner = meets && level > 0 && ((unsigned long long)(child + 1) << 3 * (level - 1)) > packet;
    gz_walk_push(w, inner, (level - 1) << GZ_LEVEL_SHIFT | child);
    unsigned mask = 0;
    if (meets && level == 0)
#pragma unroll
        for (int k = 0; k < 8; k++)
            if ((node != packet || k < (int)(w.lane % 8)) && gz_sides_meet(mine[k].side, box)) mask |= 1u << k;
    if (__any_sync(~0u, mask)) gz_walk_queue(w, mask, packet * 8, child);
    if (w.queued > GZ_WALK_QUEUE - 256) gz_walk_flush(w, pairs);
}

/* Walks for the packets first … end − 1, each from the root, and leaves long walks to `left`; or, with `finish`, goes
   on where `left` says. */
template <bool finish>
__global__ void __launch_bounds__(32 * GZ_WALK_WARPS)
    gz_walk(gz_device_tree tree, uint32_t first, uint32_t end, uint32_t *next, gz_walk_list left,
            gz_device_list<uint2> pairs) {
    __shared__ uint32_t stacks[GZ_WALK_WARPS][GZ_WALK_STACK];
    __shared__ uint2 queues[GZ_WALK_WARPS][GZ_WALK_QUEUE];
    __shared__ gz_float_box boxes[GZ_WALK_WARPS][8];
    __shared__ const gz_packet *levels[GZ_TREE_LEVELS]; /* an argument that is indexed would lie in local memory */
    if (threadIdx.x == 0)
#pragma unroll
        for (int k = 0; k < GZ_TREE_LEVELS; k++) levels[k] = tree.level[k];
    __syncthreads();
    unsigned warp = threadIdx.x / 32;
    gz_walker w = {stacks[warp], queues[warp], 0, 0, threadIdx.x % 32};
    gz_float_box *mine = boxes[warp];
    uint32_t tasks = finish ? (*left.count < GZ_WALK_LEFT ? *left.count : GZ_WALK_LEFT) : end - first;
    for (;;) {
        uint32_t task = 0;
        if (w.lane == 0) task = atomicAdd(next, 1);
        task = __shfl_sync(~0u, task, 0);
        if (task >= tasks) break;
        uint32_t packet = finish ? left.items[task].x : first + task;
        gz_float_box all;
#pragma unroll
        for (int k = 0; k < 6; k++) {
            float side = tree.level[0][packet].side[k][w.lane % 8];
            if (w.lane < 8) mine[w.lane].side[k] = side;
            all.side[k] = side == side ? side : k < 3 ? INFINITY : -INFINITY;
        }
        all = gz_box_of_eight(all);
        w.top = 0;
        gz_walk_push(w, w.lane == 0, finish ? left.items[task].y : (uint32_t)(tree.levels - 1) << GZ_LEVEL_SHIFT);
        for (int steps = 1; w.top; steps++) {
            gz_walk_step(w, levels, packet, all, mine, pairs);
            if (!finish && steps % GZ_WALK_STEPS == 0) gz_walk_leave(w, packet, left);
        }
        __syncwarp();
    }
    if (w.queued) gz_walk_flush(w, pairs);
}

#endif
