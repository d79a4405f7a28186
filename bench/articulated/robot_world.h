/* The world of a planner's models: the same pairs as the table says. */
#ifndef GRAZE_BENCH_ROBOT_WORLD_H
#define GRAZE_BENCH_ROBOT_WORLD_H

#include "bench/articulated/robots.h"

/* Fills in robots->world: the models, and boxes out of their reach. */
bool bench_robot_world(bench_robots *robots, size_t boxes, io_error *error);
/* Motions of all models as a world takes them. */
void bench_body_motions(const graze_motion *motions, size_t count, graze_body_motion *body_motions);

#endif
