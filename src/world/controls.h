/* Where a vertex is over a span of time: four control positions, and how far it may be off the curve that they define.
   docs/numerics.md, section 12. */
#ifndef GZ_WORLD_CONTROLS_H
#define GZ_WORLD_CONTROLS_H

#include "world/motions.h"

/* `frame` is that of the mover over the span, NULL where it has none. Returns the bound on |vertex − curve|. */
double gz_controls(const gz_mover *mover, const gz_frame_model *frame, gz_span span, uint32_t vertex, double q[4][3]);

#endif
