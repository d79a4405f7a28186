/* Goes down one tree along a direction. */
#include "articulated/distance/side.h"

#include <math.h>

static double along(const double n[3], const double x[3]) { return n[0] * x[0] + n[1] * x[1] + n[2] * x[2]; }

static double node_most(const double n[3], const gz_face_node *node) {
    return along(n, node->center) +
           (fabs(n[0]) * node->half[0] + fabs(n[1]) * node->half[1] + fabs(n[2]) * node->half[2]);
}

/* A node that reaches no farther than `most`. */
typedef struct side_node {
    double most;
    uint32_t index;
} side_node;

/* The tree is at most 33 deep. */
typedef struct side_stack {
    side_node nodes[40];
    int count;
} side_stack;

/* The children, the one that reaches farther on top. */
static void push_children(side_stack *stack, const gz_face_node *nodes, const double n[3], uint32_t index) {
    side_node left = {node_most(n, &nodes[index + 1]), index + 1};
    side_node right = {node_most(n, &nodes[nodes[index].right]), nodes[index].right};
    bool swap = left.most < right.most;
    stack->nodes[stack->count++] = swap ? left : right;
    stack->nodes[stack->count++] = swap ? right : left;
}

const double *gz_farthest_vertex(const gz_link *link, const double n[3], const double *guess) {
    const gz_face_node *nodes = link->tree.nodes;
    double most = guess ? along(n, guess) : -INFINITY;
    side_stack stack = {{{INFINITY, 0}}, 1};
    while (stack.count) {
        side_node at = stack.nodes[--stack.count];
        if (!(at.most > most)) continue;
        if (!gz_face_node_is_leaf(&nodes[at.index])) {
            push_children(&stack, nodes, n, at.index);
            continue;
        }
        for (int k = 0; k < 3; k++) {
            const double *x = link->vertices[link->faces[nodes[at.index].face][k]];
            if (!(along(n, x) > most)) continue;
            most = along(n, x);
            guess = x;
        }
    }
    return guess;
}

static double face_most(const gz_link *link, const double n[3], uint32_t face) {
    double most = -INFINITY;
    for (int k = 0; k < 3; k++) {
        double at = along(n, link->vertices[link->faces[face][k]]);
        most = at > most ? at : most;
    }
    return most;
}

bool gz_side_faces(const gz_link *link, const double n[3], double least, gz_side_face *faces, int *count) {
    const gz_face_node *nodes = link->tree.nodes;
    side_stack stack = {{{INFINITY, 0}}, 1};
    *count = 0;
    while (stack.count) {
        side_node at = stack.nodes[--stack.count];
        if (at.most < least) continue;
        if (!gz_face_node_is_leaf(&nodes[at.index])) {
            push_children(&stack, nodes, n, at.index);
            continue;
        }
        uint32_t face = nodes[at.index].face;
        double most = face_most(link, n, face);
        if (most < least) continue;
        if (*count == GZ_SIDE_FACES) return false;
        faces[(*count)++] = (gz_side_face){most, face};
    }
    return true;
}
