/* Makes the world that a planner would keep. */
#include "bench/articulated/robot_world.h"

#include "app/model_world.h"

bool bench_robot_world(bench_robots *robots, io_error *error) {
    graze_status status = app_model_world(robots->context, robots->models, robots->model_count,
                                          robots->options.link_pairs, &robots->world);
    return status == GRAZE_OK || io_fail(error, robots->scene, 0, "%s", graze_status_name(status));
}

void bench_body_motions(const graze_motion *motions, size_t count, graze_body_motion *body_motions) {
    for (size_t m = 0; m < count; m++) {
        body_motions[m] = graze_default_body_motion();
        body_motions[m].body = (uint32_t)m;
        body_motions[m].joints = &motions[m];
    }
}
