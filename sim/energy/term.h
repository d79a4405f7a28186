/* One term of the energy: what it is at the positions of two to four vertices, and its derivatives.
 *
 * The Hessian of a term is projected: its negative eigenvalues are replaced by zero, so that the sum over all terms
 * gives Newton's method a direction of descent. Tests ask for the Hessian as it is. */
#ifndef GRAZE_SIM_ENERGY_TERM_H
#define GRAZE_SIM_ENERGY_TERM_H

#include <stdbool.h>
#include <stdint.h>

enum { SIM_STENCIL = 4, SIM_TERM = 3 * SIM_STENCIL };

/* How much of a term is wanted; each includes what stands before it. */
typedef enum sim_order { SIM_VALUE, SIM_GRADIENT, SIM_HESSIAN, SIM_PROJECTED } sim_order;

/* `rows` = 3 × vertices; what lies beyond them is not read. */
typedef struct sim_term {
    int rows;
    double value; /* INFINITY where the energy is not defined: an element turned inside out */
    double gradient[SIM_TERM];
    double hessian[SIM_TERM][SIM_TERM];
} sim_term;

/* A term of that many rows, all zero. */
void sim_term_begin(sim_term *term, int rows);

/* term += factor × outer product of a (rows) with itself. */
void sim_term_outer(sim_term *term, double factor, const double *a);
/* term += factor × (a bᵀ + b aᵀ) */
void sim_term_cross(sim_term *term, double factor, const double *a, const double *b);

/* Replaces the negative eigenvalues of a symmetric matrix by zero; `n` ≤ SIM_TERM rows of `stride` doubles. */
void sim_project(double *matrix, int n, int stride);

#endif
