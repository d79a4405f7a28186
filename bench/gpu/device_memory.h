/* Memory of a CUDA device, by its driver: found at run time, so that the program links nothing of it. */
#ifndef GRAZE_BENCH_GPU_DEVICE_MEMORY_H
#define GRAZE_BENCH_GPU_DEVICE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

typedef unsigned long long bench_address;

typedef struct bench_device {
    int (*init)(unsigned flags);
    int (*retain)(void **context, int device);
    int (*use)(void *context);
    int (*allocate)(bench_address *address, size_t size);
    int (*release)(bench_address address);
    int (*to_device)(bench_address to, const void *from, size_t size);
    int (*to_host)(void *to, bench_address from, size_t size);
} bench_device;

/* False where there is no driver, or no such device. */
bool bench_device_open(bench_device *d, int number);
/* A copy there; 0 where there is no memory for it. */
bench_address bench_device_copy(const bench_device *d, const void *from, size_t size);
/* Brings back what is there; false where it cannot be. */
bool bench_device_fetch(const bench_device *d, const void *there, void *to, size_t size);
/* 0 is nothing. */
void bench_device_free(const bench_device *d, bench_address address);

#endif
