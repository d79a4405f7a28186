/* Cost of an edge by how far it turns, by obstacles out of reach, by triangles, and by how it is cut. */
#ifndef GRAZE_BENCH_ROBOT_GROWTH_H
#define GRAZE_BENCH_ROBOT_GROWTH_H

#include "bench/articulated/robots.h"

/* Tables and figures that every scene adds to. */
typedef struct bench_robot_growth {
    bench_table *growth, *pieces;
    bench_plot *turn, *obstacles, *triangles;
} bench_robot_growth;

bench_robot_growth bench_robot_growth_open(bench_report *report);
bool bench_robot_growth_run(const bench_settings *settings, const bench_robots *robots,
                            const bench_robot_growth *growth, io_error *error);

#endif
