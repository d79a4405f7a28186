/* The library of an MPI, loaded at run time, and what a context keeps for steps over ranks. */
#ifndef GZ_MPI_LOAD_H
#define GZ_MPI_LOAD_H

#include "mpi/deal/deal.h"
#include "mpi/ranks/transport.h"

typedef struct gz_mpi_kept {
    const gz_transport *transport;
    gz_dealt dealt;
} gz_mpi_kept;

/* The transport, or NULL and GRAZE_ERR_UNSUPPORTED with the reason; and the state that the context keeps, for which
   there may be no memory. */
graze_status gz_mpi_open(graze_context *context, const gz_transport **transport, gz_mpi_kept **kept);
/* The ranks of a communicator, in a context that has been entered. A rank that lacks memory says so to all. Free the
   hold in either case. */
graze_status gz_mpi_open_ranks(graze_context *context, int32_t comm, gz_hold *hold, gz_mpi_kept **kept,
                               gz_ranks *ranks);
/* With a transport that is given: ranks that are no processes. */
graze_status gz_mpi_open_with(graze_context *context, const gz_transport *transport, gz_mpi_kept **kept);

#endif
