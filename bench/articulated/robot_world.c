/* Makes the world that a planner would keep. */
#include "bench/articulated/robot_world.h"

#include <stdlib.h>

typedef struct pair_table {
    const uint8_t *pairs;
    size_t links, *first; /* of each model */
} pair_table;

static graze_pair_rule ask_table(void *user, uint32_t body_a, uint32_t link_a, uint32_t body_b, uint32_t link_b,
                                 double *separation) {
    const pair_table *table = user;
    (void)separation;
    if (!table->pairs) return GRAZE_PAIR_TEST;
    size_t a = table->first[body_a] + link_a, b = table->first[body_b] + link_b;
    return table->pairs[a * table->links + b] ? GRAZE_PAIR_TEST : GRAZE_PAIR_SKIP;
}

bool bench_robot_world(bench_robots *robots, io_error *error) {
    size_t count = robots->model_count;
    graze_body *bodies = bench_allocate(count, sizeof *bodies);
    pair_table table = {robots->options.link_pairs, 0, bench_allocate(count, sizeof *table.first)};
    for (size_t m = 0; m < count; m++) {
        bodies[m] = graze_default_body();
        bodies[m].model = robots->models[m];
        table.first[m] = table.links;
        table.links += graze_model_links(robots->models[m]);
    }
    graze_world_options options = graze_default_world_options();
    options.filter = ask_table;
    options.filter_user = &table;
    graze_status status = graze_world_create(robots->context, bodies, count, &options, &robots->world);
    free(bodies);
    free(table.first);
    return status == GRAZE_OK || io_fail(error, robots->scene, 0, "%s", graze_status_name(status));
}

void bench_body_motions(const graze_motion *motions, size_t count, graze_body_motion *body_motions) {
    for (size_t m = 0; m < count; m++) {
        body_motions[m] = graze_default_body_motion();
        body_motions[m].body = (uint32_t)m;
        body_motions[m].joints = &motions[m];
    }
}
