/* Gathers the nodes of each block from the tree of two children. */
#include "articulated/wide/block.h"

#include "articulated/face_tree.h"

static void put(gz_face_block *block, uint32_t place, const gz_face_node *node) {
    for (int c = 0; c < 3; c++) {
        block->center[c][place] = node->center[c];
        block->half[c][place] = node->half[c];
    }
}

static void add_below(const gz_face_node *nodes, uint32_t at, int levels, gz_face_block *block) {
    if (levels > 0 && !gz_face_node_is_leaf(&nodes[at])) {
        add_below(nodes, at + 1, levels - 1, block);
        add_below(nodes, nodes[at].right, levels - 1, block);
        return;
    }
    put(block, block->count, &nodes[at]);
    block->node[block->count++] = at;
}

static gz_face_block block_of(const gz_face_node *nodes, uint32_t at) {
    gz_face_block block = {.count = 0};
    add_below(nodes, at, GZ_BLOCK_LEVELS, &block);
    for (uint32_t i = block.count; i < GZ_BLOCK_NODES; i++) put(&block, i, &nodes[block.node[0]]);
    return block;
}

static uint32_t count_blocks(const gz_face_node *nodes, uint32_t at) {
    if (gz_face_node_is_leaf(&nodes[at])) return 0;
    gz_face_block block = block_of(nodes, at);
    uint32_t count = 1;
    for (uint32_t i = 0; i < block.count; i++) count += count_blocks(nodes, block.node[i]);
    return count;
}

static void fill(gz_face_tree *tree, uint32_t at) {
    if (gz_face_node_is_leaf(&tree->nodes[at])) return;
    gz_face_block *block = &tree->blocks[tree->nodes[at].face = tree->block_count++];
    *block = block_of(tree->nodes, at);
    for (uint32_t i = 0; i < block->count; i++) fill(tree, block->node[i]);
}

graze_status gz_face_blocks_build(graze_context *context, gz_face_tree *tree) {
    uint32_t count = count_blocks(tree->nodes, 0);
    tree->block_count = 0;
    tree->blocks = NULL;
    if (count == 0) return GRAZE_OK;
    tree->blocks = gz_allocate_array(context, count, sizeof *tree->blocks);
    if (!tree->blocks) return GRAZE_ERR_OUT_OF_MEMORY;
    fill(tree, 0);
    return GRAZE_OK;
}
