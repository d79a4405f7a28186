/* Where on the curve the work was: what ranks counted since lists were dealt out, and in the dealings before. */
#ifndef GZ_MPI_WORKED_H
#define GZ_MPI_WORKED_H

#include "mpi/deal/deal.h"

/* A place on the curve that stands for some of the vertices, or of the work. */
typedef struct gz_place_weight {
    uint64_t place;
    double weight;
} gz_place_weight;

/* Part of all work that lies before each cut of `before`, by gz_summary.work, with what older dealings said of places
   between them. False when there is no memory. */
bool gz_worked_learn(const gz_homes *before, const gz_summary *all, gz_hold *hold, gz_homes *homes);

/* From vertices to work: the samples, in order of places, between two points weigh together what lies between them. */
void gz_worked_weigh(const gz_homes *homes, gz_place_weight *samples, size_t count);

#endif
