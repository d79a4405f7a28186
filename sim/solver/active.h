/* Time steps by constraints: what touches on the way becomes an active set, and the energy is made least under it.
 *
 * Collision detection is asked with the offset as its separation, so that constraints act before anything touches.
 * Between them nothing is promised: a state may intersect, and the check of the frames says so. */
#ifndef GRAZE_SIM_SOLVER_ACTIVE_H
#define GRAZE_SIM_SOLVER_ACTIVE_H

#include "sim/solver/stepper.h"

/* Advances the world by its time step; `offset` is η, the gap that constraints keep. */
void sim_active_step(sim_stepper *stepper, double offset, sim_report *report);

#endif
