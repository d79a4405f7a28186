/* Services of the system that standard C lacks. Of the library only system.c asks POSIX, Linux or Windows for them;
   besides, pool.c has threads, and the loaders of libraries use Linux's calls. */
#ifndef GZ_BASE_SYSTEM_H
#define GZ_BASE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

/* Cores that this process may use: by its affinity, and by the quota of its control group. 1 where that is not known.
 */
long gz_system_cores(void);

/* Seconds on a clock that never goes back. */
double gz_seconds(void);

/* `size` is a multiple of `alignment`. NULL: no memory. */
void *gz_system_memory(size_t alignment, size_t size);
void gz_system_memory_put(void *block);
/* Advice: nothing depends on whether it is taken. The first bytes of a block into large pages; all pages of a part at
 * once, instead of a fault for each. */
void gz_system_large_pages(void *block, size_t size);
void gz_system_page_in(char *block, size_t size);

/* True for a file, and where nothing is known of it: not for a folder, a device or a FIFO. */
bool gz_system_is_file(const char *path);

/* From now on `child` is called in the child of each fork; true as well where there are no forks. */
bool gz_system_at_fork(void (*child)(void));

/* Calls with all signals blocked for this thread, and for those that it starts. */
void gz_system_without_signals(void (*call)(void *), void *state);

#endif
