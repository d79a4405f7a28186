/* The octree of one block of space: cubes are split until a link is never in them, or they are small. */
#ifndef GZ_ARTICULATED_SWEPT_OCTREE_H
#define GZ_ARTICULATED_SWEPT_OCTREE_H

#include "articulated/swept/sweep.h"
#include "graze/swept.h"

/* A node of the link's tree over a window. */
typedef struct gz_sweep_item {
    uint32_t window, node;
} gz_sweep_item;

typedef struct gz_octree {
    graze_context *context;
    const gz_sweep *sweep;
    double least; /* half of the smallest cells */
    size_t most;  /* cells beyond this many are not split */
    graze_swept_cell *cells;
    size_t count, room;
    gz_sweep_item *items; /* of all cells from the block down to this one, one list behind the other */
    size_t item_count, item_room;
    bool whole;
} gz_octree;

/* Adds the leaves of `block`. False: out of memory. */
bool gz_octree_fill(gz_octree *tree, const gz_cube *block);
void gz_octree_close(gz_octree *tree);

#endif
