/* Closest points of the convex hulls of two links. */
#ifndef GZ_ARTICULATED_DISTANCE_GJK_H
#define GZ_ARTICULATED_DISTANCE_GJK_H

#include "articulated/projection.h"

#include "numerics/vec3.h"

/* Of two links at a single time, in plain rounding arithmetic: nothing is proven of them. */
typedef struct gz_hull_gap {
    gz_vec3 n;    /* from b to a, in the frame of b */
    gz_vec3 a, b; /* the points, each in its own link's frame */
} gz_hull_gap;

/* False for hulls that meet, or seem to. */
bool gz_hulls_gap(const gz_link_view *view, gz_hull_gap *gap);

#endif
