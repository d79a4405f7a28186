/* Robots and the edges of a planner from files, for the benchmark of articulated models. */
#ifndef GRAZE_CLI_ROBOTS_EDGES_H
#define GRAZE_CLI_ROBOTS_EDGES_H

#include "bench/articulated/robots.h"

extern const struct bench_robot_reader cli_robot_reader;

#endif
