/* The way down two trees: which node is split, and which child comes first. */
#include "articulated/node_pairs.h"

#include "numerics/vec3.h"

/* Where the middle of a node of link a is, halfway through the window. */
static gz_vec3 centre_of(const gz_link_view *view, const gz_face_node *x) {
    gz_vec3 at;
    for (int i = 0; i < 3; i++) {
        const double *row = view->frame->c[0][i];
        at.c[i] = row[3] + (row[0] * x->center[0] + row[1] * x->center[1] + row[2] * x->center[2]);
    }
    return at;
}

static double squared_distance(gz_vec3 at, const gz_face_node *y) {
    gz_vec3 d = gz_vec3_sub(at, gz_vec3_of(y->center));
    return gz_vec3_dot(d, d);
}

void gz_push_children(gz_node_stack *stack, const gz_link_view *view, gz_front_item at) {
    const gz_face_node *a = view->a->tree.nodes, *b = view->b->tree.nodes, *x = &a[at.a], *y = &b[at.b];
    bool split_a = !gz_face_node_is_leaf(x) && (gz_face_node_is_leaf(y) || gz_node_size(x) > gz_node_size(y));
    gz_front_item near = at, far = at;
    bool swap;
    if (split_a) {
        near.a = at.a + 1;
        far.a = x->right;
        swap = squared_distance(centre_of(view, &a[far.a]), y) < squared_distance(centre_of(view, &a[near.a]), y);
    } else {
        near.b = at.b + 1;
        far.b = y->right;
        gz_vec3 centre = centre_of(view, x);
        swap = squared_distance(centre, &b[far.b]) < squared_distance(centre, &b[near.b]);
    }
    stack->items[stack->count++] = swap ? near : far;
    stack->items[stack->count++] = swap ? far : near;
}
