/* Positions of a vertex over a span of time: four control positions, and how far it may be off the curve that they
   define. docs/numerics.md, section 12. */
#ifndef GZ_WORLD_CONTROLS_H
#define GZ_WORLD_CONTROLS_H

#include "world/motions.h"

/* `frame` is that of the mover over the span, NULL where it has none. Returns the bound on |vertex − curve|. */
double gz_controls(const gz_mover *mover, const gz_frame_model *frame, gz_span span, uint32_t vertex, double q[4][3]);

/* The most that a coordinate of a point in the frame adds to one in the world. */
void gz_frame_spread(const gz_frame_model *frame, double spread[3][3]);

/* Box around the vertices of a mover with a frame that lie in a box of its own frame, over the span of the round,
   grown by `grow`. */
gz_box gz_box_in_frame(const gz_mover *mover, const double center[3], const double half[3], double grow);

/* As gz_box_in_frame(), but for one vertex, with a frame or without. */
gz_box gz_box_of_vertex(const gz_mover *mover, gz_span span, uint32_t vertex, double grow);

#endif
