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
#define PAGE ((size_t)1 << 12)
#define WORTH_A_CALL ((size_t)1 << 17)

void *gz_memory_get(size_t size, size_t alignment) {
    bool large = size >= 2 * LARGE_PAGE;
    if (large && alignment < LARGE_PAGE) alignment = LARGE_PAGE;
    if (size > SIZE_MAX - alignment) return NULL;
    size = (size + alignment - 1) / alignment * alignment;
    void *block = aligned_alloc(alignment, size);
#if defined(MADV_HUGEPAGE)
    /* advice: nothing depends on whether it is taken */
    if (large && block) (void)madvise(block, size, MADV_HUGEPAGE);
#endif
#if defined(MADV_POPULATE_WRITE)
    /* all pages at once, where the pages are small, instead of a fault for each */
    if (!large && block && size >= WORTH_A_CALL) {
        uintptr_t begin = ((uintptr_t)block + PAGE - 1) / PAGE * PAGE, end = ((uintptr_t)block + size) / PAGE * PAGE;
        (void)madvise((void *)begin, end - begin, MADV_POPULATE_WRITE);
    }
#endif
    return block;
}

void gz_memory_put(void *block) { free(block); }
