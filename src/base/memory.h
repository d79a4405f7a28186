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

#endif
