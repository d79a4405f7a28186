/* The input of the kernels of parting.h: no context, so that a device can use it too. */
#ifndef GZ_PAIR_PARTING_JOB_H
#define GZ_PAIR_PARTING_JOB_H

#include "pair/source.h"

/* Pairs that a block is cut into for the kernels. */
#define GZ_PARTING_BLOCK 64

/* Pairs of one kind, vertex and face or edge and edge, by the rows of their queries; no radii. */
typedef struct gz_parting_job {
    graze_kind kind;
    const gz_positions *positions;
    double separation, t_max;
    const uint32_t (*ids)[4];
    size_t count;
} gz_parting_job;

/* Closest points of such pairs. */
typedef struct gz_closest_block {
    double distance[GZ_PARTING_BLOCK]; /* −1 where the pair is left to plain code: then the others say nothing */
    double weight[4][GZ_PARTING_BLOCK];
    double vector[3][GZ_PARTING_BLOCK];
} gz_closest_block;

typedef enum gz_parting { GZ_NOT_PARTED, GZ_PARTED, GZ_PARTING_LEFT } gz_parting;

#endif
