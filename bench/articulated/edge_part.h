/* A part of a planner's edge as a motion of its own, and how long a world takes for it. */
#ifndef GRAZE_BENCH_EDGE_PART_H
#define GRAZE_BENCH_EDGE_PART_H

#include "bench/articulated/robots.h"

typedef struct bench_edge_part {
    graze_motion *motions; /* one for each model */
    graze_body_motion *body_motions;
    double **values; /* two poses of each model */
    size_t count;
} bench_edge_part;

void bench_edge_part_open(const bench_robots *robots, bench_edge_part *part);
void bench_edge_part_close(bench_edge_part *part);
/* Edge `edge` of the set from time `begin` to time `end`. */
void bench_edge_part_set(const bench_robots *robots, int set, size_t edge, double begin, double end,
                         bench_edge_part *part);

/* Mode ANY, processor time, the least of the repeats; false with the error set. */
bool bench_edge_part_solve(const bench_robots *robots, const bench_edge_part *part, uint64_t repeat,
                           graze_verdict *verdict, double *seconds, io_error *error);

#endif
