/* The arguments of a step over ranks, read and checked on each rank, and what all ranks say of theirs. */
#ifndef GZ_MPI_ASKED_H
#define GZ_MPI_ASKED_H

#include "mpi/load.h"

typedef struct gz_asked {
    gz_brought brought;
    graze_step_options options; /* `narrow` points to the next field */
    graze_options narrow;
    uint64_t hash; /* of the part's lists */
} gz_asked;

/* Reads and checks this rank's arguments alone. */
graze_status gz_asked_read(graze_context *context, const graze_mpi_part *part, const double (*x0)[3],
                           const double (*x1)[3], const graze_step_options *options, gz_asked *asked);

/* Deals out the mesh, or only its positions where the lists of all ranks are those of the last call. `mine` is what
   gz_asked_read said. */
graze_status gz_asked_deal(gz_ranks *ranks, graze_status mine, const gz_asked *asked, gz_dealt *dealt);

#endif
