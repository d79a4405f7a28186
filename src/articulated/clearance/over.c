/* One walk down both trees, along the axes of both links and the guide; docs/numerics.md, section 9.13. */
#include "articulated/clearance/over.h"

#include "articulated/node_pairs.h"

#include <math.h>

#define NODE_SWEEP 2.0 /* nodes that move more than this many times their size want a shorter window */

typedef struct walk {
    gz_frame_model frame;
    gz_link_view view;
    gz_guide guide;
    gz_node_stack stack;
    uint64_t *checks;
} walk;

static bool apart_along(const walk *w, gz_faces faces, const gz_projection *p) {
    gz_triangle a = gz_triangle_of(w->view.a, faces.a), b = gz_triangle_of(w->view.b, faces.b);
    return gz_faces_apart(p, &a, &b, -1, 1);
}

/* Along the guide, or the line through their closest points in the middle of the window. */
static bool faces_apart(const walk *w, gz_faces faces) {
    gz_projection p;
    if (w->guide.set && apart_along(w, faces, &w->view.along[GZ_VIEW_CHOICE])) return true;
    gz_triangle a = gz_triangle_at(&w->frame, w->view.a, faces.a, 0), b = gz_triangle_of(w->view.b, faces.b);
    gz_face_gap gap = gz_gap_of_faces(&a, &b);
    gz_project(&w->frame, w->view.extent_a, w->view.extent_b, gap.n.c, w->view.contact, &p);
    return apart_along(w, faces, &p);
}

static void push(walk *w, uint32_t a, uint32_t b) {
    w->stack.items[w->stack.count++] = (gz_front_item){.a = a, .b = b};
}

/* The larger node gives way to its children. */
static void push_children(walk *w, gz_front_item at) {
    const gz_face_node *x = &w->view.a->tree.nodes[at.a], *y = &w->view.b->tree.nodes[at.b];
    bool split_a = !gz_face_node_is_leaf(x) && (gz_face_node_is_leaf(y) || gz_node_size(x) > gz_node_size(y));
    push(w, split_a ? at.a + 1 : at.a, split_a ? at.b : at.b + 1);
    push(w, split_a ? x->right : at.a, split_a ? at.b : y->right);
}

/* False: the window is too long, or the nodes come too close. */
static bool look_at(walk *w, gz_front_item at) {
    const gz_face_node *x = &w->view.a->tree.nodes[at.a], *y = &w->view.b->tree.nodes[at.b];
    double sweep;
    ++*w->checks;
    if (gz_view_apart(&w->view, x, y, &sweep)) return true;
    if (gz_face_node_is_leaf(x) && gz_face_node_is_leaf(y)) return faces_apart(w, (gz_faces){x->face, y->face});
    if (sweep > NODE_SWEEP * fmax(gz_node_size(x), gz_node_size(y))) return false;
    push_children(w, at);
    return true;
}

bool gz_apart_over(gz_frames *frames, const gz_link_pair *pair, double beyond, gz_guide guide, uint64_t *checks) {
    walk w;
    w.guide = guide;
    w.checks = checks;
    *checks += 16; /* for the window */
    gz_frames_relative(frames, pair->a, pair->b, &w.frame);
    gz_view_open(&w.view, frames->scene, pair->a, pair->b, &w.frame, (pair->contact + beyond) * GZ_REACH_UP,
                 frames->window.h == 0);
    if (guide.set) gz_view_choose(&w.view, guide.n.c);
    gz_node_stack_open(&w.stack, (gz_front_item){0});
    while (w.stack.count)
        if (!look_at(&w, w.stack.items[--w.stack.count])) return false;
    return true;
}
