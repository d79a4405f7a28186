/* A factor that is zero for parallel edges and one from a small angle on. The distance of edges has a derivative that
   jumps where they turn parallel; times the factor it does not. */
#ifndef GZ_POTENTIAL_PARALLEL_EDGES_H
#define GZ_POTENTIAL_PARALLEL_EDGES_H

#include "potential/term.h"

#include <stdbool.h>

/* |e1 × e2|² of the edges in rows 0 1 and 2 3. */
double gz_cross_square(const double (*x)[3]);

/* The factor. */
double gz_parallel_factor(const graze_contact *contact, const double (*x)[3]);

/* Multiplies a term of the contact by it. */
void gz_parallel_soften(const graze_contact *contact, const double (*x)[3], graze_order order, graze_term *term);

/* True if the factor is less than one. */
bool gz_parallel_is(const graze_contact *contact, const double (*x)[3]);

#endif
