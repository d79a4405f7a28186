/* Two triangles that stand still: closest points, and proof that they cross. */
#ifndef GZ_ARTICULATED_TRIANGLES_H
#define GZ_ARTICULATED_TRIANGLES_H

#include "graze/step.h"

#include "numerics/vec3.h"

#include <stdbool.h>

typedef struct gz_triangle {
    gz_vec3 x[3];
} gz_triangle;

/* Closest points in plain rounding arithmetic: nothing is proven of them. Triangles that cross have a distance, too:
   that of their sides and corners. */
typedef struct gz_face_gap {
    double squared;
    gz_vec3 a, b;    /* the points */
    gz_vec3 n;       /* from b to a, of any length: square to the features where that is more certain than a − b */
    graze_kind kind; /* VF or EE */
    bool swapped;    /* VF: the vertex is b's */
    int i, j;        /* VF: which corner of the one; EE: which side of a, of b (from corner i to i + 1) */
} gz_face_gap;

gz_face_gap gz_gap_of_faces(const gz_triangle *a, const gz_triangle *b);

/* Of one of so many pairs of features: sides with sides, then corners of a, of b, with the inside of the other. False
   where a corner is not above the inside. */
enum { GZ_FACE_FEATURES = 15 };
bool gz_gap_of_feature(const gz_triangle *a, const gz_triangle *b, int feature, gz_face_gap *gap);
/* Of the normals of both, the cross products of their sides, and what is square to a side in its plane: the one along
   which a is farthest beyond b. The direction of closest points is uncertain where these are hardly apart; this is not.
 */
gz_vec3 gz_parting_axis(const gz_triangle *a, const gz_triangle *b);

/* True if the segment p q passes through the triangle where corners and ends are within `error` of those given: 1 and
   −1 are proven, 0 is not known. */
int gz_segment_pierces(gz_vec3 p, gz_vec3 q, const gz_triangle *f, double error);

/* Proven: the triangles have a point in common, wherever the corners are within `error` of those given, along each
   axis. False when that is not certain. */
bool gz_triangles_cross(const gz_triangle *a, const gz_triangle *b, double error);

#endif
