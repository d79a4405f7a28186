/* A run: the frames of a scene, each checked, and what it took. */
#ifndef GRAZE_SIM_RUN_H
#define GRAZE_SIM_RUN_H

#include "sim/arguments.h"

/* Returns the exit status; ends the program when something fails. */
int sim_run(const sim_arguments *arguments);

#endif
