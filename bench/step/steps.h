/* Shared by the suites `broad` and `step`: scenes that grow, repeated timing, and the exponent of a cost. */
#ifndef GRAZE_BENCH_STEP_STEPS_H
#define GRAZE_BENCH_STEP_STEPS_H

#include "bench/data/data.h"

/* ---- contexts ---- */

/* Pieces that work is cut into when the settings ask for `settings->threads`; 0 on an error. */
uint32_t bench_threads(const bench_settings *settings, io_error *error);

/* Fails with the context's own words. */
bool bench_call_failed(const graze_context *context, const char *name, graze_status status, io_error *error);

/* ---- scenes that grow ---- */

/* Two rough sheets that face each other, move through each other here and there, and have about `triangles` triangles:
   what a triangle meets does not depend on how many there are. False when memory for the edges runs out. */
bool bench_sheets(const bench_settings *settings, graze_context *owner, uint64_t triangles, bench_scene *scene,
                  io_error *error);
void bench_sheets_free(graze_context *owner, bench_scene *scene);
/* Vertices, edges and faces: what has a box. */
uint64_t bench_boxes(const bench_scene *scene);

/* The scene with the most boxes. */
const bench_scene *bench_largest_scene(const bench_data *data);

/* ---- numbers of threads ---- */

/* Every number up to 8, then powers of two, and all. */
uint32_t bench_next_threads(uint32_t threads, uint32_t all);
/* A series for work that every thread makes faster by its share. */
void bench_add_perfect_scaling(bench_plot *plot, uint32_t threads);

/* ---- frames ---- */

/* The number of steps that the frames of a scene make. */
size_t bench_frame_steps(const bench_scene *scene);
/* A step of them, borrowed from the scene: its mesh and positions alone. */
bench_scene bench_frame_step(const bench_scene *scene, size_t step);

/* ---- times ---- */

enum { BENCH_MOST_TIMES = 64 };

/* Wall times of one thing, in seconds. */
typedef struct bench_times {
    double all[BENCH_MOST_TIMES];
    size_t count;
    double spent;
} bench_times;

/* True if another repeat is due: at least one, then up to `repeat` while they fit into the budget. */
bool bench_times_more(const bench_times *times, uint64_t repeat, double budget);
void bench_times_add(bench_times *times, double seconds);
double bench_times_least(const bench_times *times);  /* NaN of none */
double bench_times_median(const bench_times *times); /* the upper one of two; NaN of none */

/* ---- growth ---- */

enum { BENCH_MOST_SIZES = 16 };

/* Seconds by size. */
typedef struct bench_growth {
    double size[BENCH_MOST_SIZES], seconds[BENCH_MOST_SIZES];
    size_t count;
} bench_growth;

void bench_growth_add(bench_growth *growth, double size, double seconds);
/* Slope of the least-squares line through the logarithms; NaN of fewer than two sizes. */
double bench_growth_exponent(const bench_growth *growth);
/* Seconds to expect at another size: the last point carried on by the slope, at least linearly. NaN of none. */
double bench_growth_expect(const bench_growth *growth, double size);

/* The sizes to try, in triangles: a factor of √10 apart. */
size_t bench_growth_sizes(double first, double last, uint64_t sizes[BENCH_MOST_SIZES]);

#endif
