#ifndef GRAZE_TEST_FAILING_H
#define GRAZE_TEST_FAILING_H

#include "graze/graze.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>

/* An allocator that refuses the n-th request, with LONG_MAX left none, and knows what is still held. Threads may call
 * it at once. */
typedef struct failing {
    atomic_long left, held;
} failing;

static inline void *failing_allocate(void *user, size_t size, size_t alignment) {
    failing *f = user;
    (void)alignment;
    if (f->left-- <= 0) return NULL;
    f->held++;
    return aligned_alloc(64, (size + 63) / 64 * 64);
}

static inline void failing_release(void *user, void *block, size_t size) {
    (void)size;
    ((failing *)user)->held--;
    free(block);
}

/* A context with this allocator; `threads` 0: as many as there are cores. NULL when it is refused already. */
static inline graze_context *failing_context(failing *f, uint32_t threads) {
    graze_context_options options = graze_default_context_options();
    graze_context *context = NULL;
    options.allocator = (graze_allocator){failing_allocate, failing_release, f};
    options.threads = threads;
    return graze_context_create(&options, &context) == GRAZE_OK ? context : NULL;
}

#endif
