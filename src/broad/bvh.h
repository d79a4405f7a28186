/* A flat tree of boxes: primitives in the order of a space-filling curve, eight to a block, eight blocks to a block
   of the level above. No pointers: child i of block k is block 8k + i one level down. */
#ifndef GZ_BROAD_BVH_H
#define GZ_BROAD_BVH_H

#include "broad/blocks.h"
#include "broad/broad.h"

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

typedef struct gz_bvh_job {
    const gz_broad_call *call;
    gz_tree a, b; /* self: the same */
} gz_bvh_job;

/* Blocks [begin, end) of level 0 of tree a against tree b; self: against itself and those after it. */
typedef void gz_bvh_kernel(const gz_bvh_job *job, size_t begin, size_t end, gz_emitter *emitter);
gz_bvh_kernel gz_bvh_scalar, gz_bvh_avx2, gz_bvh_avx512, gz_bvh_neon;
gz_bvh_kernel *gz_bvh_kernel_for(graze_isa isa);

/* Places of eight cells along Hilbert's curve through a cube of 2^bits cells on each axis, bits in [1, 21]. */
typedef void gz_curve_kernel(uint32_t cells[3][GZ_BLOCK], int bits, uint64_t keys[GZ_BLOCK]);
gz_curve_kernel gz_curve_scalar, gz_curve_avx2, gz_curve_avx512, gz_curve_neon;

/* Primitives: how many vertices each has, and which; NULL: primitive i is vertex i. */
typedef struct gz_vertex_lists {
    const uint32_t *vertices;
    int each;
} gz_vertex_lists;

gz_vertex_lists gz_vertex_lists_for(const graze_mesh *mesh, graze_kind kind, bool second);

/* False when there is no memory. Uses slots A to D for its work and the two named ones for the tree. */
bool gz_tree_build(graze_context *context, gz_workspace *workspace, const gz_set *set, gz_vertex_lists lists,
                   gz_slot blocks_slot, gz_slot leaves_slot, gz_tree *tree);

/* Keeps the order and takes new boxes: each primitive's is the hull of its vertices'. */
void gz_tree_refit(graze_context *context, gz_tree *tree, const gz_box *vertices);

#endif
