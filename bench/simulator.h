/* Starting graze-sim, which is a program of its own. */
#ifndef GRAZE_BENCH_SIMULATOR_H
#define GRAZE_BENCH_SIMULATOR_H

#include "bench/data.h"

#include <cjson/cJSON.h>

/* Runs `program` with these arguments on one thread and returns the JSON object that it prints; NULL with the error
   set, in the program's own words where it had any. */
cJSON *bench_start_simulator(const char *program, io_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds the last step of five simulated scenes. Their frames are made when they are first needed and kept in the user's
   cache; without the simulator, or a place to keep them, nothing is added. */
bool bench_simulate(const bench_settings *settings, bench_data *data, io_error *error);

#endif
