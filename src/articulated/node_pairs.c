/* The way down two trees: which node is split, and which child comes first. */
#include "articulated/node_pairs.h"

static double larger(double a, double b) { return a > b ? a : b; }

double gz_node_size(const gz_face_node *node) { return larger(node->half[0], larger(node->half[1], node->half[2])); }

/* Where the middle of a node of link a is, halfway through the window; squared distance from a node of b. */
static double centre_distance(const gz_link_view *view, const gz_face_node *x, const gz_face_node *y) {
    double squared = 0;
    for (int i = 0; i < 3; i++) {
        const gz_projection *p = &view->along[i];
        double at = p->t[0] + (p->x[0][0] * x->center[0] + p->x[1][0] * x->center[1] + p->x[2][0] * x->center[2]);
        squared += (at - y->center[i]) * (at - y->center[i]);
    }
    return squared;
}

void gz_push_children(gz_node_stack *stack, const gz_link_view *view, gz_front_item at) {
    const gz_face_node *a = view->a->tree.nodes, *b = view->b->tree.nodes, *x = &a[at.a], *y = &b[at.b];
    bool split_a = !gz_face_node_is_leaf(x) && (gz_face_node_is_leaf(y) || gz_node_size(x) > gz_node_size(y));
    gz_front_item near = at, far = at;
    if (split_a) {
        near.a = at.a + 1;
        far.a = x->right;
    } else {
        near.b = at.b + 1;
        far.b = y->right;
    }
    bool swap = centre_distance(view, &a[far.a], &b[far.b]) < centre_distance(view, &a[near.a], &b[near.b]);
    stack->items[stack->count++] = swap ? near : far;
    stack->items[stack->count++] = swap ? far : near;
}
