/* Pairs of nodes of two links' trees on the way down. */
#ifndef GZ_ARTICULATED_NODE_PAIRS_H
#define GZ_ARTICULATED_NODE_PAIRS_H

#include "articulated/projection.h"

/* Two nodes of a pair of links. */
typedef struct gz_front_item {
    uint32_t pair, a, b;
} gz_front_item;

/* Two trees of depth 33 at most, and room. */
typedef struct gz_node_stack {
    gz_front_item items[160];
    int count;
} gz_node_stack;

/* One pair on it; the rest is left as it is. */
static inline void gz_node_stack_open(gz_node_stack *stack, gz_front_item first) {
    stack->items[0] = first;
    stack->count = 1;
}

#endif
