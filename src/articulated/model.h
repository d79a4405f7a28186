/* A model from the inside: links with their triangles, trees and joints. */
#ifndef GZ_ARTICULATED_MODEL_H
#define GZ_ARTICULATED_MODEL_H

#include "graze/articulated.h"

#include "articulated/face_tree.h"
#include "articulated/parts.h"
#include "motion/frame.h"

typedef struct gz_link {
    int32_t parent;
    graze_joint_kind joint;
    graze_frame origin; /* as it was given, and the axis: what certificates say */
    double given_axis[3];
    gz_matrix rotation; /* of the origin */
    bool rotation_exact, axis_exact;
    double position[3];
    double axis[3]; /* unit */
    gz_turn turn;   /* about it, after the origin's rotation */
    uint32_t first_value;
    uint32_t body;        /* the first link that this one is joined to by fixed joints alone */
    bool on_world;        /* fixed joints up to the world */
    double padding;       /* the largest of its triangles' */
    double given_padding; /* without the radii of meshes */
    double mesh_radius;   /* the largest of these */
    double spread;        /* by how much they differ */
    double *radii;        /* NULL, or for each triangle that of its mesh, where they differ */
    double radius;        /* no vertex is farther from the link's origin */
    uint32_t vertex_count, face_count;
    double (*vertices)[3];
    uint32_t (*faces)[3];
    graze_mesh mesh; /* edges, for naming features */
    gz_face_tree tree;
    struct gz_tilted_box *tilted; /* of the nodes, where there are many triangles; else NULL */
    gz_parts parts;
    struct gz_shape *shape; /* who owns vertices, faces, radii, edges, tree, tilted boxes and parts */
} gz_link;

/* The triangles of a link and all that was derived from them, which links of several models may share. */
typedef struct gz_shape {
    graze_context *context; /* whose memory they are */
    atomic_size_t links;
} gz_shape;

struct graze_model {
    gz_link *links;
    size_t count, capacity, values;
};

/* The length by which a triangle of the link counts as grown. */
double gz_face_padding(const gz_link *link, uint32_t face);

/* A model of the same links, which share their triangles with it. */
graze_status gz_model_copy(graze_context *context, const graze_model *model, graze_model *copy);
void gz_model_close(graze_context *context, graze_model *model);

/* Values that a joint of that kind takes; −1 for no kind. */
int gz_joint_values(graze_joint_kind kind);

#endif
