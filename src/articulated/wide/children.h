/* Findings of one look at a node and a block. */
#ifndef GZ_ARTICULATED_WIDE_CHILDREN_H
#define GZ_ARTICULATED_WIDE_CHILDREN_H

#include "articulated/wide/block.h"

/* For each node of a block that is not apart from the other node; of those that are it says nothing. */
typedef struct gz_children {
    double sweep[GZ_BLOCK_NODES];   /* half of how far the center of a's node may move */
    double squared[GZ_BLOCK_NODES]; /* distance of the centers, about */
} gz_children;

#endif
