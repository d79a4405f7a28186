/* Swept boxes: what a primitive can reach in [0, t_max], grown by the separation. Closed, in double, rounded outward,
   so that comparing them is exact from here on. docs/numerics.md, section 3. */
#ifndef GZ_BROAD_BOXES_H
#define GZ_BROAD_BOXES_H

#include "graze/mesh.h"

#include "base/context.h"

#include <math.h>

typedef struct gz_box {
    double lo[3], hi[3];
} gz_box;

/* An interval of doubles around (1−t)·x0 + t·x1, within that of x0 and x1: the value itself where the arithmetic sees
   that it is a double, else, unless x0 and x1 cancel, at most one step wider than its two neighbours. t in (0, 1]. */
void gz_point_at(double x0, double x1, double t, double *lo, double *hi);

/* The largest double ≤ a − b and the smallest double ≥ a + b, exactly, for finite a and b. */
double gz_sub_down(double a, double b);
double gz_add_up(double a, double b);

typedef struct gz_box_input {
    const graze_mesh *mesh;
    const char *x0, *x1;
    size_t stride;
    double separation, t_max;
} gz_box_input;

/* The box of one vertex. */
void gz_vertex_box(const gz_box_input *input, uint32_t vertex, gz_box *box);

/* Boxes of all vertices; of edges and faces as the hull of their vertices' boxes. On the context's threads. */
void gz_vertex_boxes(graze_context *context, const gz_box_input *input, gz_box *boxes);
void gz_edge_boxes(graze_context *context, const graze_mesh *mesh, const gz_box *vertices, gz_box *boxes);
void gz_face_boxes(graze_context *context, const graze_mesh *mesh, const gz_box *vertices, gz_box *boxes);

/* Boxes over [0, t] for any t in (0, t_max], a few last places wider than gz_vertex_boxes would make them, and cheap.
 */
void gz_window_boxes(graze_context *context, const gz_box_input *input, double t, gz_box *boxes);

static inline void gz_box_join(gz_box *box, const gz_box *other) {
    for (int c = 0; c < 3; c++) {
        if (other->lo[c] < box->lo[c]) box->lo[c] = other->lo[c];
        if (other->hi[c] > box->hi[c]) box->hi[c] = other->hi[c];
    }
}

/* Holds no point: joining it changes nothing. */
static inline gz_box gz_box_empty(void) {
    return (gz_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static inline int gz_boxes_meet(const gz_box *a, const gz_box *b) {
    return a->lo[0] <= b->hi[0] && b->lo[0] <= a->hi[0] && a->lo[1] <= b->hi[1] && b->lo[1] <= a->hi[1] &&
           a->lo[2] <= b->hi[2] && b->lo[2] <= a->hi[2];
}

#endif
