/* What keeps primitives apart: a barrier on their squared distance, and lagged friction.
 *
 * With D the squared distance and R that of the barrier's reach, b = −(D − R)²·ln(D/R) for 0 < D < R: infinite at
 * contact, zero with two derivatives at the reach. Edges that turn parallel have a distance whose derivative jumps:
 * there b is multiplied by a factor that is zero for parallel edges and one from a small angle on. */
#ifndef GRAZE_SIM_ENERGY_BARRIER_H
#define GRAZE_SIM_ENERGY_BARRIER_H

#include "sim/energy/distance.h"

/* b, b', b'' at D. */
void sim_barrier(double square, double reach_square, double out[3]);

/* A pair that may feel the barrier. `parallel` is the squared cross product of two edges from which on they do not
   count as parallel; 0 for other pairs. */
typedef struct sim_contact {
    graze_kind kind;
    uint32_t vertex[4];
    double parallel;
} sim_contact;

/* The scale of `parallel` for edges that have these squared lengths at rest. */
double sim_parallel_scale(double square_a, double square_b);

/* Barrier of a pair at x; a term of no rows and the value 0 beyond the reach. `square` receives the squared distance
   where it is not NULL. */
void sim_contact_term(const sim_contact *contact, double x[4][3], double reach_square, sim_order order, sim_term *term,
                      double *square);

/* Friction of a pair, with the normal force and the tangent plane of an earlier state. */
typedef struct sim_friction {
    graze_kind kind;
    uint32_t vertex[4];
    double weight[4], tangent[2][3];
    double force; /* coefficient × normal force */
} sim_friction;

/* From a contact at x; false when no force acts there. */
bool sim_friction_make(const sim_contact *contact, double x[4][3], double reach_square, double stiffness,
                       double coefficient, sim_friction *out);

/* Energy of sliding from x0 to x: force × distance, smooth where the distance is less than `slip`. Its Hessian has no
   negative eigenvalue. */
void sim_friction_term(const sim_friction *friction, double x0[4][3], double x[4][3], double slip, sim_order order,
                       sim_term *term);

#endif
