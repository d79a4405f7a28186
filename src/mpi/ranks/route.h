/* Rows that go from places of one rank to places of others, again and again. */
#ifndef GZ_MPI_ROUTE_H
#define GZ_MPI_ROUTE_H

#include "mpi/ranks/ranks.h"

typedef struct gz_route {
    uint32_t *from, *to;             /* places of the rows that are sent and received, in order of ranks */
    size_t *from_counts, *to_counts; /* for each rank */
    size_t sent, received;           /* sums of those */
} gz_route;

bool gz_route_open(const gz_ranks *ranks, gz_hold *hold, gz_route *route);

/* Sends rows[to[i]] back; what comes is a block of `hold`, to be put where `from` says. */
graze_status gz_route_return(gz_ranks *ranks, graze_status mine, gz_hold *hold, const gz_route *route, const void *rows,
                             size_t size, void **received);

#endif
