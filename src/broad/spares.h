/* Blocks of memory, all of one size, that were used by the last call and serve the next: by then their pages are there.
 */
#ifndef GZ_BROAD_SPARES_H
#define GZ_BROAD_SPARES_H

#include "base/context.h"

typedef struct gz_spares {
    void **blocks;
    size_t count, room, size;
    atomic_size_t taken; /* of the blocks, the first ones; more when some were new */
} gz_spares;

/* A spare block, else a new one; NULL when there is no memory. By several workers at once. */
void *gz_spares_take(graze_context *context, gz_spares *spares, size_t size);

/* When a call has taken all that it needs: gives back those that it did not. */
void gz_spares_forget_rest(graze_context *context, gz_spares *spares);

/* After that: keeps a block for the next call, or gives it back where memory is short. */
void gz_spares_put(graze_context *context, gz_spares *spares, void *block, size_t size);

void gz_spares_clear(graze_context *context, gz_spares *spares);

#endif
