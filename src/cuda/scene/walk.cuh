/* Pairs of elements whose boxes meet: a warp walks the tree for one packet of eight elements, four nodes at a time, and
   looks only at packets from its own on, so that a pair is found once. */
#ifndef GZ_CUDA_SCENE_WALK_CUH
#define GZ_CUDA_SCENE_WALK_CUH

#include "cuda/narrow.cuh"
#include "cuda/scene/tree.cuh"

#define GZ_WALK_WARPS 4
#define GZ_WALK_STACK 320 /* a step takes up to four nodes and adds up to 32, nine levels deep */
#define GZ_WALK_QUEUE 512 /* pairs that a warp holds back: one step finds up to 256 */
#define GZ_LEVEL_SHIFT 28
#define GZ_WALK_STEPS 8 /* after which a warp gives part of its stack away, when others wait */
#define GZ_WALK_LEFT (1u << 20)
#define GZ_WALK_EMPTY ~0ull

struct gz_walker {
    uint32_t *stack;
    gz_warp_queue<uint2> found;
    uint32_t top;
    unsigned lane;
};

/* Children of inner nodes that meet the packet, except those that lie before it. */
__device__ inline void gz_walk_push(gz_walker &w, bool wanted, uint32_t entry) {
    unsigned all = __ballot_sync(~0u, wanted);
    if (wanted) w.stack[w.top + __popc(all & ((1u << w.lane) - 1))] = entry;
    w.top += __popc(all);
    __syncwarp();
}

__device__ inline bool gz_sides_meet(const float *a, const float *b) {
    return (a[0] <= b[3]) & (b[0] <= a[3]) & (a[1] <= b[4]) & (b[1] <= a[4]) & (a[2] <= b[5]) & (b[2] <= a[5]);
}

/* True if the boxes in double, which are no less apart, meet for certain. */
__device__ inline bool gz_sides_surely_meet(const float *a, const float *b) {
    return (a[0] < b[3]) & (b[0] < a[3]) & (a[1] < b[4]) & (b[1] < a[4]) & (a[2] < b[5]) & (b[2] < a[5]);
}

/* A box of the packet, as lanes read it all at once: in two pieces. */
struct __align__(16) gz_packet_box {
    float4 lo, hi;
};

__device__ inline bool gz_packet_box_meets(const gz_packet_box &a, const float *b) {
    return (a.lo.x <= b[3]) & (b[0] <= a.hi.x) & (a.lo.y <= b[4]) & (b[1] <= a.hi.y) & (a.lo.z <= b[5]) &
           (b[2] <= a.hi.z);
}

/* The packet that a warp walks for: its eight boxes, and those of its two halves. */
struct gz_walk_packet {
    uint32_t id;
    uint32_t end; /* with worlds: elements from there on are in worlds that none of its own are in */
    gz_packet_box *boxes;
    gz_float_box half[2];
};

/* Tasks left of long walks, for warps that have none: a packet, and a node that it has still to visit. A place is empty
   again once its task is taken, so that the queue never has to be cleared. */
struct gz_walk_tasks {
    unsigned long long *items; /* node, packet */
    gz_step_state *state;
    const uint32_t *stop;
    int most_waiting;

