/* Pairs of triangles side by side, for the lanes of faces_kernel.h. */
#ifndef GZ_ARTICULATED_DISTANCE_FACE_BATCH_H
#define GZ_ARTICULATED_DISTANCE_FACE_BATCH_H

enum { GZ_FACE_BATCH = 8 };

typedef struct gz_face_batch {
    double a[3][3][GZ_FACE_BATCH], b[3][3][GZ_FACE_BATCH]; /* corner, coordinate, pair */
} gz_face_batch;

#endif
