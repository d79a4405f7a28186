/* Sorted lists over ranks: each rank gets a contiguous range of all, about as long as that of the others. */
#ifndef GZ_MPI_SPREAD_H
#define GZ_MPI_SPREAD_H

#include "base/merge_sort.h"
#include "mpi/ranks/ranks.h"

#define GZ_SPREAD_KEY 24 /* bytes at the beginning of an item that `compare` reads, at most */

/* Items that are sorted on each rank go where their range is. What comes is a block of `hold`, in order of ranks and
   not yet merged; sent and received have room for a count from each rank. */
graze_status gz_spread(gz_ranks *ranks, graze_status mine, gz_hold *hold, const void *items, size_t count, size_t size,
                       gz_compare *compare, void **received, size_t *sent_counts, size_t *received_counts);

/* The number of items of the ranks before this one, and of all. */
graze_status gz_spread_first(gz_ranks *ranks, graze_status mine, gz_hold *hold, uint64_t count, uint64_t *first,
                             uint64_t *total);

#endif
