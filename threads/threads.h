/* Threads for the program: a parallel-for for the context's hook, on pthreads.
 *
 * Its threads sleep while there is nothing to do, and the caller works too and never waits for a thread that has not
 * started yet. So on cores that others use as well, work takes no longer than on one thread; OpenMP, the library's own
 * default, waits for every thread at the end of every loop. */
#ifndef GRAZE_THREADS_H
#define GRAZE_THREADS_H

#include "graze/base.h"

/* `user` is not read. One set of threads for the whole process, started when first needed; a call that comes while
   another one is under way runs on its own thread alone. */
graze_parallel_for threads_parallel_for;

/* The cores that this process may use. */
uint32_t threads_available(void);

#endif
