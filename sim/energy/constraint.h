/* A contact as a constraint in place of a barrier: ⟨normal, Σ weight·x⟩ ≥ offset, with the normal and the contact
 * points that collision detection found.
 *
 * By an augmented Lagrangian: ρ/2·max(0, offset − gap + multiplier/ρ)², the multiplier raised between rounds. */
#ifndef GRAZE_SIM_ENERGY_CONSTRAINT_H
#define GRAZE_SIM_ENERGY_CONSTRAINT_H

#include "sim/energy/term.h"

#include "graze/graze.h"

typedef struct sim_constraint {
    graze_pair pair;
    uint32_t vertex[4];
    int rows;
    double weight[4], normal[3];
    double offset, multiplier, stiffness; /* stiffness: ρ */
} sim_constraint;

double sim_constraint_gap(const sim_constraint *constraint, double x[4][3]);
/* Its Hessian has no negative eigenvalue. */
void sim_constraint_term(const sim_constraint *constraint, double x[4][3], sim_order order, sim_term *term);
/* Raises or lowers the multiplier to the force that acts at x; what it changed by. */
double sim_constraint_update(sim_constraint *constraint, double x[4][3]);

#endif
