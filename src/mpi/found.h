/* Findings of a rank's searches, and of all ranks together. */
#ifndef GZ_MPI_FOUND_H
#define GZ_MPI_FOUND_H

#include "mpi/deal/deal.h"

typedef struct gz_found {
    graze_mpi_pair_result best;
    uint64_t candidates[4], hits[4];
    double seconds; /* that it searched */
    double work;    /* that this took, in units of a vertex, edge or face: counted, the same in every run */
    double behind;  /* from gz_found_reduce: the most work of a rank less the mean */
    int32_t has_pair, cancelled, stopped;
} gz_found;

/* A pair of a piece with global ids; those of edges are 0 where the piece has none. `to` is zeros before: what lies
   between its fields goes to other ranks, too. */
void gz_global_pair(const gz_piece *piece, graze_pair pair, uint64_t vertices[4], graze_mpi_pair *to);

/* Adds the result of a step on a piece. */
void gz_found_add(gz_found *found, const gz_piece *piece, const graze_step_result *result);

/* Of all ranks: the earliest pair, ties as in a step; sums; the most time over the mean. Seconds and work stay. */
graze_status gz_found_reduce(gz_ranks *ranks, graze_status mine, gz_found *found, double *imbalance);

#endif
