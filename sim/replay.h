/* Recorded calls asked again: the time of collision detection alone, with any method, on what a run really asked. */
#ifndef GRAZE_SIM_REPLAY_H
#define GRAZE_SIM_REPLAY_H

#include "sim/solver/filter.h"

typedef struct sim_replay {
    uint64_t calls; /* asked within the time allowed */
    double seconds; /* of the processor, least over the passes */
    double toi_sum;
    uint64_t zero; /* calls with the answer 0 */
} sim_replay;

/* Asks the filter about the calls of a file that --record wrote, up to `seconds` a pass (0: all) and at most `calls` of
   them (0: all); short ones in several passes. Ends the program when the file is not of this scene. */
sim_replay sim_replay_run(sim_filter *filter, const char *path, double seconds, uint64_t calls);

#endif
