/* The parts of `graze bench worlds`. */
#ifndef GRAZE_BENCH_WORLDS_WORLDS_H
#define GRAZE_BENCH_WORLDS_WORLDS_H

#include "bench/step/steps.h"

/* Rigid bodies in a heap, by their number. */
bool worlds_heaps(const bench_settings *settings, bench_report *report, io_error *error);
/* Many worlds in one call: on the CPU, and on a GPU where there is one. */
bool worlds_copies(const bench_settings *settings, bench_report *report, io_error *error);

#endif
