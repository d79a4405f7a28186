/* An implicit tree with eight children a node over elements in order: no topology, so that making it is one pass over
   the boxes. Level 0 has packets of eight elements' boxes; a packet of level l + 1 has the boxes of eight packets of
   level l. Three levels are made by one kernel. */
#ifndef GZ_CUDA_SCENE_TREE_CUH
#define GZ_CUDA_SCENE_TREE_CUH

#include "cuda/scene/boxes.cuh"
#include "cuda/scene/elements.h"

#define GZ_TREE_LEVELS 9
#define GZ_MOST_ELEMENTS (1u << 27) /* 8^9: the tree has one root for no more */
#define GZ_TREE_BLOCK 512u

/* Low sides, then high sides, of eight boxes. A lane without a box has NaN, and meets nothing. */
struct __align__(32) gz_packet {
    float side[6][8];
};

struct gz_float_box {
    float side[6];
};

/* The tree as a kernel sees it. */
struct gz_device_tree {
    gz_packet *level[GZ_TREE_LEVELS];
    uint32_t packets[GZ_TREE_LEVELS]; /* the last level has one */
    int levels, root;                 /* root: the first level that has one packet */
};

__device__ inline void gz_box_clear(gz_float_box &box) {
    for (int k = 0; k < 3; k++) box.side[k] = INFINITY, box.side[k + 3] = -INFINITY;
}

__device__ inline void gz_box_take(gz_float_box &box, const gz_device_box &v) {
    for (int k = 0; k < 3; k++) {
        box.side[k] = gz_float_min(box.side[k], v.lo[k]);
        box.side[k + 3] = gz_float_max(box.side[k + 3], v.hi[k]);
    }
}

/* The union over groups of four or eight lanes. */
template <int lanes> __device__ inline gz_float_box gz_box_of(gz_float_box box) {
#pragma unroll
    for (int apart = 1; apart < lanes; apart *= 2)
#pragma unroll
        for (int k = 0; k < 3; k++) {
            box.side[k] = gz_float_min(box.side[k], __shfl_xor_sync(~0u, box.side[k], apart));
            box.side[k + 3] = gz_float_max(box.side[k + 3], __shfl_xor_sync(~0u, box.side[k + 3], apart));
        }
    return box;
}

__device__ inline void gz_packet_set(gz_packet *packets, uint32_t i, const gz_float_box &box, bool there) {
    for (int k = 0; k < 6; k++) packets[i / 8].side[k][i % 8] = there ? box.side[k] : NAN;
}

/* Boxes of elements, from those of their corners. */
struct gz_element_boxes {
    const gz_element *elements;
    const gz_device_box *vertices;
    __device__ gz_float_box operator()(uint32_t i) const {
        gz_float_box box;
        gz_box_clear(box);
        for (int k = 0; k < 3; k++) gz_box_take(box, vertices[elements[i].corner[k]]);
        return box;
    }
};

struct gz_stored_boxes {
    const gz_float_box *boxes;
    __device__ gz_float_box operator()(uint32_t i) const { return boxes[i]; }
};

/* Levels first … first + 2 from `count` boxes; one box for each block is left for the next three. */
template <class Source>
__global__ void gz_make_levels(Source source, uint32_t count, gz_device_tree tree, int first, gz_float_box *tops) {
    __shared__ gz_float_box second[GZ_TREE_BLOCK / 8], third[GZ_TREE_BLOCK / 64];
    gz_packet *level[3];
    uint32_t packets[3];
#pragma unroll
    for (int k = 0; k < GZ_TREE_LEVELS; k++) /* without an index that varies: the tree would lie in local memory */
        if (k >= first && k < first + 3) level[k % 3] = tree.level[k], packets[k % 3] = tree.packets[k];
    uint32_t lane = threadIdx.x, i = blockIdx.x * GZ_TREE_BLOCK + lane;
    gz_float_box box;
    gz_box_clear(box);
    if (i < count) box = source(i);
    if (i / 8 < packets[0]) gz_packet_set(level[0], i, box, i < count);
    box = gz_box_of<8>(box);
    if (lane % 8 == 0) second[lane / 8] = box;
    __syncthreads();
    if (lane < GZ_TREE_BLOCK / 8) { /* two whole warps */
        uint32_t at = blockIdx.x * (GZ_TREE_BLOCK / 8) + lane;
        box = second[lane];
        if (at / 8 < packets[1]) gz_packet_set(level[1], at, box, at < packets[0]);
        box = gz_box_of<8>(box);
        if (lane % 8 == 0) third[lane / 8] = box;
    }
    __syncthreads();
    if (lane < 32) {
        uint32_t at = blockIdx.x * 8 + lane;
        gz_box_clear(box);
        if (lane < 8) {
            box = third[lane];
            gz_packet_set(level[2], at, box, at < packets[1]);
        }
        box = gz_box_of<8>(box);
        if (lane == 0) tops[blockIdx.x] = box;
    }
}

#endif
