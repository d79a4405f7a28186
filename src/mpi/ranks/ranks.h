/* Exchanges between ranks, all of them collective. Each begins by agreeing on a status: where one rank brings a
   failure, all ranks return it, with its message as the context's last error, and nothing is exchanged. */
#ifndef GZ_MPI_RANKS_H
#define GZ_MPI_RANKS_H

#include "mpi/ranks/hold.h"
#include "mpi/ranks/transport.h"

typedef struct gz_ranks {
    graze_context *context;
    const gz_transport *transport;
    void *handle;
    uint32_t rank, count;
    uint64_t *words;                /* 4 for each rank */
    size_t *sizes[2];               /* of an exchange, in bytes */
    uint64_t messages, bytes;       /* sent to other ranks */
    uint64_t collectives, gathered; /* calls that all ranks wait in, and bytes that came by them */
} gz_ranks;

/* `hold` owns what the exchanges need. */
graze_status gz_ranks_open(graze_context *context, const gz_transport *transport, void *handle, graze_status mine,
                           gz_hold *hold, gz_ranks *ranks);

graze_status gz_ranks_agree(gz_ranks *ranks, graze_status mine);

/* `size` bytes of every rank, in order of ranks. */
graze_status gz_ranks_gather(gz_ranks *ranks, graze_status mine, const void *item, size_t size, void *all);

/* counts[i] items to rank i, which lie one rank after the other. What comes is in a block of `hold`, and
   received_counts says how many from each rank. */
graze_status gz_ranks_exchange(gz_ranks *ranks, graze_status mine, gz_hold *hold, const void *items,
                               const size_t *counts, size_t size, void **received, size_t *received_counts);

/* As gz_ranks_exchange, where both sides know the counts. */
graze_status gz_ranks_pass(gz_ranks *ranks, graze_status mine, const void *items, const size_t *counts, size_t size,
                           void *received, const size_t *received_counts);

size_t gz_ranks_sum(const gz_ranks *ranks, const size_t *counts);

#endif
