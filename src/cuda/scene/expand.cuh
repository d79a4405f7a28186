/* From pairs of elements to pairs of primitives: by ownership, groups, shared vertices, and their own boxes. */
#ifndef GZ_CUDA_SCENE_EXPAND_CUH
#define GZ_CUDA_SCENE_EXPAND_CUH

#include "cuda/scene/scene.cuh"
#include "cuda/scene/walk.cuh"
#include "cuda/warp.cuh"

/* Pairs of each kind: a and b as in graze_pair. */
struct gz_device_lists {
    gz_device_list<uint2> kind[4];
    unsigned kinds;                 /* bit (1u << kind) for each that is looked for */
    unsigned long long *candidates; /* NULL, or counts by kind of those that surely are; the others are marked */
    const uint32_t *stop;
};

/* The lists of a scene, without counts of candidates. */
inline gz_device_lists gz_lists_of_scene(const gz_device_scene &s, unsigned kinds, gz_step_state *state,
                                         const uint32_t *stop) {
    gz_device_lists lists;
    for (int kind = 0; kind < 4; kind++)
        lists.kind[kind] = {s.pairs[kind].items, s.pairs[kind].room, &state->pairs[kind]};
    lists.kinds = kinds;
    lists.candidates = NULL;
    lists.stop = stop;
    return lists;
}

/* Set in b of a pair that may be no candidate: where boxes just touch in float they may not in double. */
#define GZ_DOUBTFUL 0x80000000u

__device__ inline bool gz_groups_touch(const gz_device_groups &groups, uint32_t a, uint32_t b) {
    if (groups.worlds) {
        if (a / groups.count != b / groups.count) return false;
        a %= groups.count, b %= groups.count;
    }
    if (groups.skip_same && a == b) return false;
    /* read both ways, as the CPU does: a table that is not symmetric by mistake hides no pair that one half allows */
    return !groups.pairs || groups.pairs[(size_t)a * groups.count + b] || groups.pairs[(size_t)b * groups.count + a];
}

__device__ inline bool gz_is_corner(const gz_element &e, uint32_t v) {
    return e.corner[0] == v || e.corner[1] == v || e.corner[2] == v;
}

struct gz_box_pair {
    gz_element e[2];
    gz_device_box corner[2][3];
    gz_float_box all[2];
};

/* Of side 0 or 1. */
__device__ inline gz_float_box gz_side_box(const gz_device_box *corner, int side) {
    gz_float_box box;
    gz_box_clear(box);
    gz_box_take(box, corner[side]);
    gz_box_take(box, corner[side + 1]);
    return box;
}

/* The vertex that an element owns, where it owns one. */
__device__ inline uint32_t gz_owned_vertex(const gz_element &e) {
    return e.flags & (unsigned)GZ_OWNS_VERTEX << 1 ? e.corner[1] : e.corner[0];
}

/* Pairs that meet, and those of them that surely do. */
struct gz_meeting {
    unsigned mask, sure;

    __device__ void test(unsigned bit, const gz_float_box &a, const gz_float_box &b) {
        if (gz_sides_meet(a.side, b.side)) mask |= bit;
        if (gz_sides_surely_meet(a.side, b.side)) sure |= bit;
    }
};

__device__ inline gz_float_box gz_owned_box(const gz_box_pair &p, int which) {
    bool second = p.e[which].flags & (unsigned)GZ_OWNS_VERTEX << 1;
    const gz_device_box &a = p.corner[which][0], &b = p.corner[which][1];
    gz_float_box box;
#pragma unroll
    for (int k = 0; k < 3; k++) {
        box.side[k] = second ? b.lo[k] : a.lo[k];
        box.side[k + 3] = second ? b.hi[k] : a.hi[k];
    }
    return box;
}

/* The vertex that `which` owns against the other's face: bit `which`. */
__device__ inline void gz_vertex_face_pairs(const gz_box_pair &p, int which, gz_meeting &found) {
    const gz_element &mine = p.e[which], &other = p.e[!which];
    if (!(other.flags & GZ_IS_FACE) || !(mine.flags & (unsigned)GZ_OWNS_VERTEX * 3)) return;
    if (!gz_is_corner(other, gz_owned_vertex(mine))) found.test(1u << which, gz_owned_box(p, which), p.all[!which]);
}

