/* Global ids of edges: their places in the list of all edges, sorted by j, then i. */
#ifndef GZ_MPI_EDGE_IDS_H
#define GZ_MPI_EDGE_IDS_H

#include "mpi/deal/deal.h"

/* Those of all edges of the piece, unless they are there already. */
graze_status gz_edge_ids_find(gz_ranks *ranks, gz_dealt *dealt);

/* Those of two edges (i, j), by counting: for one pair that is cheaper than a sort. Collective. */
graze_status gz_edge_ids_count(gz_ranks *ranks, const gz_dealt *dealt, const uint64_t edges[2][2], uint64_t ids[2]);

#endif
