/* One link seen from another over a window, along fixed directions: what tells that they are apart.
 *
 * Along a direction n in the frame of link b a point x of link a is at t(s) + Σ x_j·turn_j(s), a cubic in s for each
 * coordinate, to within `margin`; a point y of b is at ⟨n, y⟩. Intervals that do not meet prove distance. */
#ifndef GZ_ARTICULATED_PROJECTION_H
#define GZ_ARTICULATED_PROJECTION_H

#include "articulated/scene.h"
#include "kernels/kernels.h"

typedef struct gz_projection {
    double n[3];
    double t[4], x[3][4]; /* coefficients of s^0 … s^3 */
    double spread[3];     /* at least |turn_j(s)| */
    double margin;        /* rounding and remainders, for all points of both links, and all comparisons below */
    double rounding;      /* the part of it that a shorter window does not lessen */
    double reach;         /* separation and paddings times |n| */
} gz_projection;

/* The axes of b, one of choice, the axes of a at the middle of the window, and none. */
enum { GZ_VIEW_CHOICE = 3, GZ_VIEW_AXES = 4, GZ_VIEW_LANES = 8 };

/* Projections of a gz_link_view side by side; a place without a direction has an infinite margin. */
typedef struct gz_view_lanes {
    double n[3][GZ_VIEW_LANES], t[4][GZ_VIEW_LANES], x[3][4][GZ_VIEW_LANES];
    double spread[3][GZ_VIEW_LANES], margin[GZ_VIEW_LANES], reach[GZ_VIEW_LANES];
} gz_view_lanes;

typedef struct gz_link_view {
    const gz_link *a, *b;
    const gz_frame_model *frame; /* of a, seen from b */
    double extent_a[3], extent_b[3], contact;
    gz_projection along[GZ_VIEW_LANES];
    gz_view_lanes lanes;
    gz_apart_kernel *apart;
    gz_children_kernel *children;
} gz_link_view;

/* Sizes that bound the coordinates of a link's points. */
void gz_link_extent(const gz_link *link, double extent[3]);

/* Direction n, in b's frame, of the moving frame `a`. `contact` is separation and paddings. */
void gz_project(const gz_frame_model *frame, const double extent_a[3], const double extent_b[3], const double n[3],
                double contact, gz_projection *p);

/* As gz_project(), to the bit, but for an axis of b. */
void gz_project_axis(const gz_frame_model *frame, const double extent_a[3], double extent_b, int axis, double contact,
                     gz_projection *p);

/* Link a as `frame` has it, seen from b; the frame is kept by reference. `still`: it is that of a single time. */
void gz_view_open(gz_link_view *view, const gz_scene *scene, uint32_t a, uint32_t b, const gz_frame_model *frame,
                  double contact, bool still);

/* As gz_view_open(), but for two trees by their roots. */
void gz_view_make(gz_link_view *view, const gz_kernels *kernels, const gz_face_node *root_a, const gz_face_node *root_b,
                  const gz_frame_model *frame, double contact, bool still);

/* The direction of choice, in b's frame: nodes may be apart along it. */
void gz_view_choose(gz_link_view *view, const double n[3]);

/* The remainder of the frame: how far the points of a may be off along an axis of b, at most. */
double gz_view_blur(const gz_link_view *view);

/* Middle and half of the interval along p that a node of a sweeps, margin and reach aside; *sweep: half of that of its
   center. */
double gz_node_interval(const gz_projection *p, const gz_face_node *a, double *half, double *sweep);

/* True if two nodes are apart throughout the window. Else *sweep is half of how far the center of a's node may move. */
bool gz_view_apart(const gz_link_view *view, const gz_face_node *a, const gz_face_node *b, double *sweep);

#endif
