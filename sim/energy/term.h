/* One term of the energy: what it is at the positions of two to four vertices, and its derivatives.
 *
 * The Hessian of a term is projected: its negative eigenvalues are replaced by zero, so that the sum over all terms
 * gives Newton's method a direction of descent. Tests ask for the Hessian as it is. */
#ifndef GRAZE_SIM_ENERGY_TERM_H
#define GRAZE_SIM_ENERGY_TERM_H

#include "graze/graze.h"

#include <stdbool.h>
#include <stdint.h>

enum { SIM_STENCIL = 4, SIM_TERM = 3 * SIM_STENCIL };

/* As potentials of the library; INFINITY where an element is turned inside out, too. */
typedef graze_order sim_order;
typedef graze_term sim_term;

/* Rows of the kind's pair: VF vertex and face, EE two edges, PE point and edge, PP two points. */
static inline int sim_rows(graze_kind kind) { return kind == GRAZE_PP ? 2 : kind == GRAZE_PE ? 3 : 4; }

/* A term of that many rows, all zero. */
void sim_term_begin(sim_term *term, int rows);

/* term += factor × outer product of a (rows) with itself. */
void sim_term_outer(sim_term *term, double factor, const double *a);

#endif
