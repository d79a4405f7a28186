#include "world/near_faces.h"

#include "articulated/world/columns.h"

#define STACK 128 /* two trees, each of depth 33 at most */

typedef struct node_pair {
    uint32_t a, b;
} node_pair;

typedef struct descent {
    const gz_kernels *kernels;
    const gz_mover *a, *b;
    gz_frame_model frame; /* of a, seen from b */
    gz_link_view view;
    gz_projection guide; /* the direction that nodes are tested along, too: it tells most faces apart */
    bool guided;
    double contact, closest; /* closest: distance of the faces whose direction that is */
    node_pair stack[STACK];
    int count;
} descent;

static gz_triangle triangle_of(const gz_mover *mover, uint32_t face) {
    const uint32_t *v = mover->unit->mesh.faces[face];
    const double(*x)[3] = mover->unit->rest;
    return (gz_triangle){{gz_vec3_of(x[v[0]]), gz_vec3_of(x[v[1]]), gz_vec3_of(x[v[2]])}};
}

/* Half-way through the span. */
static gz_triangle moved(const gz_frame_model *frame, const gz_triangle *local) {
    gz_triangle at;
    for (int k = 0; k < 3; k++) at.x[k] = gz_link_point_at(frame, local->x[k], 0);
    return at;
}

static void set_guide(descent *d, const gz_projection *guide) {
    d->guide = *guide;
    d->guided = true;
    gz_view_choose(&d->view, guide->n);
}

/* From the middle of one tree to that of the other. */
static void choose_first(descent *d) {
    gz_projection p;
    gz_vec3 a = gz_link_point_at(&d->frame, gz_vec3_of(d->a->unit->nodes->center), 0);
    gz_vec3 n = gz_vec3_sub(a, gz_vec3_of(d->b->unit->nodes->center));
    if (!(gz_vec3_norm(n) > 0)) return;
    gz_project(&d->frame, d->view.extent_a, d->view.extent_b, n.c, d->contact, &p);
    set_guide(d, &p);
}

/* ---- all of both at once ---- */

/* Bernstein coefficients on [−1, 1]. */
static void bernstein(const double c[4], double b[4]) {
    b[0] = (c[0] + c[2]) - (c[1] + c[3]);
    b[1] = (c[0] - c[2] / 3) - (c[1] / 3 - c[3]);
    b[2] = (c[0] - c[2] / 3) + (c[1] / 3 - c[3]);
    b[3] = (c[0] + c[2]) + (c[1] + c[3]);
}

/* One direction for all vertices: bodies that are round need no more. */
static bool all_apart(const descent *d) {
    const gz_unit *a = d->a->unit, *b = d->b->unit;
    double t[4], turn[3][4], low[4];
    if (!d->guided) return false;
    bernstein(d->guide.t, t);
    for (int j = 0; j < 3; j++) bernstein(d->guide.x[j], turn[j]);
    double high = d->kernels->highest(b->columns, gz_column_of(b->mesh.vertex_count), d->guide.n);
    double least = high + (d->guide.margin + d->guide.reach);
    d->kernels->lowest(a->columns, gz_column_of(a->mesh.vertex_count), t, (const double(*)[4])turn, low);
    return low[0] > least && low[1] > least && low[2] > least && low[3] > least;
}

/* ---- nodes and faces ---- */

/* True if the guide, or the direction of their closest points, keeps the faces apart; that of the nearest ones is the
   next guide. */
static bool are_apart(descent *d, uint32_t face_a, uint32_t face_b) {
    gz_triangle local = triangle_of(d->a, face_a), b = triangle_of(d->b, face_b);
    if (d->guided && gz_faces_apart(&d->guide, &local, &b, -1, 1)) return true;
    gz_triangle a = moved(&d->frame, &local);
    gz_face_gap gap = gz_gap_of_faces(&a, &b);
    gz_projection p;
    double distance = gz_vec3_norm(gz_vec3_sub(gap.a, gap.b));
    gz_project(&d->frame, d->view.extent_a, d->view.extent_b, gap.n.c, d->contact, &p);
    bool apart = gz_faces_apart(&p, &local, &b, -1, 1);
    if (apart && distance < d->closest) {
        d->closest = distance;
        set_guide(d, &p);
    }
    return apart;
}

/* The larger of two nodes is opened. */
static void push_children(descent *d, node_pair at) {
    const gz_face_node *x = &d->a->unit->nodes[at.a], *y = &d->b->unit->nodes[at.b];
    double size_a = x->half[0] + x->half[1] + x->half[2], size_b = y->half[0] + y->half[1] + y->half[2];
    bool open_a = gz_face_node_is_leaf(y) || (!gz_face_node_is_leaf(x) && size_a >= size_b);
    d->stack[d->count++] = open_a ? (node_pair){x->right, at.b} : (node_pair){at.a, y->right};
    d->stack[d->count++] = open_a ? (node_pair){at.a + 1, at.b} : (node_pair){at.a, at.b + 1};
}

static void go_down(descent *d, gz_near_face *take, void *user) {
    while (d->count) {
        node_pair at = d->stack[--d->count];
        const gz_face_node *x = &d->a->unit->nodes[at.a], *y = &d->b->unit->nodes[at.b];
        double sweep;
        if (gz_view_apart(&d->view, x, y, &sweep)) continue;
        if (!gz_face_node_is_leaf(x) || !gz_face_node_is_leaf(y))
            push_children(d, at);
        else if (!are_apart(d, x->face, y->face) && !take(user, x->face, y->face))
            return;
    }
}

#define COARSE 0.125 /* part of the smaller body's size */

/* The middle of a, seen from b, from one end of the span to the other, at first order. */
static bool moves_far(const descent *d) {
    const double *x = d->a->unit->nodes->center;
    double way[3];
    for (int i = 0; i < 3; i++) {
        const double *row = d->frame.c[1][i];
        way[i] = 2 * (row[0] * x[0] + row[1] * x[1] + row[2] * x[2] + row[3]);
    }
    double most = COARSE * (d->a->size < d->b->size ? d->a->size : d->b->size);
    return way[0] * way[0] + way[1] * way[1] + way[2] * way[2] > most * most;
}

gz_over_span gz_near_faces(const gz_movers *movers, const gz_mover *a, const gz_mover *b, double contact,
                           gz_near_face *take, void *user, bool halves) {
    const gz_kernels *kernels = movers->context->kernels;
    descent d = {.kernels = kernels, .a = a, .b = b, .contact = contact, .closest = INFINITY, .count = 1};
    gz_frame_seen_from(kernels, &a->frame, &b->frame, false, &d.frame);
    gz_view_make(&d.view, kernels, a->unit->nodes, b->unit->nodes, &d.frame, contact, false);
    choose_first(&d);
    if (all_apart(&d)) return GZ_SPAN_APART;
    if (halves && moves_far(&d)) return GZ_SPAN_COARSE;
    if (take) go_down(&d, take, user);
    return GZ_SPAN_NEAR;
}
