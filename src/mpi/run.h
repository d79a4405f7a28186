/* A step over ranks, once its arguments are read. */
#ifndef GZ_MPI_RUN_H
#define GZ_MPI_RUN_H

#include "mpi/asked.h"

/* `mine` is what gz_asked_read said on this rank. The result is written as the library knows it. */
graze_status gz_mpi_run(gz_ranks *ranks, graze_status mine, const gz_asked *asked, gz_dealt *dealt,
                        graze_mpi_result *result);
/* The candidates instead; the list is a block of the context. */
graze_status gz_mpi_list(gz_ranks *ranks, graze_status mine, const gz_asked *asked, gz_dealt *dealt,
                         graze_mpi_pair **pairs, size_t *count, uint64_t *first);
/* The number of pairs of faces that intersect at the start. */
graze_status gz_mpi_intersections(gz_ranks *ranks, graze_status mine, const gz_asked *asked, gz_dealt *dealt,
                                  uint64_t *count);

#endif