    /* Takes what it has room for of `count` more tasks: they begin at the result, and *given says how many. */
    __device__ uint32_t add(uint32_t count, uint32_t *given) const {
        uint32_t at = atomicAdd(&state->walk_tail, count), room = at < GZ_WALK_LEFT ? GZ_WALK_LEFT - at : 0;
        *given = count < room ? count : room;
        atomicAdd(&state->walk_pending, *given);
        __threadfence(); /* counted before anyone can see them: who is done with one first must not find none left */
        return at;
    }
    /* Waits for the next one; false when all work is done, when enough others wait, or while a block has not begun: it
       may need the room of those that would wait for it. */
    __device__ bool take(uint2 *task) const {
        if (waiting() >= most_waiting || *(volatile uint32_t *)&state->walk_started < gridDim.x) return false;
        uint32_t ticket = atomicAdd(&state->walk_head, 1), pause = 128;
        volatile unsigned long long *place = items + (ticket < GZ_WALK_LEFT ? ticket : 0);
        while (!*(volatile uint32_t *)state->walk_over) {
            unsigned long long found = ticket < GZ_WALK_LEFT ? *place : GZ_WALK_EMPTY;
            if (found != GZ_WALK_EMPTY) {
                *task = make_uint2((uint32_t)found, (uint32_t)(found >> 32));
                *place = GZ_WALK_EMPTY;
                __threadfence(); /* seen before it is done with */
                return true;
            }
            __nanosleep(pause);
            if (pause < 1024) pause *= 2; /* all of them ask the same word whether there is more */
        }
        return false;
    }
    __device__ int waiting() const {
        return (int)(*(volatile uint32_t *)&state->walk_head - *(volatile uint32_t *)&state->walk_tail);
    }
    __device__ void done() const {
        if (atomicSub(&state->walk_pending, 1) == 1) *(volatile uint32_t *)state->walk_over = 1;
    }
};

/* Keeps four nodes, which one step visits, and gives others away: those at the bottom, which have the most below them,
   and no more than there are warps that wait. */
