/* The C library's memory, in large pages where there is much of it: filling a list of millions of pairs for the first
   time takes longer by small ones than sorting it. */
#if defined(__linux__)
#define _DEFAULT_SOURCE /* madvise */
#endif
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#define LARGE_PAGE ((size_t)1 << 21)

void *gz_memory_get(size_t size, size_t alignment) {
    bool large = size >= 2 * LARGE_PAGE;
    if (large && alignment < LARGE_PAGE) alignment = LARGE_PAGE;
    if (size > SIZE_MAX - alignment) return NULL;
    size = (size + alignment - 1) / alignment * alignment;
    void *block = aligned_alloc(alignment, size);
#if defined(MADV_HUGEPAGE)
    if (large && block) (void)madvise(block, size, MADV_HUGEPAGE); /* advice: nothing depends on whether it is taken */
#endif
    return block;
}

void gz_memory_put(void *block) { free(block); }
