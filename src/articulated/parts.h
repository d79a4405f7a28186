/* The connected parts of a link's triangles, and which of them are closed. */
#ifndef GZ_ARTICULATED_PARTS_H
#define GZ_ARTICULATED_PARTS_H

#include "graze/step.h"

#include "articulated/face_tree.h"

typedef struct gz_part {
    uint32_t vertex; /* one of it */
    bool closed;     /* every edge of it is that of two of its triangles */
} gz_part;

/* Triangles that share a vertex are of one part. */
typedef struct gz_parts {
    uint32_t *of_face;
    gz_part *list;
    uint32_t count, closed_count, face_count;
    size_t capacity;
    gz_face_tree tree; /* of their vertices, where there are many; a leaf's face is the part */
} gz_parts;

/* Of a mesh with its edges. */
graze_status gz_parts_find(graze_context *context, const graze_mesh *mesh, gz_parts *parts);
/* Their tree, where there are many. */
graze_status gz_parts_sort(graze_context *context, const double (*vertices)[3], gz_parts *parts);
void gz_parts_release(graze_context *context, gz_parts *parts);

/* The id of the edge of two vertices: edges are sorted by their larger vertex, then by the smaller. */
uint32_t gz_mesh_edge_id(const graze_mesh *mesh, uint32_t v, uint32_t w);

#endif
