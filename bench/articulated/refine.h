/* Models with finer meshes of the same shape. */
#ifndef GRAZE_BENCH_REFINE_H
#define GRAZE_BENCH_REFINE_H

#include "bench/articulated/robots.h"

/* All models, each triangle of those with joints cut into four so many times; *triangles: of these. NULL without
 * memory. */
const graze_model **bench_refine(const bench_robots *robots, int times, size_t *triangles);
void bench_refine_free(bench_robots *fine);

#endif
