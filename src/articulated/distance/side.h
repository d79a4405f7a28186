/* The tree of one link along a direction: the corner that is farthest, faces that are not behind it. */
#ifndef GZ_ARTICULATED_DISTANCE_SIDE_H
#define GZ_ARTICULATED_DISTANCE_SIDE_H

#include "articulated/model.h"

/* The vertex that is farthest along n, but for rounding. `guess` is NULL, or one of them that may be. */
const double *gz_farthest_vertex(const gz_link *link, const double n[3], const double *guess);

/* A face that reaches as far as `most` along a direction. */
typedef struct gz_side_face {
    double most;
    uint32_t face;
} gz_side_face;

enum { GZ_SIDE_FACES = 512 };

/* Lists the faces that reach `least` or more along n, but for rounding. False when there are more than GZ_SIDE_FACES.
 */
bool gz_side_faces(const gz_link *link, const double n[3], double least, gz_side_face *faces, int *count);

#endif
