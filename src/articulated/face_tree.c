/* Builds the tree of a link's triangles: halves of equal count along the widest side. */
#include "articulated/face_tree.h"

#include "base/platform.h"
#include "numerics/error_bounds.h"

#include <math.h>

typedef struct tree_item {
    double center[3];
    uint32_t face;
} tree_item;

typedef struct tree_build {
    const double (*vertices)[3];
    const uint32_t (*faces)[3];
    tree_item *items;
    gz_face_tree *tree;
} tree_build;

static void grow(double lo[3], double hi[3], const double x[3]) {
    for (int c = 0; c < 3; c++) {
        lo[c] = fmin(lo[c], x[c]);
        hi[c] = fmax(hi[c], x[c]);
    }
}

static void set_box(gz_face_node *node, const double lo[3], const double hi[3]) {
    for (int c = 0; c < 3; c++) {
        node->center[c] = 0.5 * lo[c] + 0.5 * hi[c];
        node->half[c] = fmax(hi[c] - node->center[c], node->center[c] - lo[c]) * GZ_TAYLOR_UP + GZ_TAYLOR_TINY;
    }
}

static int widest(const tree_item *items, uint32_t count) {
    double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < count; i++) grow(lo, hi, items[i].center);
    int axis = 0;
    for (int c = 1; c < 3; c++)
        if (hi[c] - lo[c] > hi[axis] - lo[axis]) axis = c;
    return axis;
}

static bool before(const tree_item *a, const tree_item *b, int axis) {
    if (a->center[axis] != b->center[axis]) return a->center[axis] < b->center[axis];
    return a->face < b->face;
}

static void swap_items(tree_item *a, tree_item *b) {
    tree_item t = *a;
    *a = *b;
    *b = t;
}

static uint32_t partition(tree_item *items, uint32_t count, int axis) {
    swap_items(&items[count / 2], &items[count - 1]);
    uint32_t kept = 0;
    for (uint32_t i = 0; i + 1 < count; i++)
        if (before(&items[i], &items[count - 1], axis)) swap_items(&items[kept++], &items[i]);
    swap_items(&items[kept], &items[count - 1]);
    return kept;
}

/* The `wanted` first items along the axis come first. */
static void select_first(tree_item *items, uint32_t count, uint32_t wanted, int axis) {
    while (count > 1) {
        uint32_t pivot = partition(items, count, axis);
        if (pivot == wanted) return;
        if (pivot > wanted) {
            count = pivot;
        } else {
            items += pivot + 1;
            count -= pivot + 1;
            wanted -= pivot + 1;
        }
    }
}

/* Writes the node of these items, all below it, and its box. Depth is at most 33: halves differ by one. */
static void build_node(tree_build *build, tree_item *items, uint32_t count, double lo[3], double hi[3]) {
    gz_face_node *node = &build->tree->nodes[build->tree->count++];
    *node = (gz_face_node){0};
    for (int c = 0; c < 3; c++) {
        lo[c] = INFINITY;
        hi[c] = -INFINITY;
    }
    if (count == 1) {
        node->face = items->face;
        for (int k = 0; k < 3; k++) grow(lo, hi, build->vertices[build->faces[items->face][k]]);
    } else {
        double lo2[3], hi2[3];
        uint32_t half = count / 2;
        select_first(items, count, half, widest(items, count));
        build_node(build, items, half, lo, hi);
        node->right = build->tree->count;
        build_node(build, items + half, count - half, lo2, hi2);
        grow(lo, hi, lo2);
        grow(lo, hi, hi2);
    }
    set_box(node, lo, hi);
}

static void list_items(const tree_build *build, uint32_t face_count) {
    for (uint32_t f = 0; f < face_count; f++) {
        const uint32_t *v = build->faces[f];
        build->items[f].face = f;
        for (int c = 0; c < 3; c++)
            build->items[f].center[c] = build->vertices[v[0]][c] + build->vertices[v[1]][c] + build->vertices[v[2]][c];
    }
}

/* ---- as a wide tree: the nodes of each block, gathered from the tree of two children ---- */

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

/* Blocks of the root and of all nodes in blocks that are no leaves; `face` of such a node becomes the number of its
   block. */
static graze_status build_blocks(graze_context *context, gz_face_tree *tree) {
    uint32_t count = count_blocks(tree->nodes, 0);
    tree->block_count = 0;
    tree->blocks = NULL;
    if (count == 0) return GRAZE_OK;
    tree->blocks = gz_allocate_array(context, count, sizeof *tree->blocks);
    if (!tree->blocks) return GRAZE_ERR_OUT_OF_MEMORY;
    fill(tree, 0);
    return GRAZE_OK;
}

/* ---- */

graze_status gz_face_tree_build_plain(graze_context *context, const double (*vertices)[3], const uint32_t (*faces)[3],
                                      uint32_t face_count, gz_face_tree *tree) {
    *tree = (gz_face_tree){0};
    if (face_count == 0) return GRAZE_OK;
    tree->nodes = gz_allocate_array(context, 2 * (size_t)face_count - 1, sizeof *tree->nodes);
    tree_item *items = gz_allocate_array(context, face_count, sizeof *items);
    graze_status status = tree->nodes && items ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY;
    if (status == GRAZE_OK) {
        tree_build build = {vertices, faces, items, tree};
        list_items(&build, face_count);
        double lo[3], hi[3];
        build_node(&build, items, face_count, lo, hi);
    } else {
        gz_release(context, tree->nodes, (2 * (size_t)face_count - 1) * sizeof *tree->nodes);
        *tree = (gz_face_tree){0};
    }
    gz_release(context, items, face_count * sizeof *items);
    return status;
}

graze_status gz_face_tree_build(graze_context *context, const double (*vertices)[3], const uint32_t (*faces)[3],
                                uint32_t face_count, gz_face_tree *tree) {
    graze_status status = gz_face_tree_build_plain(context, vertices, faces, face_count, tree);
    if (status == GRAZE_OK && face_count > 0) status = build_blocks(context, tree);
    if (status != GRAZE_OK) gz_face_tree_release(context, tree);
    return status;
}

void gz_face_tree_release(graze_context *context, gz_face_tree *tree) {
    gz_release(context, tree->nodes, tree->count * sizeof *tree->nodes);
    gz_release(context, tree->blocks, tree->block_count * sizeof *tree->blocks);
    *tree = (gz_face_tree){0};
}
