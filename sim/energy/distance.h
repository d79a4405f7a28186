/* The squared distance of two primitives, and its derivatives.
 *
 * Whatever the closest features are, the difference of the closest points is r = Σ weight[a]·x[a] with weights that are
 * affine in none, one or two parameters, and the squared distance is the least |r|² over them. At that least value the
 * parameters' own derivatives drop out of the gradient, and enter the Hessian by one small solve: so point–point,
 * point–edge, point–face and edge–edge share one code. */
#ifndef GRAZE_SIM_ENERGY_DISTANCE_H
#define GRAZE_SIM_ENERGY_DISTANCE_H

#include "graze/graze.h"

#include "sim/energy/term.h"

typedef struct sim_distance {
    double square;
    int parameters;
    double weight[4];   /* of the rows of the pair, in the order of graze_query; zero where a vertex has no part */
    double slope[2][4]; /* ∂weight/∂parameter */
    double vector[3];   /* r */
} sim_distance;

/* Rows of the kind's pair: VF vertex and face, EE two edges, PE point and edge, PP two points. */
int sim_rows(graze_kind kind);

/* The closest points at x, by graze_distance. */
void sim_closest(graze_kind kind, double x[4][3], sim_distance *out);

/* Gradient and, for order SIM_HESSIAN or more, Hessian of the squared distance, never projected. */
void sim_distance_term(graze_kind kind, const sim_distance *d, double x[4][3], sim_order order, sim_term *term);

#endif
