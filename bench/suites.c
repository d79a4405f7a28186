/* The table of suites. A new one is a file bench_NAME.c and its line here. */
#include "bench/suite.h"

#include <string.h>

#if defined(GRAZE_WITH_SIM)
#define SIM bench_sim
#else
#define SIM NULL
#endif

static const bench_suite suites[] = {
    {"narrow", "every method against exact truth: time, false positives, false negatives", bench_narrow, false},
    {"separation", "minimum separations from 1e-2 to 1e-100", bench_separation, false},
    {"agreement", "certified and exact, in double and float, against the oracle on millions of queries",
     bench_agreement, false},
    {"safe", "the failure-proof cubic test and its culls", bench_safe, false},
    {"broad", "broad phases: time, pairs, memory", bench_broad, false},
    {"step", "whole steps", bench_step, false},
    {"scale", "steps over ranks: time, memory and messages by ranks, strong and weak", bench_scale, false},
    {"articulated", "links on joints: time, culling, edges of a planner", bench_articulated, false},
    {"worlds", "worlds: heaps of rigid bodies, many worlds in one call", bench_worlds, false},
    {"gpu", "steps, lists and batches on the GPU beside the CPU, bits compared", bench_gpu, true},
    {"sim", "the simulator: collision detection on recorded calls, whole runs, tolerances", SIM, false},
};

const bench_suite *bench_suite_get(size_t index) {
    return index < sizeof suites / sizeof *suites ? &suites[index] : NULL;
}

const bench_suite *bench_suite_find(const char *name) {
    for (size_t i = 0; i < sizeof suites / sizeof *suites; i++)
        if (strcmp(suites[i].name, name) == 0) return &suites[i];
    return NULL;
}
