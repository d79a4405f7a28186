/* The benchmark suites behind `graze bench`: what each is given, and the table of them. */
#ifndef GRAZE_BENCH_SUITE_H
#define GRAZE_BENCH_SUITE_H

#include "bench/report/report.h"
#include "graze/graze.h"

enum { BENCH_METHODS = 64 }; /* room, by graze_method: more than there are */

/* Who is watching. Both may be NULL. */
typedef struct bench_watch {
    void (*progress)(void *user, const char *label, double part); /* part of the suite's work that is done, in [0, 1] */
    bool (*stopped)(void *user);                                  /* true: end soon with what there is */
    void *user;
} bench_watch;

typedef struct bench_settings {
    const char *data; /* folder in the format of the public datasets; NULL: generated data */
    bool quick;
    uint64_t seed;
    uint64_t repeat;    /* passes over what is fast enough; the least time counts; 0: the suite's own */
    uint64_t threads;   /* for exact truth, and the most that `broad` and `step` time; the others time one; 0: all */
    uint64_t cases;     /* random queries of the suites `agreement` and `safe`; 0: their own number */
    uint64_t device;    /* the number of a GPU and 1; 0: none was chosen */
    double time_budget; /* seconds for a method on a data set; 0: the suite's own */
    bool methods[BENCH_METHODS];   /* those to run, by number (bench/methods.h): available ones only */
    struct bench_brought *brought; /* methods that the user brought, counted after those of the build */
    size_t brought_count, brought_capacity;
    bench_watch watch;
    const struct bench_robot_reader *robots; /* bench/robots.h; NULL: files of robots cannot be read */
} bench_settings;

/* Adds what it finds to the report. A suite that is stopped sets report->interrupted and returns true. */
typedef bool bench_run(const bench_settings *settings, bench_report *report, io_error *error);

typedef struct bench_suite {
    const char *name, *summary;
    bench_run *run;    /* NULL: not in this build */
    bool needs_device; /* left out of `all` where there is none */
} bench_suite;

/* The suites in order; NULL past the last one. */
const bench_suite *bench_suite_get(size_t index);
/* NULL when no suite has that name. */
const bench_suite *bench_suite_find(const char *name);

bench_run bench_articulated, bench_narrow, bench_separation, bench_agreement, bench_safe, bench_broad, bench_step,
    bench_gpu, bench_scale, bench_sim, bench_worlds;

/* ---- what the suites share ---- */

bool bench_stopped(const bench_settings *settings);
void bench_progress(const bench_settings *settings, const char *label, double part);

/* A context for `threads` (0: all) whose calls end when the suite is stopped, or after `deadline` seconds (0: no
   limit); NULL with the error set. */
graze_context *bench_context(const bench_settings *settings, uint64_t threads, double deadline, io_error *error);

/* As bench_context, but from options of the caller's own. */
graze_context *bench_context_from(const bench_settings *settings, graze_context_options options, io_error *error);

double bench_seconds(void);
/* Processor time of the calling thread: what else runs on the machine does not count. */
double bench_cpu_seconds(void);

/* Machine, instruction set, commit, seed and the rest of what a reader must know to repeat the run. */
void bench_add_facts(bench_report *report, const bench_settings *settings, const char *command_line);

#endif
