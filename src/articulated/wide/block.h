/* The tree of a link's triangles as a wide one: eight nodes side by side, three levels below the one they are of. */
#ifndef GZ_ARTICULATED_WIDE_BLOCK_H
#define GZ_ARTICULATED_WIDE_BLOCK_H

#include "base/context.h"

struct gz_face_tree;

enum { GZ_BLOCK_NODES = 8, GZ_BLOCK_LEVELS = 3 };

/* Places from `count` on repeat the first node. */
typedef struct gz_face_block {
    double center[3][GZ_BLOCK_NODES], half[3][GZ_BLOCK_NODES];
    uint32_t node[GZ_BLOCK_NODES], count;
} gz_face_block;

/* Blocks of the root and of all nodes in blocks that are no leaves; `face` of such a node becomes the number of its
   block. */
graze_status gz_face_blocks_build(graze_context *context, struct gz_face_tree *tree);

#endif
