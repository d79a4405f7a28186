/* Distances between the links of a robot, pair by pair. */
#ifndef GRAZE_BENCH_ROBOT_DISTANCE_H
#define GRAZE_BENCH_ROBOT_DISTANCE_H

#include "bench/articulated/robots.h"

/* The table that rows go to. */
bench_table *bench_add_distances(bench_report *report);

/* Every two links of one model that joints move against each other, in poses that edges begin with. */
bool bench_robot_distances(const bench_settings *settings, const bench_robots *robots, bench_table *table,
                           io_error *error);

#endif
