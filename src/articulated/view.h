/* One link seen from another over a window, along fixed directions: what tells that they are apart.
 *
 * Along a direction n in the frame of link b a point x of link a is at t(s) + Σ x_j·turn_j(s), a cubic in s for each
 * coordinate, to within `margin`; a point y of b is at ⟨n, y⟩. Intervals that do not meet prove distance. */
#ifndef GZ_ARTICULATED_VIEW_H
#define GZ_ARTICULATED_VIEW_H

#include "articulated/scene.h"

typedef struct gz_projection {
    double n[3];
    double t[4], x[3][4]; /* coefficients of s^0 … s^3 */
    double spread[3];     /* at least |turn_j(s)| */
    double margin;        /* rounding and remainders, for all points of both links, and all comparisons below */
    double rounding;      /* the part of it that a shorter window does not lessen */
    double reach;         /* separation and paddings times |n| */
} gz_projection;

#define GZ_VIEW_DIRECTIONS 6

typedef struct gz_view {
    const gz_link *a, *b;
    const gz_frame_model *frame;             /* of a, seen from b */
    gz_projection along[GZ_VIEW_DIRECTIONS]; /* the axes of b, then those of a at the middle of the window */
} gz_view;

/* Sizes that bound the coordinates of a link's points. */
void gz_link_extent(const gz_link *link, double extent[3]);

/* Direction n, in b's frame, of the moving frame `a`. `contact` is separation and paddings. */
void gz_project(const gz_frame_model *frame, const double extent_a[3], const double extent_b[3], const double n[3],
                double contact, gz_projection *p);

void gz_view_open(gz_view *view, const gz_link *a, const gz_link *b, const gz_frame_model *frame, double contact);

/* Middle and half of the interval along p that a node of a sweeps, margin and reach aside; *sweep: half of that of its
   centre. */
double gz_node_interval(const gz_projection *p, const gz_face_node *a, double *half, double *sweep);

/* Whether two nodes are apart throughout the window. Else *sweep is half of how far the centre of a's node may move. */
bool gz_view_apart(const gz_view *view, const gz_face_node *a, const gz_face_node *b, double *sweep);

#endif
