/* Pairs of elements whose boxes meet: a warp walks the tree for one packet of eight elements, four nodes at a time, and
   looks only at packets from its own on, so that a pair is found once. */
#ifndef GZ_CUDA_WALK_CUH
#define GZ_CUDA_WALK_CUH

#include "cuda/narrow.cuh"
#include "cuda/tree.cuh"

#define GZ_WALK_WARPS 4
#define GZ_WALK_STACK 320 /* a step takes up to four nodes and adds up to 32, nine levels deep */
#define GZ_WALK_QUEUE 512 /* pairs that a warp holds back: one step finds up to 256 */
#define GZ_LEVEL_SHIFT 28
#define GZ_WALK_STEPS 8 /* after which a warp gives the rest of its stack away, when others are idle */
#define GZ_WALK_LEFT (1u << 20)
#define GZ_WALK_EMPTY ~0ull

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

/* What is left of long walks, for warps that have none: a packet, and a node that it has still to visit. A place is
   empty again once its task is taken, so that the queue never has to be cleared. */
struct gz_walk_tasks {
    unsigned long long *items; /* node, packet */
    gz_step_state *state;

    /* Takes what it has room for of `count` more tasks: they begin at the result, and *given says how many. */
    __device__ uint32_t add(uint32_t count, uint32_t *given) const {
        uint32_t at = atomicAdd(&state->walk_tail, count), room = at < GZ_WALK_LEFT ? GZ_WALK_LEFT - at : 0;
        *given = count < room ? count : room;
        atomicAdd(&state->walk_pending, *given);
        return at;
    }
    /* Waits for the next one; false when all work is done. */
    __device__ bool take(uint2 *task) const {
        uint32_t ticket = atomicAdd(&state->walk_head, 1);
        volatile unsigned long long *place = items + (ticket < GZ_WALK_LEFT ? ticket : 0);
        while (*(volatile uint32_t *)&state->walk_pending) {
            unsigned long long found = ticket < GZ_WALK_LEFT ? *place : GZ_WALK_EMPTY;
            if (found != GZ_WALK_EMPTY) {
                *task = make_uint2((uint32_t)found, (uint32_t)(found >> 32));
                *place = GZ_WALK_EMPTY;
                return true;
            }
            __nanosleep(64);
        }
        return false;
    }
    __device__ void done() const { atomicSub(&state->walk_pending, 1); }
};

/* Keeps four nodes, which one step visits, and gives the others away: those at the bottom have the most below them. */
__device__ inline void gz_walk_share(gz_walker &w, uint32_t packet, const gz_walk_tasks &tasks) {
    uint32_t base = 0, given = 0;
    if (w.top <= 4) return;
    if (w.lane == 0) base = tasks.add(w.top - 4, &given);
    base = __shfl_sync(~0u, base, 0);
    given = __shfl_sync(~0u, given, 0);
    for (uint32_t i = w.lane; i < given; i += 32)
        *(volatile unsigned long long *)&tasks.items[base + i] = (unsigned long long)w.stack[i] << 32 | packet;
    uint32_t left = w.top - given;
    for (uint32_t i = 0; i < left; i += 32) {
        __syncwarp();
        uint32_t node = i + w.lane < left ? w.stack[given + i + w.lane] : 0;
        __syncwarp();
        if (i + w.lane < left) w.stack[i + w.lane] = node;
    }
    __syncwarp();
    w.top = left;
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

/* A packet from the root, while there are any; then what others leave. */
__device__ inline bool gz_walk_next(const gz_device_tree &tree, const gz_walk_tasks &tasks, unsigned lane,
                                    uint2 *task) {
    int found = 0;
    if (lane == 0) {
        uint32_t next = *(volatile uint32_t *)&tasks.state->next_packet;
        if (next < tree.packets[0]) next = atomicAdd(&tasks.state->next_packet, 1);
        *task = make_uint2(next, (uint32_t)tree.root << GZ_LEVEL_SHIFT);
        found = next < tree.packets[0] || tasks.take(task);
    }
    task->x = __shfl_sync(~0u, task->x, 0);
    task->y = __shfl_sync(~0u, task->y, 0);
    return __shfl_sync(~0u, found, 0);
}

static __global__ void __launch_bounds__(32 * GZ_WALK_WARPS)
    gz_walk(gz_device_tree tree, gz_walk_tasks tasks, gz_device_list<uint2> pairs) {
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
    uint2 task = make_uint2(0, 0);
    while (gz_walk_next(tree, tasks, w.lane, &task)) {
        gz_float_box all;
#pragma unroll
        for (int k = 0; k < 6; k++) {
            float side = tree.level[0][task.x].side[k][w.lane % 8];
            if (w.lane < 8) mine[w.lane].side[k] = side;
            all.side[k] = side == side ? side : k < 3 ? INFINITY : -INFINITY;
        }
        all = gz_box_of_eight(all);
        w.top = 0;
        gz_walk_push(w, w.lane == 0, task.y);
        for (int steps = 1; w.top; steps++) {
            gz_walk_step(w, levels, task.x, all, mine, pairs);
            if (steps % GZ_WALK_STEPS) continue;
            uint32_t next = *(volatile uint32_t *)&tasks.state->next_packet;
            if (__shfl_sync(~0u, next, 0) >= tree.packets[0]) gz_walk_share(w, task.x, tasks);
        }
        __syncwarp();
        if (w.lane == 0) tasks.done();
    }
    if (w.queued) gz_walk_flush(w, pairs);
}

#endif
