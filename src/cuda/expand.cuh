/* From pairs of elements to pairs of primitives: by ownership, groups, shared vertices, and their own boxes. */
#ifndef GZ_CUDA_EXPAND_CUH
#define GZ_CUDA_EXPAND_CUH

#include "cuda/scene.cuh"
#include "cuda/walk.cuh"

/* Pairs of each kind: a and b as in graze_pair. */
struct gz_device_lists {
    gz_device_list<uint2> kind[4];
    unsigned kinds;                 /* bit (1u << kind) for each that is looked for */
    unsigned long long *candidates; /* NULL, or counts by kind of those that surely are; the others are marked */
    const uint32_t *stop;
};

/* Set in b of a pair that may be no candidate: where boxes just touch in float they may not in double. */
#define GZ_DOUBTFUL 0x80000000u

__device__ inline bool gz_groups_touch(const gz_device_groups &groups, uint32_t a, uint32_t b) {
    if (groups.skip_same && a == b) return false;
    /* read both ways, as the CPU does: a table that is not symmetric by mistake hides no pair that one half allows */
    return !groups.pairs || groups.pairs[(size_t)a * groups.count + b] || groups.pairs[(size_t)b * groups.count + a];
}

__device__ inline bool gz_is_corner(const gz_element &e, uint32_t v) {
    return e.corner[0] == v || e.corner[1] == v || e.corner[2] == v;
}

struct gz_box_pair {
    gz_element e[2];
    gz_vertex_box corner[2][3];
    gz_float_box all[2];
};

__device__ inline gz_float_box gz_side_box(const gz_vertex_box *corner, int side) {
    gz_float_box box;
    gz_box_clear(box);
    gz_box_take(box, corner[side]);
    gz_box_take(box, corner[side == 2 ? 0 : side + 1]);
    return box;
}

/* Pairs that meet, and those of them that surely do. */
struct gz_meeting {
    unsigned mask, sure;

    __device__ void test(unsigned bit, const gz_float_box &a, const gz_float_box &b) {
        if (gz_sides_meet(a.side, b.side)) mask |= bit;
        if (gz_sides_surely_meet(a.side, b.side)) sure |= bit;
    }
};

__device__ inline gz_float_box gz_corner_box(const gz_vertex_box &v) {
    gz_float_box box;
    gz_box_clear(box);
    gz_box_take(box, v);
    return box;
}

/* Corners that `which` owns against the other's face: bit 3 which + i for corner i. */
__device__ inline void gz_vertex_face_pairs(const gz_box_pair &p, int which, gz_meeting &found) {
    const gz_element &mine = p.e[which], &other = p.e[!which];
    if (!(other.flags & GZ_IS_FACE)) return;
#pragma unroll
    for (int i = 0; i < 3; i++)
        if (mine.flags & (unsigned)GZ_OWNS_VERTEX << i && !gz_is_corner(other, mine.corner[i]))
            found.test(1u << (3 * which + i), gz_corner_box(p.corner[which][i]), p.all[!which]);
}

/* Sides against sides: bit 3 i + j for side i of the first and j of the second. */
__device__ inline void gz_edge_edge_pairs(const gz_box_pair &p, gz_meeting &found) {
    const unsigned own = (unsigned)GZ_OWNS_EDGE * 7;
    if (!(p.e[0].flags & own) || !(p.e[1].flags & own)) return;
    gz_float_box other[3];
#pragma unroll
    for (int j = 0; j < 3; j++) other[j] = gz_side_box(p.corner[1], j);
#pragma unroll
    for (int i = 0; i < 3; i++) {
        if (!(p.e[0].flags & (unsigned)GZ_OWNS_EDGE << i)) continue;
        gz_float_box box = gz_side_box(p.corner[0], i);
        uint32_t a = p.e[0].corner[i], b = p.e[0].corner[i == 2 ? 0 : i + 1];
#pragma unroll
        for (int j = 0; j < 3; j++) {
            if (!(p.e[1].flags & (unsigned)GZ_OWNS_EDGE << j)) continue;
            uint32_t c = p.e[1].corner[j], d = p.e[1].corner[j == 2 ? 0 : j + 1];
            if (a != c && a != d && b != c && b != d) found.test(1u << (3 * i + j), box, other[j]);
        }
    }
}

