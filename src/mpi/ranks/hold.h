/* Blocks of a context's memory that go back together. */
#ifndef GZ_MPI_HOLD_H
#define GZ_MPI_HOLD_H

#include "base/context.h"

typedef struct gz_hold {
    graze_context *context;
    struct gz_held *first;
} gz_hold;

/* Room for `count` items, which may be 0; NULL when there is no memory. */
void *gz_hold_get(gz_hold *hold, size_t count, size_t size);
/* As gz_hold_get, but filled with zeros. */
void *gz_hold_zeros(gz_hold *hold, size_t count, size_t size);
/* Gives one block back before the others. NULL is fine. */
void gz_hold_drop(gz_hold *hold, void *block);
void gz_hold_free(gz_hold *hold);

#endif
