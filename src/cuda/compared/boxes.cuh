/* Shared parts of the two broad phases of compare.cuh. */
#ifndef GZ_CUDA_COMPARED_BOXES_CUH
#define GZ_CUDA_COMPARED_BOXES_CUH

#include "cuda/compared/compared.cuh"
#include "cuda/scene/expand.cuh"
#include "cuda/sort.cuh"

/* Primitives that have boxes: a vertex or a face of VF, an edge of EE. */
struct gz_compare_pair {
    gz_device_step step;
    gz_device_groups groups;
    graze_kind kind;
    uint32_t vertices; /* of VF: boxes from here on are of faces */

    /* Of boxes i and j, in any order, which meet: listed unless they are no pair, share a vertex, or their groups may
       not touch. */
    __device__ void list(uint32_t i, uint32_t j, const gz_device_list<unsigned long long> &listed) const {
        uint32_t a = i < j ? i : j, b = i < j ? j : i, ids[4];
        if (kind == GRAZE_VF) {
            if (a >= vertices || b < vertices) return;
            b -= vertices;
        }
        gz_device_ids(step, kind, a, b, ids);
        int in_a = kind == GRAZE_VF ? 1 : 2;
        for (int k = 0; k < in_a; k++)
            for (int l = in_a; l < 4; l++)
                if (ids[k] == ids[l]) return;
        if (!gz_groups_touch(groups, step.ends[ids[0]].group, step.ends[ids[in_a]].group)) return;
        listed.put(listed.take(1), step.coder.code(kind, a, b));
    }
    /* True if boxes i and j can be a pair at all. */
    __device__ bool match(uint32_t i, uint32_t j) const { return kind != GRAZE_VF || (i < vertices) != (j < vertices); }
};

static inline unsigned gz_blocks(size_t count, unsigned block) { return (unsigned)((count + block - 1) / block); }

static inline gz_compare_pair gz_compare_pair_of(const gz_device_scene &s, const gz_device_step &step,
                                                 graze_kind kind) {
    return {step, s.groups, kind, s.vertex_count};
}

__device__ inline bool gz_boxes_meet_but(const gz_box &a, const gz_box &b, int axis) {
    for (int c = 0; c < 3; c++)
        if (c != axis && (a.lo[c] > b.hi[c] || b.lo[c] > a.hi[c])) return false;
    return true;
}

/* A double as an integer that orders as it does. */
__device__ inline unsigned long long gz_ordered_bits(double x) {
    unsigned long long bits = (unsigned long long)__double_as_longlong(x + 0.0); /* one zero */
    return bits >> 63 ? ~bits : bits | 1ull << 63;
}

#endif
