/* The face of a link that is nearest to a point. */
#ifndef GZ_ARTICULATED_DISTANCE_NEAREST_H
#define GZ_ARTICULATED_DISTANCE_NEAREST_H

#include "articulated/model.h"

#include "numerics/vec3.h"

/* In the frame of the link, in plain rounding arithmetic. */
uint32_t gz_nearest_face(const gz_link *link, gz_vec3 point);

#endif
