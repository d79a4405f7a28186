/* The mesh of a body that is no model: lists and rest positions, copied once for all bodies that name the same ones. */
#ifndef GZ_ARTICULATED_WORLD_MESH_SHAPE_H
#define GZ_ARTICULATED_WORLD_MESH_SHAPE_H

#include "graze/world.h"

#include "articulated/face_tree.h"
#include "articulated/world/face_parts.h"
#include "base/context.h"

typedef struct gz_mesh_shape {
    atomic_size_t holds;
    graze_context *context;
    const graze_mesh *given; /* whose copy it is, and of which positions: bodies of one call are told apart by them */
    const double (*given_rest)[3];
    graze_mesh mesh;
    double (*rest)[3];   /* NULL: its positions come with each motion */
    gz_face_tree tree;   /* of a shape that rigid bodies have, where all of it is of faces; else empty */
    gz_face_part *parts; /* the same; else NULL */
    double *columns;     /* the same, of its positions; else NULL */
    bool has_tree;       /* that was looked at */
    double size;         /* of its rest positions, where there is a tree to look at: gz_points_size */
} gz_mesh_shape;

/* Half of the longest side of the box around some points. */
double gz_points_size(const double (*x)[3], uint32_t count);

/* True if a body of the same call, given after that one, has the same shape. */
bool gz_mesh_shape_is_of(const gz_mesh_shape *shape, const graze_body *body);

/* `body` is of a kind that has a mesh. */
graze_status gz_mesh_shape_make(graze_context *context, const graze_body *body, gz_mesh_shape **shape);
/* For a body that keeps its shape: the tree in its own frame, once. */
graze_status gz_mesh_shape_tree(graze_context *context, gz_mesh_shape *shape);
gz_mesh_shape *gz_mesh_shape_hold(gz_mesh_shape *shape);
/* NULL is fine. */
void gz_mesh_shape_release(gz_mesh_shape *shape);

#endif
