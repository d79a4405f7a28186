/* Which rank a position belongs to: the curve through all positions is cut where each rank gets as many vertices. */
#ifndef GZ_MPI_HOMES_H
#define GZ_MPI_HOMES_H

#include "mpi/deal/deal.h"

typedef struct gz_homes {
    double origin[3], scale; /* one for all axes: pieces of a sheet are as wide as they are long */
    uint64_t *cuts;          /* ranks − 1 places, ascending */
    uint32_t ranks;
} gz_homes;

/* The box of all positions: origin and scale of the curve. */
void gz_homes_frame(const gz_summary *all, uint32_t count, gz_homes *homes);
graze_status gz_homes_cut(gz_ranks *ranks, const gz_brought *brought, const gz_summary *all, gz_hold *hold,
                          gz_homes *homes);
uint32_t gz_home_of(const gz_homes *homes, const double x[3]);

#endif
