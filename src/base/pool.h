/* The pool of threads, and how many of them a context takes when it is not told. */
#ifndef GZ_BASE_POOL_H
#define GZ_BASE_POOL_H

#include "graze/base.h"

#define GZ_MOST_THREADS 1024u

/* Cores that this process may use: by its affinity, and by the quota of its control group. 1 without threads. */
uint32_t gz_cores(void);

/* The number in GRAZE_NUM_THREADS, else in OMP_NUM_THREADS; 0 if neither has one. */
uint32_t gz_threads_asked(void);

#endif
