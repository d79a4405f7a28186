/* A flat tree of boxes: primitives in the order of a space-filling curve, eight to a block, eight blocks to a block
   of the level above. No pointers: child i of block k is block 8k + i one level down. */
#ifndef GZ_BROAD_TREE_H
#define GZ_BROAD_TREE_H

#include "broad/blocks.h"
#include "broad/workspace.h"

#define GZ_TREE_LEVELS 12 /* 8^12 > 2^31, with a level of one block on top */

/* What a block of level 0 stands for. Lanes that are not used repeat the first: their boxes meet nothing. */
typedef struct gz_leaf {
    uint32_t ids[GZ_BLOCK];
    uint32_t vertices[3][GZ_BLOCK]; /* of each primitive, as many rows as its kind has */
    gz_box bounds;
} gz_leaf;

typedef struct gz_tree {
    gz_block *level[GZ_TREE_LEVELS]; /* level 0: the primitives; lane i of block k on level n + 1 bounds block 8k + i */
    uint32_t blocks[GZ_TREE_LEVELS];
    int top; /* the level that has one block, never 0 */
    gz_leaf *leaves;
    uint32_t count;
    int each; /* vertices that a primitive has */
} gz_tree;

/* Primitives: how many vertices each has, and which; NULL: primitive i is vertex i. */
typedef struct gz_vertex_lists {
    const uint32_t *vertices;
    int each;
} gz_vertex_lists;

gz_vertex_lists gz_vertex_lists_for(const graze_mesh *mesh, graze_kind kind, bool second);

typedef struct gz_tree_input {
    const gz_box *vertices; /* a primitive's box is the hull of its vertices' */
    const uint32_t *rank;   /* of the vertices, gz_vertex_rank */
    uint32_t vertex_count;
    gz_vertex_lists lists;
    const uint32_t *ids; /* of the primitives in the tree; NULL: all */
    uint32_t count;
} gz_tree_input;

/* False when there is no memory. Uses slots A to C for its work and the two named ones for the tree. */
bool gz_tree_build(graze_context *context, gz_workspace *workspace, const gz_tree_input *input, gz_slot blocks_slot,
                   gz_slot leaves_slot, gz_tree *tree);

/* Keeps the order and takes new boxes. */
void gz_tree_refit(graze_context *context, gz_tree *tree, const gz_box *vertices);

#endif
