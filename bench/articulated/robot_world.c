/* Makes the world that a planner would keep. */
#include "bench/articulated/robot_world.h"

#include "app/model_world.h"

#include <stdlib.h>

static double corners[8][3];
static const uint32_t faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                      {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

static graze_link_mesh box_mesh(void) {
    for (int i = 0; i < 8; i++)
        for (int c = 0; c < 3; c++) corners[i][c] = i >> c & 1 ? 0.1 : -0.1;
    graze_link_mesh box = graze_default_link_mesh();
    box.vertex_count = 8;
    box.face_count = 12;
    box.vertices = (const double(*)[3])corners;
    box.faces = faces;
    return box;
}

/* A lattice of boxes, half a meter apart, ten meters away. */
static graze_body far_box(const graze_link_mesh *box, size_t index) {
    graze_body body = graze_default_body();
    body.kind = GRAZE_BODY_STATIC;
    body.meshes = box;
    body.mesh_count = 1;
    for (int c = 0; c < 3; c++, index /= 22) body.origin.position[c] = 10 + 0.5 * (double)(index % 22);
    return body;
}

bool bench_robot_world(bench_robots *robots, size_t boxes, io_error *error) {
    graze_link_mesh box = box_mesh();
    graze_body *bodies = bench_allocate(boxes + 1, sizeof *bodies);
    for (size_t i = 0; i < boxes; i++) bodies[i] = far_box(&box, i);
    graze_status status = app_model_world(robots->context, robots->models, robots->model_count,
                                          robots->options.link_pairs, bodies, boxes, &robots->world);
    free(bodies);
    return status == GRAZE_OK || io_fail(error, robots->scene, 0, "%s", graze_status_name(status));
}

void bench_body_motions(const graze_motion *motions, size_t count, graze_body_motion *body_motions) {
    for (size_t m = 0; m < count; m++) {
        body_motions[m] = graze_default_body_motion();
        body_motions[m].body = (uint32_t)m;
        body_motions[m].joints = &motions[m];
    }
}
