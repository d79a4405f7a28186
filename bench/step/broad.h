/* The parts of the suite `broad`. */
#ifndef GRAZE_BENCH_STEP_BROAD_H
#define GRAZE_BENCH_STEP_BROAD_H

#include "bench/step/steps.h"

enum { BENCH_BROADS = GRAZE_BROAD_LBVH + 1 }; /* by graze_broad */

typedef struct bench_broad_run {
    const bench_settings *settings;
    bench_report *report;
    bench_data data;
    uint32_t threads; /* all of them */
    double budget;    /* seconds for the repeats of one broad phase on one scene */
    uint64_t repeat;
    bench_growth growth[BENCH_BROADS]; /* seconds by boxes, one thread */
    bench_table *skipped;              /* what the budget left out */
} bench_broad_run;

/* A broad phase on a scene. */
typedef struct bench_found {
    bench_times times;
    graze_context *context; /* owns the pairs */
    graze_pair *pairs;
    size_t count; /* all kinds, sorted */
    uint64_t peak_bytes;
} bench_found;

/* Lists the candidates again and again, on a context of its own that is kept between the repeats; the list of the last
   one stays. Release it in any case. */
bool bench_find(const bench_broad_run *run, const bench_scene *scene, graze_broad broad, uint32_t threads,
                bench_found *found, io_error *error);
void bench_found_free(bench_found *found);

/* The pairs that a broad phase found against the scene's own candidates, which know what touches. */
typedef struct bench_comparison {
    uint64_t kinds[2], clear, missing, extra, unseen;
} bench_comparison;
bench_comparison bench_compare(const bench_scene *scene, const bench_found *found);

/* True where one call would not end within the budget, by what it took on smaller scenes; notes it as left out. */
bool bench_broad_too_slow(bench_broad_run *run, const bench_scene *scene, graze_broad broad, const char *what);

/* The broad phases to measure, AUTO aside. */
bool bench_broad_wanted(int broad);

/* Times on growing scenes; their table and figure come later. */
bool bench_broad_grow(bench_broad_run *run, io_error *error);
void bench_broad_add_growth(bench_broad_run *run);
/* Consecutive frames of the scenes that have them. */
bool bench_broad_frames(bench_broad_run *run, io_error *error);
/* One to all threads on the scene with the most boxes. */
bool bench_broad_scaling(bench_broad_run *run, io_error *error);

#endif
