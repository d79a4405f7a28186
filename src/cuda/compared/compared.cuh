/* Broad phases for comparison: sweep and tiniest queue (seed of the published GPU pipeline) and a linear tree with two
   children a node. Their candidates are those of every other; steps have a tree of their own (tree.cuh, walk.cuh).
   Pairs of vertex and face, edge and edge. */
#ifndef GZ_CUDA_COMPARED_COMPARED_CUH
#define GZ_CUDA_COMPARED_COMPARED_CUH

#include "cuda/scene/scene.cuh"

struct gz_binary_node {
    gz_box box;
    uint32_t child[2]; /* a leaf has the bit GZ_LEAF */
    uint32_t parent;   /* of the root: UINT32_MAX */
};
#define GZ_LEAF 0x80000000u

struct gz_device_compare {
    gz_device_array<gz_box> boxes, sorted;
    gz_device_array<unsigned long long> keys;
    gz_device_array<uint32_t> ids;
    gz_device_array<unsigned char> sort_bytes;
    gz_device_array<double> spread;
    gz_pinned_array<double> host_spread;
    gz_device_array<gz_binary_node> nodes;
    gz_device_array<uint32_t> parents, visits;
};

/* The boxes of one kind, swept over the step in double: vertices and then faces, or edges. How many. */
uint32_t gz_compare_boxes(gz_device_scene &s, gz_device_compare &c, const gz_device_step &step, graze_kind kind,
                          gz_device_error &error);

/* Both list the pairs of a kind, by code. */
bool gz_compare_stq(gz_device_scene &s, gz_device_compare &c, const gz_device_step &step, graze_kind kind,
                    gz_device_list<unsigned long long> listed, gz_device_error &error);
bool gz_compare_lbvh(gz_device_scene &s, gz_device_compare &c, const gz_device_step &step, graze_kind kind,
                     gz_device_list<unsigned long long> listed, gz_device_error &error);

void gz_compare_release(gz_device_compare &c);

#endif
