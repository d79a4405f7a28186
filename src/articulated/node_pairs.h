/* Pairs of nodes of two links' trees on the way down. */
#ifndef GZ_ARTICULATED_NODE_PAIRS_H
#define GZ_ARTICULATED_NODE_PAIRS_H

#include "articulated/view.h"

/* Two nodes of a pair of links. */
typedef struct gz_front_item {
    uint32_t pair, a, b;
} gz_front_item;

/* Two trees of depth 33 at most, and room. */
typedef struct gz_node_stack {
    gz_front_item items[160];
    int count;
} gz_node_stack;

/* Half of a node's longest side. */
double gz_node_size(const gz_face_node *node);

/* The larger of the two nodes of the view is replaced by its children; the one that is nearer to the other node is on
 * top. */
void gz_push_children(gz_node_stack *stack, const gz_link_view *view, gz_front_item at);

#endif
