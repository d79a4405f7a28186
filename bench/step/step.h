/* The parts of the suite `step`. */
#ifndef GRAZE_BENCH_STEP_STEP_H
#define GRAZE_BENCH_STEP_STEP_H

#include "bench/step/steps.h"

enum { BENCH_MODES = GRAZE_STEP_ALL + 1 }; /* by graze_step_mode */

typedef struct bench_step_run {
    const bench_settings *settings;
    bench_report *report;
    bench_data data;
    uint32_t threads; /* all of them */
    double budget;    /* seconds for the repeats of one thing on one scene, and for one call */
    uint64_t repeat;
    size_t memory_limit; /* of every step that is timed; 0: none */
} bench_step_run;

/* Times of one call, made again and again. */
typedef struct bench_step_times {
    bench_times times;
    graze_step_result result; /* of the last call, its list of pairs released */
    bool ended;               /* a call was ended by the budget: it is not timed, and was the last one */
    uint64_t peak_bytes;
} bench_step_times;

/* `fresh`: a new context for every call, made and destroyed outside the time. */
bool bench_step_time(const bench_step_run *run, const bench_scene *scene, graze_step_mode mode, uint32_t threads,
                     bool fresh, bench_step_times *measured, io_error *error);

/* The first contact of a scene, between adjacent doubles; INFINITY where nothing touches. */
bool bench_step_first_contact(const bench_step_run *run, const bench_scene *scene, double bracket[2], io_error *error);

/* Other questions around a step. */
bool bench_step_around(bench_step_run *run, io_error *error);
/* The fused step against candidates and narrow phase one after the other. */
bool bench_step_unfused(bench_step_run *run, io_error *error);
/* Speedup of a step by more threads. */
bool bench_step_threads(bench_step_run *run, io_error *error);
/* Step after step: times, phases, threads, and what a memory limit costs. */
bool bench_step_figures(bench_step_run *run, io_error *error);
/* Answers are the same for every number of threads, instruction set and broad phase. */
bool bench_step_differences(bench_step_run *run, io_error *error);

#endif
