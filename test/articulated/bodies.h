/* Small meshes and models for the tests of articulated models. */
#ifndef GRAZE_TEST_BODIES_H
#define GRAZE_TEST_BODIES_H

#include "check.h"

/* The 8 corners and 12 triangles of a box around the origin. */
typedef struct test_box {
    double vertices[8][3];
    uint32_t faces[12][3];
} test_box;

static inline test_box test_box_of(double x, double y, double z) {
    test_box box = {.faces = {{0, 2, 1},
                              {1, 2, 3},
                              {4, 5, 6},
                              {5, 7, 6},
                              {0, 1, 4},
                              {1, 5, 4},
                              {2, 6, 3},
                              {3, 6, 7},
                              {0, 4, 2},
                              {2, 4, 6},
                              {1, 3, 5},
                              {3, 7, 5}}};
    for (int i = 0; i < 8; i++) {
        box.vertices[i][0] = i & 1 ? x : -x;
        box.vertices[i][1] = i & 2 ? y : -y;
        box.vertices[i][2] = i & 4 ? z : -z;
    }
    return box;
}

static inline graze_frame test_frame(double x, double y, double z) { return (graze_frame){{x, y, z}, {1, 0, 0, 0}}; }

static inline graze_link_mesh test_mesh_of(const test_box *box) {
    graze_link_mesh mesh = graze_default_link_mesh();
    mesh.vertex_count = 8;
    mesh.face_count = 12;
    mesh.vertices = box->vertices;
    mesh.faces = box->faces;
    return mesh;
}

static inline graze_link test_link(int32_t parent, graze_joint_kind joint, graze_frame origin,
                                   const graze_link_mesh *mesh) {
    graze_link link = graze_default_link();
    link.parent = parent;
    link.joint = joint;
    link.origin = origin;
    link.meshes = mesh;
    link.mesh_count = mesh ? 1 : 0;
    return link;
}

static inline graze_motion test_motion(const double *from, const double *to) {
    graze_motion motion = graze_default_motion();
    motion.from = from;
    motion.to = to;
    return motion;
}

static inline graze_motion test_screw(const double *from, const double *to, const uint8_t *screws) {
    graze_motion motion = test_motion(from, to);
    motion.screws = screws;
    return motion;
}

/* A model of one link. */
static inline graze_model *test_body(graze_context *context, graze_joint_kind joint, graze_frame origin,
                                     const test_box *box) {
    graze_link_mesh mesh = test_mesh_of(box);
    graze_link link = test_link(-1, joint, origin, &mesh);
    graze_model *model = NULL;
    CHECK(graze_model_create(context, &link, 1, &model) == GRAZE_OK);
    return model;
}

#endif
