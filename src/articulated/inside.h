/* Links inside each other at a single time, where meshes are closed: contact of bodies, not of surfaces. */
#ifndef GZ_ARTICULATED_INSIDE_H
#define GZ_ARTICULATED_INSIDE_H

#include "articulated/touch.h"

typedef enum gz_inside {
    GZ_OUTSIDE = 0, /* proven, where the surfaces do not touch: no part of one is inside a closed part of the other */
    GZ_INSIDE,      /* proven: some vertex is */
    GZ_INSIDE_UNKNOWN, /* too close to a surface to tell */
} gz_inside;

/* Proven: a point that is within `error` of x along each axis is outside of the box at the root of a link's tree
   (docs/numerics.md, section 9.11). */
bool gz_is_beyond(gz_vec3 x, double error, const gz_face_node *root);

/* Of a point that is within `error` of x along each axis, x in the frame of the link: whether it is in a closed part.
 */
gz_inside gz_point_inside(gz_vec3 x, double error, const gz_link *link, uint64_t *checks);

/* At time t. `checks` counts nodes of trees that are looked at. */
gz_inside gz_links_inside_at(gz_frames *frames, const gz_link_pair *pair, double t, uint64_t *checks);

/* A triangle of the first link of a pair, or with `side` 1 of the second. */
typedef struct gz_middle {
    int side;
    uint32_t face;
} gz_middle;

/* True if the middle of some triangle is proven to be inside a closed part of the other link, at the time of the
   frames' window: also where no vertex is, and triangles meet in one plane. Not all triangles of large links are looked
   at. */
bool gz_middle_inside(gz_frames *frames, const gz_link_pair *pair, gz_middle *found, uint64_t *checks);

#endif
