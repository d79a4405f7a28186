/* Implicit Euler steps, each a minimum that Newton's method finds without ever letting anything touch. */
#ifndef GRAZE_SIM_SOLVER_STEPPER_H
#define GRAZE_SIM_SOLVER_STEPPER_H

#include "sim/solver/filter.h"
#include "sim/solver/obstacles.h"
#include "sim/solver/proof.h"
#include "sim/solver/system.h"

/* Outcome of a step, or of a run of them. */
typedef struct sim_report {
    uint64_t iterations;  /* Newton steps */
    uint64_t contacts;    /* within reach when the step ended */
    uint64_t unconverged; /* steps that ended at the limit of iterations, or where no step lowered the energy */
    uint64_t late;        /* steps in which an obstacle did not reach its target: what is in the way cannot yield */
    double closest;       /* least distance of a pair within reach */
} sim_report;

typedef struct sim_stepper {
    sim_system system;
    sim_filter filter;
    sim_obstacles obstacles;
    double (*trial)[3], (*far)[3];
    double *factor;
    double least_stiffness, most_stiffness;
    sim_proof *proof; /* NULL, or told of every move */
    bool unfiltered;  /* steps of any length */
} sim_stepper;

/* Two contexts: the energy is asked for while a filter may hold the first. */
void sim_stepper_begin(sim_stepper *stepper, sim_world *world, graze_context *ccd, graze_context *contacts);
void sim_stepper_end(sim_stepper *stepper);

/* Advances the world by its time step and adds to the report. */
void sim_stepper_step(sim_stepper *stepper, sim_report *report);

/* The parts of a step: where inertia and motions lead; Newton's method, which tells whether it came to rest; and the
   velocities in the end. */
void sim_stepper_aim(sim_stepper *stepper);
bool sim_stepper_minimise(sim_stepper *stepper, sim_report *report);
void sim_stepper_arrive(sim_stepper *stepper, sim_report *report);

#endif
