/* The C library's memory, in large pages where there is much of it: filling a list of millions of pairs for the first
   time takes longer by small ones than sorting it. */
#include "base/memory.h"
#include "base/system.h"

#include <stdint.h>

#define WORTH_A_CALL ((size_t)1 << 17)

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
    char *block = gz_system_memory(alignment, whole);
    if (!block) return NULL;
    if (large) gz_system_large_pages(block, large);
    if (large < size && size - large >= WORTH_A_CALL) gz_system_page_in(block + large, size - large);
    return block;
}

void gz_memory_put(void *block) { gz_system_memory_put(block); }
