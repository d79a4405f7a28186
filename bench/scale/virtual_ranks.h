/* Ranks that are threads of one process: what steps over ranks do, without an MPI. */
#ifndef GRAZE_BENCH_VIRTUAL_RANKS_H
#define GRAZE_BENCH_VIRTUAL_RANKS_H

#include "mpi/ranks/transport.h"

/* Work of one rank. Inside of it, virtual_transport speaks for that rank, whatever the communicator. */
typedef void virtual_rank(void *user, uint32_t rank);

/* Runs `count` ranks and waits for all of them; false when threads cannot be had. */
bool virtual_ranks_run(uint32_t count, virtual_rank *run, void *user);

extern const gz_transport virtual_transport;

#endif
