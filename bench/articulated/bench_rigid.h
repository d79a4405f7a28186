/* Rigid meshes by graze and, where it is built in, by FCL: the tables that open `graze bench articulated`. */
#ifndef GRAZE_BENCH_ARTICULATED_BENCH_RIGID_H
#define GRAZE_BENCH_ARTICULATED_BENCH_RIGID_H

#include "bench/suite.h"

bool bench_rigid(const bench_settings *settings, bench_report *report, io_error *error);

#endif
