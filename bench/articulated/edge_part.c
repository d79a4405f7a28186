/* Cuts edges at any time, and asks. */
#include "bench/articulated/edge_part.h"

#include "bench/articulated/robot_world.h"

#include <math.h>
#include <stdlib.h>

void bench_edge_part_open(const bench_robots *robots, bench_edge_part *part) {
    part->count = robots->model_count;
    part->motions = bench_allocate(part->count, sizeof *part->motions);
    part->body_motions = bench_allocate(part->count, sizeof *part->body_motions);
    part->values = bench_allocate(part->count, sizeof *part->values);
    for (size_t m = 0; m < part->count; m++)
        part->values[m] = bench_allocate(2 * graze_model_values(robots->models[m]) + 1, sizeof(double));
}

void bench_edge_part_close(bench_edge_part *part) {
    for (size_t m = 0; m < part->count; m++) free(part->values[m]);
    free(part->values);
    free(part->motions);
    free(part->body_motions);
}

void bench_edge_part_set(const bench_robots *robots, int set, size_t edge, double begin, double end,
                         bench_edge_part *part) {
    const graze_motion *whole = robots->edges[set] + edge * robots->model_count;
    for (size_t m = 0; m < part->count; m++) {
        size_t values = graze_model_values(robots->models[m]);
        part->motions[m] = whole[m];
        if (!whole[m].from || !whole[m].to || whole[m].from == whole[m].to) continue;
        for (size_t v = 0; v < values; v++) {
            double from = whole[m].from[v], way = whole[m].to[v] - from;
            part->values[m][v] = from + begin * way;
            part->values[m][values + v] = from + end * way;
        }
        part->motions[m].from = part->values[m];
        part->motions[m].to = part->values[m] + values;
    }
    bench_body_motions(part->motions, part->count, part->body_motions);
}

bool bench_edge_part_solve(const bench_robots *robots, const bench_edge_part *part, uint64_t repeat,
                           graze_verdict *verdict, double *seconds, io_error *error) {
    graze_articulated_options options = robots->options;
    options.mode = GRAZE_ARTICULATED_ANY;
    options.link_pairs = NULL;
    *seconds = INFINITY;
    for (uint64_t i = 0; i < repeat; i++) {
        graze_articulated_result result = graze_default_articulated_result();
        double begin = bench_cpu_seconds();
        graze_status status =
            graze_world_step(robots->context, robots->world, part->body_motions, part->count, &options, &result);
        *seconds = fmin(*seconds, bench_cpu_seconds() - begin);
        *verdict = result.verdict;
        if (status != GRAZE_OK) return io_fail(error, robots->scene, 0, "%s", graze_status_name(status));
    }
    return true;
}
