/* The triangles of a link in a tree of boxes, in the link's own frame. */
#ifndef GZ_ARTICULATED_FACE_TREE_H
#define GZ_ARTICULATED_FACE_TREE_H

#include "articulated/wide/block.h"

#include "base/context.h"

/* A node's left child follows it; a leaf has one triangle. */
typedef struct gz_face_node {
    double center[3], half[3]; /* the box holds every vertex below it, rounding included */
    uint32_t right;            /* 0: a leaf */
    uint32_t face;             /* of a leaf; its block, of another node that is in one, or is the root */
} gz_face_node;

typedef struct gz_face_tree {
    gz_face_node *nodes; /* nodes[0] is the root; NULL for no triangles */
    uint32_t count;
    gz_face_block *blocks; /* NULL for one triangle or none, and for a tree without them */
    uint32_t block_count;
} gz_face_tree;

graze_status gz_face_tree_build(graze_context *context, const double (*vertices)[3], const uint32_t (*faces)[3],
                                uint32_t face_count, gz_face_tree *tree);
/* Without blocks. */
graze_status gz_face_tree_build_plain(graze_context *context, const double (*vertices)[3], const uint32_t (*faces)[3],
                                      uint32_t face_count, gz_face_tree *tree);
void gz_face_tree_release(graze_context *context, gz_face_tree *tree);

static inline bool gz_face_node_is_leaf(const gz_face_node *node) { return node->right == 0; }

/* Half of a node's longest side. */
static inline double gz_node_size(const gz_face_node *node) {
    double last = node->half[1] > node->half[2] ? node->half[1] : node->half[2];
    return node->half[0] > last ? node->half[0] : last;
}

#endif
