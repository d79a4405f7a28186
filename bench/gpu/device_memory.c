#include "bench/gpu/device_memory.h"

#include <stdint.h>
#include <string.h>

#if defined(__linux__)
#include <dlfcn.h>

static bool find_functions(bench_device *d) {
    static const char *const names[] = {"cuInit",       "cuDevicePrimaryCtxRetain", "cuCtxSetCurrent", "cuMemAlloc_v2",
                                        "cuMemFree_v2", "cuMemcpyHtoD_v2",          "cuMemcpyDtoH_v2"};
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    bool all = library != NULL;
    for (size_t i = 0; all && i < sizeof names / sizeof *names; i++) {
        void *symbol = dlsym(library, names[i]);
        memcpy((char *)d + i * sizeof symbol, &symbol, sizeof symbol);
        all = symbol != NULL;
    }
    return all;
}
#else
static bool find_functions(bench_device *d) {
    (void)d;
    return false;
}
#endif

bool bench_device_open(bench_device *d, int number) {
    void *context;
    return find_functions(d) && d->init(0) == 0 && d->retain(&context, number) == 0 && d->use(context) == 0;
}

bench_address bench_device_copy(const bench_device *d, const void *from, size_t size) {
    bench_address made = 0;
    if (d->allocate(&made, size) != 0) return 0;
    if (d->to_device(made, from, size) == 0) return made;
    d->release(made);
    return 0;
}

bool bench_device_fetch(const bench_device *d, const void *there, void *to, size_t size) {
    return size == 0 || d->to_host(to, (bench_address)(uintptr_t)there, size) == 0;
}

void bench_device_free(const bench_device *d, bench_address address) {
    if (address) d->release(address);
}
