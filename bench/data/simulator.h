/* Data from the simulator. */
#ifndef GRAZE_BENCH_DATA_SIMULATOR_H
#define GRAZE_BENCH_DATA_SIMULATOR_H

#include "bench/data/data.h"

/* Adds the last step of five simulated scenes. Their frames are made when they are first needed and kept in the user's
   cache; without the simulator, or a place to keep them, nothing is added. */
bool bench_simulate(const bench_settings *settings, bench_data *data, io_error *error);

#endif
