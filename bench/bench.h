/* The benchmark suites behind `graze bench`. */
#ifndef GRAZE_BENCH_H
#define GRAZE_BENCH_H

#include <stdbool.h>
#include <stdint.h>

/* Told now and then how much of a part of a suite is done. */
typedef void bench_progress(void *user, const char *part, uint64_t done, uint64_t total);

typedef struct bench_options {
    const char *data; /* folder with scenes/NAME/frames as the public datasets have them; NULL: generated scenes only */
    const char *out;  /* existing folder for CSV and JSON files; NULL: none */
    bool json;        /* one JSON object on stdout instead of tables */
    bool quick;
    uint64_t cases;           /* synthetic cases; 0: the suite's own number */
    uint64_t threads;         /* for the exact truth; 0: all. What is timed runs on one */
    bench_progress *progress; /* may be NULL */
    void *progress_user;
} bench_options;

/* The failure-proof cubic test: time with and without its modifications and its culls, misses, the distance of false
   alarms against their bound, and other methods on the same queries. Returns 0, or 2 after one line on stderr. */
int bench_safe(const bench_options *options);

#endif
