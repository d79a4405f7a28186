/* Links and nodes that are apart along a direction; docs/numerics.md, section 9.5. */
#include "articulated/projection.h"

#include "motion/rounding.h"

#include <math.h>

static void root_extent(const gz_face_node *root, double extent[3]) {
    for (int c = 0; c < 3; c++) extent[c] = gz_extent_of(root->center[c], root->half[c]);
}

void gz_link_extent(const gz_link *link, double extent[3]) { root_extent(link->tree.nodes, extent); }

/* Upper bound of |x0 + x1·s + x2·s² + x3·s³|, but for rounding, which the margin holds. */
static double most(const double x[4]) { return fabs(x[0] + 0.5 * x[2]) + (fabs(x[1]) + 0.5 * fabs(x[2]) + fabs(x[3])); }

void gz_project_axis(const gz_frame_model *frame, const double extent_a[3], double extent_b, int axis, double contact,
                     gz_projection *p) {
    const double *n = frame->n[axis], *r = frame->r[axis];
    double size = n[3] + extent_b, rest = r[3];
    p->n[0] = p->n[1] = p->n[2] = 0;
    p->n[axis] = 1;
    for (int k = 0; k < 4; k++) p->t[k] = frame->c[k][axis][3];
    for (int j = 0; j < 3; j++) {
        for (int k = 0; k < 4; k++) p->x[j][k] = frame->c[k][axis][j];
        size += n[j] * extent_a[j];
        rest += r[j] * extent_a[j];
        p->spread[j] = most(p->x[j]);
    }
    p->rounding = GZ_PROJECTION_SLACK * size + GZ_TAYLOR_TINY;
    p->margin = (rest + p->rounding) * GZ_TAYLOR_UP;
    p->reach = contact > 0 ? contact * GZ_TAYLOR_UP : 0;
}

void gz_project(const gz_frame_model *frame, const double extent_a[3], const double extent_b[3], const double n[3],
                double contact, gz_projection *p) {
    double sizes = 0, remainder = 0;
    *p = (gz_projection){.n = {n[0], n[1], n[2]}};
    for (int i = 0; i < 3; i++) {
        if (n[i] == 0) continue;
        double size = frame->n[i][3] + extent_b[i], rest = frame->r[i][3];
        for (int k = 0; k < 4; k++) p->t[k] += n[i] * frame->c[k][i][3];
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 4; k++) p->x[j][k] += n[i] * frame->c[k][i][j];
            size += frame->n[i][j] * extent_a[j];
            rest += frame->r[i][j] * extent_a[j];
        }
        sizes += fabs(n[i]) * size;
        remainder += fabs(n[i]) * rest;
    }
    for (int j = 0; j < 3; j++) p->spread[j] = most(p->x[j]);
    p->rounding = GZ_PROJECTION_SLACK * sizes + GZ_TAYLOR_TINY;
    p->margin = (remainder + p->rounding) * GZ_TAYLOR_UP;
    p->reach = contact > 0 ? contact * gz_length(n) * GZ_TAYLOR_UP : 0;
}

/* Side by side with the others. */
static void put_in_lane(gz_link_view *view, int i) {
    const gz_projection *p = &view->along[i];
    gz_view_lanes *lanes = &view->lanes;
    for (int j = 0; j < 3; j++) {
        lanes->n[j][i] = p->n[j];
        lanes->spread[j][i] = p->spread[j];
        for (int k = 0; k < 4; k++) lanes->x[j][k][i] = p->x[j][k];
    }
    for (int k = 0; k < 4; k++) lanes->t[k][i] = p->t[k];
    lanes->margin[i] = p->margin;
    lanes->reach[i] = p->reach;
}

static void set_direction(gz_link_view *view, int i, const double n[3]) {
    gz_project(view->frame, view->extent_a, view->extent_b, n, view->contact, &view->along[i]);
    put_in_lane(view, i);
}

static void clear_direction(gz_view_lanes *lanes, int i) {
    for (int j = 0; j < 3; j++) {
        lanes->n[j][i] = lanes->spread[j][i] = 0;
        for (int k = 0; k < 4; k++) lanes->x[j][k][i] = 0;
    }
    for (int k = 0; k < 4; k++) lanes->t[k][i] = 0;
    lanes->margin[i] = INFINITY;
    lanes->reach[i] = 0;
}

void gz_view_make(gz_link_view *view, const gz_kernels *kernels, const gz_face_node *root_a, const gz_face_node *root_b,
                  const gz_frame_model *frame, double contact, bool still) {
    view->frame = frame;
    view->contact = contact;
    view->apart = still ? kernels->apart_still : kernels->apart;
    view->children = still ? kernels->children_still : kernels->children;
    root_extent(root_a, view->extent_a);
    root_extent(root_b, view->extent_b);
    for (int i = 0; i < 3; i++) {
        gz_project_axis(frame, view->extent_a, view->extent_b[i], i, contact, &view->along[i]);
        put_in_lane(view, i);
    }
    for (int j = 0; j < 3; j++) {
        double n[3] = {frame->c[0][0][j], frame->c[0][1][j], frame->c[0][2][j]};
        set_direction(view, GZ_VIEW_AXES + j, n);
    }
    clear_direction(&view->lanes, GZ_VIEW_CHOICE);
    clear_direction(&view->lanes, GZ_VIEW_AXES + 3);
}

void gz_view_open(gz_link_view *view, const gz_scene *scene, uint32_t a, uint32_t b, const gz_frame_model *frame,
                  double contact, bool still) {
    view->a = gz_scene_at(scene, a)->link;
    view->b = gz_scene_at(scene, b)->link;
    gz_view_make(view, scene->context->kernels, view->a->tree.nodes, view->b->tree.nodes, frame, contact, still);
}

void gz_view_choose(gz_link_view *view, const double n[3]) { set_direction(view, GZ_VIEW_CHOICE, n); }

double gz_view_blur(const gz_link_view *view) {
    const gz_projection *p = view->along;
    return fmax(p[0].margin - p[0].rounding, fmax(p[1].margin - p[1].rounding, p[2].margin - p[2].rounding));
}

double gz_node_interval(const gz_projection *p, const gz_face_node *a, double *half, double *sweep) {
    double c[4];
    for (int k = 0; k < 4; k++)
        c[k] = p->t[k] + (p->x[0][k] * a->center[0] + p->x[1][k] * a->center[1] + p->x[2][k] * a->center[2]);
    *sweep = fabs(c[1]) + 0.5 * fabs(c[2]) + fabs(c[3]);
    *half = *sweep + (p->spread[0] * a->half[0] + p->spread[1] * a->half[1] + p->spread[2] * a->half[2]);
    return c[0] + 0.5 * c[2];
}

bool gz_view_apart(const gz_link_view *view, const gz_face_node *a, const gz_face_node *b, double *sweep) {
    return view->apart(&view->lanes, a, b, sweep);
}
