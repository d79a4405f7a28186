/* The parts of `graze bench gpu`: what they share. */
#ifndef GRAZE_BENCH_GPU_GPU_H
#define GRAZE_BENCH_GPU_GPU_H

#include "bench/step/steps.h"

typedef struct gpu_run {
    const bench_settings *settings;
    bench_report *report;
    graze_context *context; /* of both: all threads */
    uint64_t repeat;
    double budget;
    uint64_t answers, different; /* results of steps, pairs, queries and vertices that were compared */
    char first[240];             /* what was different first */
} gpu_run;

/* Bit for bit, NaN equal to NaN. */
bool gpu_same_result(const graze_result *a, const graze_result *b);
/* Counts an answer that is not that of the CPU. */
void gpu_differs(gpu_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Holds two answers about a scene against each other and counts. */
void gpu_compare_steps(gpu_run *run, const char *scene, const graze_step_result *here, const graze_step_result *there);

/* Times a call again and again, with the context that it uses; the first finds its memory, and is not timed. */
typedef graze_status gpu_call(gpu_run *run, void *state);
bool gpu_time(gpu_run *run, graze_context *context, const char *name, gpu_call *call, void *state, bench_times *times,
              io_error *error);

/* Batches of queries. */
bool gpu_batches(gpu_run *run, const bench_data *data, io_error *error);
/* Candidates, and mode vertices. */
bool gpu_lists(gpu_run *run, const bench_data *data, io_error *error);
/* Positions and pairs of the host, or of the device. */
bool gpu_places(gpu_run *run, const bench_data *data, io_error *error);
/* First steps of contexts. */
bool gpu_fresh(gpu_run *run, const bench_data *data, io_error *error);
/* Eight spheres in a row, 145,920 triangles, each of which has a pole where the next one has one: many pairs touch at
   0. Free it by bench_sheets_free with the run's context, also when it fails. */
bool gpu_poles(gpu_run *run, bench_scene *scene, io_error *error);
/* Step after step: figures. */
bool gpu_frames(gpu_run *run, const bench_data *data, io_error *error);
/* A step by stage, beside what the bus, the memory and launching allow. */
bool gpu_stages(gpu_run *run, const bench_data *data, io_error *error);
/* The broad phases and the ti of others. */
bool gpu_compare(gpu_run *run, const bench_data *data, io_error *error);
/* Time by memory limit. */
bool gpu_memory(gpu_run *run, io_error *error);

#endif