/* Sides against sides: bit 2 i + j for side i of the first and j of the second. */
__device__ inline void gz_edge_edge_pairs(const gz_box_pair &p, gz_meeting &found) {
    const unsigned own = (unsigned)GZ_OWNS_EDGE * 3;
    if (!(p.e[0].flags & own) || !(p.e[1].flags & own)) return;
    gz_float_box other[2] = {gz_side_box(p.corner[1], 0), gz_side_box(p.corner[1], 1)};
#pragma unroll
    for (int i = 0; i < 2; i++) {
        if (!(p.e[0].flags & (unsigned)GZ_OWNS_EDGE << i)) continue;
        gz_float_box box = gz_side_box(p.corner[0], i);
        uint32_t a = p.e[0].corner[i], b = p.e[0].corner[i + 1];
#pragma unroll
        for (int j = 0; j < 2; j++) {
            if (!(p.e[1].flags & (unsigned)GZ_OWNS_EDGE << j)) continue;
            uint32_t c = p.e[1].corner[j], d = p.e[1].corner[j + 1];
            if (a != c && a != d && b != c && b != d) found.test(1u << (2 * i + j), box, other[j]);
        }
    }
}

__device__ inline uint2 gz_ordered(uint32_t a, uint32_t b) { return a < b ? make_uint2(a, b) : make_uint2(b, a); }

#define GZ_EXPAND_WARPS 4
#define GZ_EXPAND_BLOCKS 6 /* for each processor, all at once */
/* Pairs that a warp holds back: 32 pairs of elements have up to 64 and 128. Without the first look they go to the lists
   from there, the more at once the better; with it 32 at a time are looked at, and no more than 31 stay. */
#define GZ_EXPAND_VF(looks) ((looks) ? 96 : 256)
#define GZ_EXPAND_EE(looks) ((looks) ? 160 : 352)

struct gz_expand_queues {
    gz_warp_queue<uint2> vf, ee;
};

__device__ inline uint2 gz_marked(const gz_device_lists &lists, uint2 pair, bool sure) {
    if (lists.candidates && !sure) pair.y |= GZ_DOUBTFUL;
    return pair;
}

/* Loops are unrolled: an array that is indexed by a variable would lie in local memory. */
__device__ inline void gz_put_masks(gz_expand_queues &queues, const gz_device_lists &lists, const gz_box_pair &p,
                                    const gz_meeting &vf, const gz_meeting &ee) {
    unsigned total, before = gz_lanes_before(__popc(vf.mask) | __popc(ee.mask) << 16, &total);
    uint2 *at = queues.vf.items + queues.vf.queued + (before & 0xffff);
#pragma unroll
    for (int bit = 0; bit < 2; bit++)
        if (vf.mask >> bit & 1u)
            *at++ = gz_marked(lists, make_uint2(gz_owned_vertex(p.e[bit]), p.e[1 - bit].face), vf.sure >> bit & 1u);
    at = queues.ee.items + queues.ee.queued + (before >> 16);
#pragma unroll
    for (int bit = 0; bit < 4; bit++)
        if (ee.mask >> bit & 1u)
            *at++ = gz_marked(lists, gz_ordered(p.e[0].edges[bit / 2], p.e[1].edges[bit % 2]), ee.sure >> bit & 1u);
    queues.vf.queued += total & 0xffff;
    queues.ee.queued += total >> 16;
}

/* Points against points and edges that have no face: rare, so one atomic each. */
__device__ inline void gz_put_codimensional(const gz_device_lists &lists, const gz_box_pair &p) {
    bool point[2] = {(p.e[0].flags & GZ_IS_CODIM_POINT) != 0, (p.e[1].flags & GZ_IS_CODIM_POINT) != 0};
    if (point[0] && point[1] && lists.kinds >> GRAZE_PP & 1u)
        lists.kind[GRAZE_PP].put(lists.kind[GRAZE_PP].take(1),
                                 gz_marked(lists, gz_ordered(p.e[0].corner[0], p.e[1].corner[0]), false));
#pragma unroll
    for (int which = 0; which < 2; which++)
        if (point[which] && p.e[!which].flags & GZ_IS_CODIM_EDGE && lists.kinds >> GRAZE_PE & 1u &&
            !gz_is_corner(p.e[!which], p.e[which].corner[0]))
            lists.kind[GRAZE_PE].put(lists.kind[GRAZE_PE].take(1),
                                     gz_marked(lists, make_uint2(p.e[which].corner[0], p.e[!which].edges[0]), false));
}

/* Looks at what is held, 32 at a time, and in the end at all, and lists what is not plainly apart. Those that may be no
   candidates are not looked at: they have to be counted. */
