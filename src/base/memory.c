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

#define PAGE ((size_t)1 << 12)
#define WORTH_A_CALL ((size_t)1 << 17)

#if defined(MADV_POPULATE_WRITE)
/* All pages at once, where the pages are small, instead of a fault for each. */
static void page_in(char *block, size_t size) {
    if (size < WORTH_A_CALL) return;
    uintptr_t begin = ((uintptr_t)block + PAGE - 1) / PAGE * PAGE, end = ((uintptr_t)block + size) / PAGE * PAGE;
    (void)madvise((void *)begin, end - begin, MADV_POPULATE_WRITE);
}
#endif

/* The bytes of a block that go into large pages. A last page that would be less than half full is not worth it. */
static size_t large_part(size_t size) {
    size_t rest = size % GZ_LARGE_PAGE;
    return size - rest + (rest > GZ_LARGE_PAGE / 2 ? GZ_LARGE_PAGE : 0);
}

void *gz_memory_get(size_t size, size_t alignment) {
    if (size > SIZE_MAX - 2 * GZ_LARGE_PAGE - alignment) return NULL;
    size_t large = large_part(size);
    if (large && alignment < GZ_LARGE_PAGE) alignment = GZ_LARGE_PAGE;
    size_t whole = (size + alignment - 1) / alignment * alignment;
    char *block = aligned_alloc(alignment, whole);
    if (!block) return NULL;
        /* advice: nothing depends on whether it is taken */
#if defined(MADV_HUGEPAGE)
    if (large) (void)madvise(block, large, MADV_HUGEPAGE);
#endif
#if defined(MADV_POPULATE_WRITE)
    if (large < size) page_in(block + large, size - large);
#endif
    return block;
}

void gz_memory_put(void *block) { free(block); }
