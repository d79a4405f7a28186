/* Splits the larger node, and sorts what is left of its block by distance. */
#include "articulated/wide/descent.h"

#include "articulated/wide/children.h"

void gz_close_stack_open(gz_close_stack *stack, const gz_link_view *view, uint32_t a, uint32_t b) {
    double sweep;
    stack->count = 0;
    if (gz_view_apart(view, &view->a->tree.nodes[a], &view->b->tree.nodes[b], &sweep)) return;
    stack->items[stack->count++] = (gz_close_nodes){a, b, sweep};
}

/* Places of the bits, the farthest first. */
static int sort_places(unsigned close, const double *squared, int places[GZ_BLOCK_NODES]) {
    int count = 0;
    for (int place = 0; close; place++, close >>= 1) {
        if (!(close & 1)) continue;
        int at = count++;
        for (; at > 0 && squared[places[at - 1]] < squared[place]; at--) places[at] = places[at - 1];
        places[at] = place;
    }
    return count;
}

uint32_t gz_push_close(gz_close_stack *stack, const gz_link_view *view, gz_close_nodes at) {
    const gz_face_tree *a = &view->a->tree, *b = &view->b->tree;
    const gz_face_node *x = &a->nodes[at.a], *y = &b->nodes[at.b];
    bool split_a = !gz_face_node_is_leaf(x) && (gz_face_node_is_leaf(y) || gz_node_size(x) > gz_node_size(y));
    const gz_face_block *block = split_a ? &a->blocks[x->face] : &b->blocks[y->face];
    gz_children children;
    int places[GZ_BLOCK_NODES];
    unsigned close = view->children(&view->lanes, split_a ? y : x, block, split_a, &children);
    int count = sort_places(close, children.squared, places);
    for (int i = 0; i < count; i++) {
        uint32_t node = block->node[places[i]];
        stack->items[stack->count++] =
            (gz_close_nodes){split_a ? node : at.a, split_a ? at.b : node, children.sweep[places[i]]};
    }
    return block->count;
}
