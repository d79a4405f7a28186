/* Edges of a planner by FCL, pose after pose, to measure against; without FCL there is none. */
#ifndef GRAZE_BENCH_FCL_ROBOTS_H
#define GRAZE_BENCH_FCL_ROBOTS_H

#include "bench/articulated/robots.h"

typedef struct bench_fcl_robots bench_fcl_robots;

/* NULL where FCL is not built in or has no such shapes, or without memory. */
bench_fcl_robots *bench_fcl_robots_open(const bench_robots *robots);
void bench_fcl_robots_close(bench_fcl_robots *fcl);

/* Poses at most `step` apart where the largest joint moves by `turn`: both ends, then halves of halves, until one
   touches. False without memory. */
bool bench_fcl_robots_edge(bench_fcl_robots *fcl, const graze_motion *motions, double turn, double step, bool *hit,
                           double *seconds);
/* The one pose in which motions begin. */
bool bench_fcl_robots_pose(bench_fcl_robots *fcl, const graze_motion *motions, bool *hit, double *seconds);

#endif
