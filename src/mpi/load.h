/* The library of an MPI, loaded at run time, and what a context keeps for steps over ranks. */
#ifndef GZ_MPI_LOAD_H
#define GZ_MPI_LOAD_H

#include "mpi/deal/deal.h"
#include "mpi/ranks/transport.h"

typedef struct gz_mpi_kept {
    const gz_transport *transport;
    gz_dealt dealt;
} gz_mpi_kept;

/* State that the context keeps, with a transport; GRAZE_ERR_UNSUPPORTED with the reason where there is none. */
graze_status gz_mpi_open(graze_context *context, gz_mpi_kept **kept);
/* With a transport that is given: ranks that are no processes. */
graze_status gz_mpi_open_with(graze_context *context, const gz_transport *transport, gz_mpi_kept **kept);

#endif
