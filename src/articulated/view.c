/* Links and nodes that are apart along a direction; docs/numerics.md, section 9.5. */
#include "articulated/view.h"

#include <math.h>

void gz_link_extent(const gz_link *link, double extent[3]) {
    const gz_face_node *root = link->tree.nodes;
    for (int c = 0; c < 3; c++) extent[c] = (fabs(root->center[c]) + root->half[c]) * (1 + 0x1p-40);
}

/* Upper bound of |x0 + x1·s + x2·s² + x3·s³|, but for rounding, which the margin holds. */
static double most(const double x[4]) { return fabs(x[0] + 0.5 * x[2]) + (fabs(x[1]) + 0.5 * fabs(x[2]) + fabs(x[3])); }

void gz_project(const gz_frame_model *frame, const double extent_a[3], const double extent_b[3], const double n[3],
                double contact, gz_projection *p) {
    double sizes = 0, remainder = 0;
    *p = (gz_projection){.n = {n[0], n[1], n[2]}};
    for (int i = 0; i < 3; i++) {
        if (n[i] == 0) continue;
        const gz_taylor *row = frame->m[i];
        double size = row[3].n + extent_b[i], rest = row[3].r;
        for (int k = 0; k < 4; k++) p->t[k] += n[i] * row[3].c[k];
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 4; k++) p->x[j][k] += n[i] * row[j].c[k];
            size += row[j].n * extent_a[j];
            rest += row[j].r * extent_a[j];
        }
        sizes += fabs(n[i]) * size;
        remainder += fabs(n[i]) * rest;
    }
    for (int j = 0; j < 3; j++) p->spread[j] = most(p->x[j]);
    p->rounding = GZ_PROJECTION_SLACK * sizes + GZ_TAYLOR_TINY;
    p->margin = (remainder + p->rounding) * GZ_TAYLOR_UP;
    p->reach = contact > 0 ? contact * gz_length(n) * GZ_TAYLOR_UP : 0;
}

void gz_view_open(gz_view *view, const gz_link *a, const gz_link *b, const gz_frame_model *frame, double contact) {
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double extent_a[3], extent_b[3];
    view->a = a;
    view->b = b;
    view->frame = frame;
    gz_link_extent(a, extent_a);
    gz_link_extent(b, extent_b);
    for (int i = 0; i < 3; i++) gz_project(frame, extent_a, extent_b, axes[i], contact, &view->along[i]);
    for (int j = 0; j < 3; j++) {
        double n[3] = {frame->m[0][j].c[0], frame->m[1][j].c[0], frame->m[2][j].c[0]};
        gz_project(frame, extent_a, extent_b, n, contact, &view->along[3 + j]);
    }
}

double gz_node_interval(const gz_projection *p, const gz_face_node *a, double *half, double *sweep) {
    double c[4];
    for (int k = 0; k < 4; k++)
        c[k] = p->t[k] + (p->x[0][k] * a->center[0] + p->x[1][k] * a->center[1] + p->x[2][k] * a->center[2]);
    *sweep = fabs(c[1]) + 0.5 * fabs(c[2]) + fabs(c[3]);
    *half = *sweep + (p->spread[0] * a->half[0] + p->spread[1] * a->half[1] + p->spread[2] * a->half[2]);
    return c[0] + 0.5 * c[2];
}

bool gz_view_apart(const gz_view *view, const gz_face_node *a, const gz_face_node *b, double *sweep) {
    double half, moves;
    *sweep = 0;
    for (int i = 0; i < 3; i++) {
        const gz_projection *p = &view->along[i];
        double middle = gz_node_interval(p, a, &half, &moves);
        if (fabs(middle - b->center[i]) > half + b->half[i] + p->margin + p->reach) return true;
        moves += p->margin;
        *sweep = moves > *sweep ? moves : *sweep;
    }
    for (int i = 3; i < GZ_VIEW_DIRECTIONS; i++) {
        const gz_projection *p = &view->along[i];
        double middle = gz_node_interval(p, a, &half, &moves);
        double other = p->n[0] * b->center[0] + p->n[1] * b->center[1] + p->n[2] * b->center[2];
        double width = fabs(p->n[0]) * b->half[0] + fabs(p->n[1]) * b->half[1] + fabs(p->n[2]) * b->half[2];
        if (fabs(middle - other) > half + width + p->margin + p->reach) return true;
    }
    return false;
}