__device__ inline void gz_walk_share(gz_walker &w, uint32_t packet, const gz_walk_tasks &tasks) {
    uint32_t base = 0, given = 0;
    if (w.top <= 4) return;
    if (w.lane == 0) {
        int waiting = tasks.waiting();
        if (waiting > 0) base = tasks.add(min(w.top - 4, (uint32_t)waiting), &given);
    }
    base = __shfl_sync(~0u, base, 0);
    given = __shfl_sync(~0u, given, 0);
    if (!given) return;
    __syncwarp(); /* what the first lane has seen to is before what the others write */
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

/* Lists the elements of the packet that meet this lane's, `child` with `box`. A pair inside the packet counts once. */
__device__ inline void gz_walk_leaves(gz_walker &w, const gz_walk_packet &p, bool meets, uint32_t child,
                                      const float *box) {
    unsigned own = child / 8 == p.id ? child % 8 : 8, mask = 0, total;
#pragma unroll
    for (unsigned k = 0; k < 8; k++)
        if (meets & (k < own) & gz_packet_box_meets(p.boxes[k], box)) mask |= 1u << k;
    uint2 *at = w.found.items + w.found.queued + gz_lanes_before(__popc(mask), &total);
#pragma unroll
    for (unsigned k = 0; k < 8; k++) /* those of one child side by side: who reads them meets few elements at a time */
        if (mask >> k & 1u) *at++ = make_uint2(p.id * 8 + k, child);
    w.found.queued += total;
}

/* Visits four nodes of the stack. */
template <bool worlds>
__device__ inline void gz_walk_step(gz_walker &w, const gz_packet *const *levels, const gz_walk_packet &p,
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
    bool meets = there & (gz_sides_meet(p.half[0].side, box) | gz_sides_meet(p.half[1].side, box));
    /* what ends before this packet has found it already */
    bool inner = meets && level > 0 && ((unsigned long long)(child + 1) << 3 * (level - 1)) > p.id;
    if (worlds && level > 0) inner &= (unsigned long long)child << 3 * level < p.end;
    gz_walk_push(w, inner, (level - 1) << GZ_LEVEL_SHIFT | child);
    bool leaf = meets && level == 0 && (!worlds || child < p.end);
    if (__any_sync(~0u, leaf)) gz_walk_leaves(w, p, leaf, child, box);
    if (w.found.queued > GZ_WALK_QUEUE - 256) gz_queue_flush(w.found, pairs);
}

/* One of this warp's own packets, from the root, while there are any; then what others leave. `own` is its next one.
   walk_pending counts the warps that have own packets, and the tasks in the queue. */
__device__ inline bool gz_walk_next(const gz_device_tree &tree, const gz_walk_tasks &tasks, unsigned lane,
                                    uint32_t *own, uint2 *task) {
    const uint32_t warps = gridDim.x * GZ_WALK_WARPS;
    if (*own < tasks.state->input.packets[1]) {
        *task = make_uint2(*own, (uint32_t)tree.root << GZ_LEVEL_SHIFT);
        *own += warps;
        return true;
    }
    int found = 0;
    if (lane == 0) {
        tasks.done(); /* with the last own packet, or the last task */
        found = tasks.take(task);
    }
    task->x = __shfl_sync(~0u, task->x, 0);
    task->y = __shfl_sync(~0u, task->y, 0);
    return __shfl_sync(~0u, found, 0);
}

__device__ inline void gz_walk_open(const gz_device_tree &tree, uint32_t packet, unsigned lane, gz_walk_packet &p) {
    gz_float_box half;
    float side[6];
#pragma unroll
    for (int k = 0; k < 6; k++) {
        side[k] = tree.level[0][packet].side[k][lane % 8];
        half.side[k] = side[k] == side[k] ? side[k] : k < 3 ? INFINITY : -INFINITY;
    }
    if (lane < 8)
        p.boxes[lane] = {make_float4(side[0], side[1], side[2], 0), make_float4(side[3], side[4], side[5], 0)};
    half = gz_box_of<4>(half);
#pragma unroll
    for (int k = 0; k < 6; k++) {
        p.half[0].side[k] = __shfl_sync(~0u, half.side[k], 0);
        p.half[1].side[k] = __shfl_sync(~0u, half.side[k], 4);
    }
    p.id = packet;
    __syncwarp();
}

/* `ends`: with worlds, for each packet. */
template <bool worlds>
static __global__ void __launch_bounds__(32 * GZ_WALK_WARPS)
    gz_walk(gz_device_tree tree, gz_walk_tasks tasks, const uint32_t *ends, gz_device_list<uint2> pairs) {
    __shared__ uint32_t stacks[GZ_WALK_WARPS][GZ_WALK_STACK];
    __shared__ uint2 queues[GZ_WALK_WARPS][GZ_WALK_QUEUE];
    __shared__ gz_packet_box boxes[GZ_WALK_WARPS][8];
    __shared__ const gz_packet *levels[GZ_TREE_LEVELS]; /* an argument that is indexed would lie in local memory */
    if (threadIdx.x == 0) {
        atomicAdd(&tasks.state->walk_started, 1);
#pragma unroll
        for (int k = 0; k < GZ_TREE_LEVELS; k++) levels[k] = tree.level[k];
    }
    __syncthreads();
    unsigned warp = threadIdx.x / 32;
    gz_walker w = {stacks[warp], {queues[warp], 0}, 0, threadIdx.x % 32};
    gz_walk_packet p = {0, UINT32_MAX, boxes[warp]};
    uint2 task = make_uint2(0, 0);
    uint32_t own = tasks.state->input.packets[0] + blockIdx.x * GZ_WALK_WARPS + warp;
    while (gz_walk_next(tree, tasks, w.lane, &own, &task)) {
        if (gz_warp_stopped(tasks.stop)) continue;
        gz_walk_open(tree, task.x, w.lane, p);
        if (worlds) p.end = ends[task.x];
        w.top = 0;
        gz_walk_push(w, w.lane == 0, task.y);
        for (int steps = 1; w.top; steps++) {
            gz_walk_step<worlds>(w, levels, p, pairs);
            if (steps % GZ_WALK_STEPS) continue;
            if (gz_warp_stopped(tasks.stop)) break;
            gz_walk_share(w, task.x, tasks);
        }
        __syncwarp();
    }
    gz_queue_flush(w.found, pairs);
}

#endif