__device__ inline uint2 gz_ordered(uint32_t a, uint32_t b) { return a < b ? make_uint2(a, b) : make_uint2(b, a); }

#define GZ_EXPAND_WARPS 4
#define GZ_EXPAND_VF 384 /* pairs that a warp holds back: 32 pairs of elements have up to 192 */
#define GZ_EXPAND_EE 512 /* and up to 288 */

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
    for (int bit = 0; bit < 6; bit++)
        if (vf.mask >> bit & 1u)
            *at++ =
                gz_marked(lists, make_uint2(p.e[bit / 3].corner[bit % 3], p.e[1 - bit / 3].face), vf.sure >> bit & 1u);
    at = queues.ee.items + queues.ee.queued + (before >> 16);
#pragma unroll
    for (int bit = 0; bit < 9; bit++)
        if (ee.mask >> bit & 1u)
            *at++ = gz_marked(lists, gz_ordered(p.e[0].edges[bit / 3], p.e[1].edges[bit % 3]), ee.sure >> bit & 1u);
    queues.vf.queued += total & 0xffff;
    queues.ee.queued += total >> 16;
    if (queues.vf.queued > GZ_EXPAND_VF - 192) gz_queue_flush(queues.vf, lists.kind[GRAZE_VF]);
    if (queues.ee.queued > GZ_EXPAND_EE - 288) gz_queue_flush(queues.ee, lists.kind[GRAZE_EE]);
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

static __global__ void __launch_bounds__(32 * GZ_EXPAND_WARPS)
    gz_expand(gz_device_list<uint2> pairs, const gz_element *elements, const gz_vertex_box *vertices,
              gz_device_groups groups, gz_device_lists lists) {
    __shared__ uint2 held_vf[GZ_EXPAND_WARPS][GZ_EXPAND_VF], held_ee[GZ_EXPAND_WARPS][GZ_EXPAND_EE];
    gz_expand_queues queues = {{held_vf[threadIdx.x / 32], 0}, {held_ee[threadIdx.x / 32], 0}};
    unsigned long long count = pairs.size();
    unsigned sure[2] = {0, 0};
    unsigned step = gridDim.x * blockDim.x, start = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned long long i = start; i - threadIdx.x % 32 < count; i += step) { /* whole warps */
        if (gz_warp_stopped(lists.stop)) break;
        gz_box_pair p;
        gz_meeting vf = {0, 0}, ee = {0, 0};
        if (i < count) {
            uint32_t id[2] = {pairs.items[i].x, pairs.items[i].y};
#pragma unroll
            for (int k = 0; k < 2; k++) {
                p.e[k] = elements[id[k]];
                gz_box_clear(p.all[k]);
#pragma unroll
                for (int c = 0; c < 3; c++) {
                    p.corner[k][c] = vertices[p.e[k].corner[c]];
                    gz_box_take(p.all[k], p.corner[k][c]);
                }
            }
            if (gz_groups_touch(groups, p.corner[0][0].group, p.corner[1][0].group)) {
                if (lists.kinds >> GRAZE_VF & 1u) gz_vertex_face_pairs(p, 0, vf), gz_vertex_face_pairs(p, 1, vf);
                if (lists.kinds >> GRAZE_EE & 1u) gz_edge_edge_pairs(p, ee);
                gz_put_codimensional(lists, p);
            }
        }
        sure[0] += __popc(vf.sure), sure[1] += __popc(ee.sure);
        gz_put_masks(queues, lists, p, vf, ee);
    }
    gz_queue_flush(queues.vf, lists.kind[GRAZE_VF]);
    gz_queue_flush(queues.ee, lists.kind[GRAZE_EE]);
    for (int k = 0; k < 2 && lists.candidates; k++) {
        unsigned all = __reduce_add_sync(~0u, sure[k]);
        if (threadIdx.x % 32 == 0 && all)
            atomicAdd(&lists.candidates[k ? GRAZE_EE : GRAZE_VF], (unsigned long long)all);
    }
}

#endif
