/* The energy that one time step makes least, its gradient, and the Newton direction.
 *
 *     Σ m/2·|x − x̃|² + h²·elastic(x) + κ·barrier(x) + friction(x) + pull of moved vertices to their targets
 *
 * with x̃ where inertia and gravity alone would lead. */
#ifndef GRAZE_SIM_SOLVER_SYSTEM_H
#define GRAZE_SIM_SOLVER_SYSTEM_H

#include "sim/energy/constraint.h"
#include "sim/solver/factor.h"
#include "sim/solver/obstacles.h"
#include "sim/world.h"

/* Result of one term. */
typedef struct sim_slot {
    double value, slope[SIM_TERM];
    const uint32_t *vertex;
    int rows;
} sim_slot;

typedef struct sim_system {
    sim_world *world;
    graze_context *context; /* for the contacts; no call may be under way on it */
    sim_factor *factor;
    sim_obstacles *obstacles;    /* NULL, or those that move as a whole */
    double stiffness;            /* κ */
    double pull;                 /* of moved vertices, in units of their mass; 0 when they have arrived */
    double (*start)[3];          /* positions at the start of the step */
    double (*aim)[3];            /* x̃; of a moved vertex its target */
    bool *held;                  /* vertices that do not move in the next Newton step */
    graze_contact_list contacts; /* within reach at the positions last asked for */
    size_t near;                 /* pairs that they stand for */
    double nearest;              /* the least of their distances */
    double (*contacts_at)[3];
    bool contacts_known;
    SIM_LIST(graze_friction) frictions;
    double *rubbed, *rubbed_before; /* each vertex's share of the forces of friction, and when they were taken before */
    SIM_LIST(sim_constraint) constraints;
    bool by_constraints; /* there is no barrier; constraints act instead */
    double least_square; /* squared distance of the closest contact when the energy was last asked for */
    uint64_t active;     /* contacts within reach then */

    double *gradient;  /* 3 × vertices */
    double *direction; /* Newton's; 3 × vertices */
    sim_slot *slots;   /* of the terms */
    sim_triplets triplets;
    size_t term_room;
    double seconds_solve;
} sim_system;

void sim_system_begin(sim_system *system, sim_world *world, graze_context *context);
void sim_system_end(sim_system *system);

/* INFINITY where an element is inside out or a pair touches. */
double sim_system_energy(sim_system *system, double (*x)[3]);

/* Leaves the gradient at x in `gradient`; of the barrier alone with stiffness 1, or of all but the barrier. */
typedef enum sim_part { SIM_ALL, SIM_BARRIER, SIM_ALL_BUT_BARRIER } sim_part;
void sim_system_gradient(sim_system *system, double (*x)[3], sim_part part);

/* Leaves gradient and Newton direction at x. */
void sim_system_newton(sim_system *system, double (*x)[3]);

/* Takes contacts, normal forces and tangents at x for friction. Returns the part of the forces, 0 to 1, that is not
   what it was when they were last taken. */
double sim_system_lag_friction(sim_system *system, double (*x)[3]);

/* The largest speed at which the Newton direction slides what friction acts on. */
double sim_system_slide(const sim_system *system);

#endif