template <graze_kind kind>
__device__ inline void gz_look_at(gz_warp_queue<uint2> &queue, bool all, const gz_far_look &look,
                                  gz_warp_queue<uint2> &left, const gz_device_list<uint2> &list) {
    unsigned lane = threadIdx.x % 32;
    __syncwarp();
    while (queue.queued >= 32 || (all && queue.queued)) {
        unsigned first = queue.queued > 32 ? queue.queued - 32 : 0;
        bool mine = first + lane < queue.queued;
        uint2 pair = mine ? queue.items[first + lane] : make_uint2(0, 0);
        bool open = mine;
        if (mine && !(pair.y & GZ_DOUBTFUL)) {
            uint32_t ids[4];
            gz_read_ids(look.faces, look.edges, kind, pair.x, pair.y, ids);
            open = !gz_is_far<kind, false>(look.vertices, ids, *look.reach);
        }
        queue.queued = first;
        gz_queue_add(left, open, pair);
        if (left.queued > 32) gz_queue_flush(left, list);
    }
    if (all) gz_queue_flush(left, list);
    __syncwarp();
}

/* Hands on what is held: where it is much, and in the end all. */
template <bool looks>
__device__ inline void gz_hand_on(gz_expand_queues &held, gz_expand_queues &left, bool all, const gz_far_look &look,
                                  const gz_device_lists &lists) {
    if (looks) {
        gz_look_at<GRAZE_VF>(held.vf, all, look, left.vf, lists.kind[GRAZE_VF]);
        gz_look_at<GRAZE_EE>(held.ee, all, look, left.ee, lists.kind[GRAZE_EE]);
        return;
    }
    if (all || held.vf.queued > GZ_EXPAND_VF(false) - 64) gz_queue_flush(held.vf, lists.kind[GRAZE_VF]);
    if (all || held.ee.queued > GZ_EXPAND_EE(false) - 128) gz_queue_flush(held.ee, lists.kind[GRAZE_EE]);
}

__device__ inline void gz_read_element(const gz_element *elements, const gz_device_box *vertices, uint32_t id,
                                       gz_box_pair &p, int k) {
    p.e[k] = elements[id];
    gz_box_clear(p.all[k]);
#pragma unroll
    for (int c = 0; c < 3; c++) {
        p.corner[k][c] = vertices[p.e[k].corner[c]];
        gz_box_take(p.all[k], p.corner[k][c]);
    }
}

template <bool looks>
static __global__ void __launch_bounds__(32 * GZ_EXPAND_WARPS, GZ_EXPAND_BLOCKS)
    gz_expand(gz_device_list<uint2> pairs, const gz_element *elements, const gz_device_box *vertices,
              gz_device_groups groups, gz_far_look look, gz_device_lists lists) {
    __shared__ uint2 held_vf[GZ_EXPAND_WARPS][GZ_EXPAND_VF(looks)], held_ee[GZ_EXPAND_WARPS][GZ_EXPAND_EE(looks)];
    __shared__ uint2 left_vf[GZ_EXPAND_WARPS][looks ? 64 : 1], left_ee[GZ_EXPAND_WARPS][looks ? 64 : 1];
    unsigned warp = threadIdx.x / 32;
    gz_expand_queues queues = {{held_vf[warp], 0}, {held_ee[warp], 0}}, left = {{left_vf[warp], 0}, {left_ee[warp], 0}};
    unsigned long long count = pairs.size();
    unsigned sure[2] = {0, 0};
    unsigned step = gridDim.x * blockDim.x, start = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned long long i = start;; i += step) { /* whole warps */
        bool last = i - threadIdx.x % 32 >= count || gz_warp_stopped(lists.stop);
        gz_box_pair p;
        gz_meeting vf = {0, 0}, ee = {0, 0};
        if (i < count && !last) {
            uint2 ids = pairs.items[i];
            gz_read_element(elements, vertices, ids.x, p, 0);
            gz_read_element(elements, vertices, ids.y, p, 1);
            if (gz_groups_touch(groups, p.corner[0][0].group, p.corner[1][0].group)) {
                if (lists.kinds >> GRAZE_VF & 1u) gz_vertex_face_pairs(p, 0, vf), gz_vertex_face_pairs(p, 1, vf);
                if (lists.kinds >> GRAZE_EE & 1u) gz_edge_edge_pairs(p, ee);
                gz_put_codimensional(lists, p);
            }
        }
        sure[0] += __popc(vf.sure), sure[1] += __popc(ee.sure);
        gz_put_masks(queues, lists, p, vf, ee);
        gz_hand_on<looks>(queues, left, last, look, lists);
        if (last) break;
    }
    for (int k = 0; k < 2 && lists.candidates; k++) {
        unsigned all = gz_warp_sum(sure[k]);
        if (threadIdx.x % 32 == 0 && all)
            atomicAdd(&lists.candidates[k ? GRAZE_EE : GRAZE_VF], (unsigned long long)all);
    }
}

#endif
