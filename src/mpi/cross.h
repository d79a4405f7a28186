/* The second mesh of a rank, from messages: its own and those of its neighbors. */
#ifndef GZ_MPI_CROSS_H
#define GZ_MPI_CROSS_H

#include "mpi/halo.h"

/* Tags say who sent a vertex, and which of its nodes it is in. */
#define GZ_TAG(slot, node) ((uint32_t)(slot) << 16 | (node))
#define GZ_TAG_SLOT(tag) ((tag) >> 16)
#define GZ_TAG_NODE(tag) ((tag)&0xffffu)

/* `sizes` of the messages in bytes, in order of ranks. */
graze_status gz_cross_make(graze_context *context, const gz_dealt *dealt, const char *messages, const size_t *sizes,
                           uint32_t ranks, gz_halo *halo);

#endif
