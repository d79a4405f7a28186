/* The number of threads worth having. */
#if defined(__linux__)
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include "base/pool.h"

#include <stdio.h>
#include <stdlib.h>

#if defined(__linux__)
#include <sched.h>
#endif
#if defined(GRAZE_HAVE_PTHREADS)
#include <unistd.h>
#endif

/* A number from 1 on that a variable of the environment begins with ("4", "4,2"); 0 when it has none. */
static uint32_t number_from(const char *variable) {
    const char *text = getenv(variable);
    long value = text ? strtol(text, NULL, 10) : 0;
    if (value <= 0) return 0;
    return value < (long)GZ_MOST_THREADS ? (uint32_t)value : GZ_MOST_THREADS;
}

#if defined(GRAZE_HAVE_PTHREADS)

static long cores_by_affinity(void) {
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
    return sysconf(_SC_NPROCESSORS_ONLN);
}

/* "QUOTA PERIOD" in microseconds, or "max PERIOD"; rounded up. 0: no limit. */
static long cores_by_quota(void) {
    long quota = 0, period = 0;
#if defined(__linux__)
    FILE *file = fopen("/sys/fs/cgroup/cpu.max", "re");
    if (!file) return 0;
    if (fscanf(file, "%ld %ld", &quota, &period) != 2) quota = period = 0;
    fclose(file);
#endif
    return quota > 0 && period > 0 ? (quota + period - 1) / period : 0;
}

uint32_t gz_cores(void) {
    long cores = cores_by_affinity(), quota = cores_by_quota();
    if (quota && quota < cores) cores = quota;
    if (cores < 1) return 1;
    return cores < (long)GZ_MOST_THREADS ? (uint32_t)cores : GZ_MOST_THREADS;
}

#else

uint32_t gz_cores(void) { return 1; }

#endif

uint32_t gz_threads_asked(void) {
    uint32_t asked = number_from("GRAZE_NUM_THREADS");
    return asked ? asked : number_from("OMP_NUM_THREADS");
}

uint32_t graze_pool_threads(void) {
    uint32_t asked = gz_threads_asked();
    return asked ? asked : gz_cores();
}
