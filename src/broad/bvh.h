/* Pairs of boxes from flat trees. */
#ifndef GZ_BROAD_BVH_H
#define GZ_BROAD_BVH_H

#include "broad/broad.h"
#include "broad/tree.h"

typedef struct gz_bvh_job {
    const gz_broad_call *call;
    gz_tree a, b;        /* self: the same */
    const gz_box *exact; /* NULL, or the boxes of the vertices: then only pairs that meet in double are given */
    /* 0, or pairs of edges that a direction across the first of them tells apart, by this times the sum of its
       |components| and twice their size, are left out: docs/numerics.md, section 4.15 */
    float beside;
} gz_bvh_job;

#endif
