/* The way down two wide trees. */
#ifndef GZ_ARTICULATED_WIDE_DESCENT_H
#define GZ_ARTICULATED_WIDE_DESCENT_H

#include "articulated/node_pairs.h"

/* Two nodes that no direction of the view proves apart, and half of how far the center of the first may move. */
typedef struct gz_close_nodes {
    uint32_t a, b;
    double sweep;
} gz_close_nodes;

/* Two trees of 11 levels at most, eight nodes a block. */
typedef struct gz_close_stack {
    gz_close_nodes items[160];
    int count;
} gz_close_stack;

/* Two nodes on it, unless they are apart. */
void gz_close_stack_open(gz_close_stack *stack, const gz_link_view *view, uint32_t a, uint32_t b);

/* The larger of two nodes, not both leaves, is replaced by those of its block: the ones that are not apart from the
   other node go on the stack, the nearest on top. Returns how many were looked at. */
uint32_t gz_push_close(gz_close_stack *stack, const gz_link_view *view, gz_close_nodes at);

#endif
