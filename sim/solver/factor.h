/* Sparse symmetric positive systems, by CHOLMOD: the only file that sees it. */
#ifndef GRAZE_SIM_SOLVER_FACTOR_H
#define GRAZE_SIM_SOLVER_FACTOR_H

#include <stdbool.h>
#include <stddef.h>

/* Entries of the lower triangle (row ≥ column); those at one place add up. */
typedef struct sim_triplets {
    int *row, *column;
    double *value;
    size_t count, room;
} sim_triplets;

typedef struct sim_factor sim_factor;

sim_factor *sim_factor_new(void);
void sim_factor_free(sim_factor *factor);

/* Solves A·x = b for n unknowns. False when A is not positive definite. Ends the program when memory runs out. */
bool sim_factor_solve(sim_factor *factor, size_t n, const sim_triplets *a, const double *b, double *x);

#endif
