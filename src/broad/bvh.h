/* Pairs of boxes from flat trees. */
#ifndef GZ_BROAD_BVH_H
#define GZ_BROAD_BVH_H

#include "broad/broad.h"
#include "broad/tree.h"

typedef struct gz_bvh_job {
    const gz_broad_call *call;
    gz_tree a, b; /* self: the same; with exact boxes: only pairs that meet in double are given */
} gz_bvh_job;

/* Blocks [begin, end) of level 0 of tree a against tree b; self: against itself and those after it. */
typedef void gz_bvh_kernel(const gz_bvh_job *job, size_t begin, size_t end, gz_emitter *emitter);
gz_bvh_kernel gz_bvh_scalar, gz_bvh_avx2, gz_bvh_avx512, gz_bvh_neon;
gz_bvh_kernel *gz_bvh_kernel_for(graze_isa isa);

#endif
