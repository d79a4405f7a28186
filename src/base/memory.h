/* Memory of the C library. */
#ifndef GZ_BASE_MEMORY_H
#define GZ_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* NULL when there is none. `alignment` is a power of two. */
void *gz_memory_get(size_t size, size_t alignment);
void gz_memory_put(void *block);

/* Blocks from this size on begin with a page of it, where the system has such. */
#define GZ_LARGE_PAGE ((size_t)1 << 21)

/* Whole pages of a part of a block, cleared at once instead of one by one as they are first written; where the system
   can do that. */
void gz_memory_page_in(void *part, size_t size);

#endif
