#if defined(__linux__)
#define _GNU_SOURCE /* sched_getaffinity, madvise */
#endif
#include "base/system.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#if defined(_WIN32)
#include <malloc.h>
#include <windows.h>
#elif defined(GRAZE_HAVE_PTHREADS)
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
#endif
#if defined(__linux__)
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#endif

/* ---- cores ---- */

static long cores_by_affinity(void) {
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
#if defined(_WIN32)
    DWORD_PTR mine = 0, all = 0;
    if (!GetProcessAffinityMask(GetCurrentProcess(), &mine, &all)) return 1;
    return (long)__builtin_popcountll((unsigned long long)mine);
#elif defined(GRAZE_HAVE_PTHREADS)
    return sysconf(_SC_NPROCESSORS_ONLN);
#else
    return 1;
#endif
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

/* Without threads more cores are of no use. */
long gz_system_cores(void) {
#if !defined(GRAZE_HAVE_PTHREADS)
    return 1;
#endif
    long cores = cores_by_affinity(), quota = cores_by_quota();
    if (quota && quota < cores) cores = quota;
    return cores < 1 ? 1 : cores;
}

/* ---- time ---- */

double gz_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- memory ---- */

#if defined(_WIN32)
void *gz_system_memory(size_t alignment, size_t size) { return _aligned_malloc(size, alignment); }
void gz_system_memory_put(void *block) { _aligned_free(block); }
#else
void *gz_system_memory(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }
void gz_system_memory_put(void *block) { free(block); }
#endif

void gz_system_large_pages(void *block, size_t size) {
#if defined(MADV_HUGEPAGE)
    (void)madvise(block, size, MADV_HUGEPAGE);
#else
    (void)block, (void)size;
#endif
}

void gz_system_page_in(char *block, size_t size) {
#if defined(MADV_POPULATE_WRITE)
    const size_t page = (size_t)1 << 12;
    uintptr_t begin = ((uintptr_t)block + page - 1) / page * page, end = ((uintptr_t)block + size) / page * page;
    (void)madvise((void *)begin, end - begin, MADV_POPULATE_WRITE);
#else
    (void)block, (void)size;
#endif
}

/* ---- files ---- */

bool gz_system_is_file(const char *path) {
#if defined(__linux__)
    struct stat about;
    return stat(path, &about) != 0 || S_ISREG(about.st_mode);
#else
    (void)path;
    return true;
#endif
}

/* ---- forks and signals ---- */

#if defined(GRAZE_HAVE_PTHREADS) && !defined(_WIN32)
bool gz_system_at_fork(void (*child)(void)) { return pthread_atfork(NULL, NULL, child) == 0; }

void gz_system_without_signals(void (*call)(void *), void *state) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    call(state);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
#else
bool gz_system_at_fork(void (*child)(void)) {
    (void)child;
    return true;
}

void gz_system_without_signals(void (*call)(void *), void *state) { call(state); }
#endif
