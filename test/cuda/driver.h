/* Memory and streams of a device, by CUDA's driver: found at run time, so that the tests need no toolkit. */
#ifndef GRAZE_TEST_CUDA_DRIVER_H
#define GRAZE_TEST_CUDA_DRIVER_H

#include "check.h"

#include <dlfcn.h>

typedef unsigned long long device_address;
typedef void host_function(void *user);

typedef struct driver {
    int (*init)(unsigned flags);
    int (*retain)(void **context, int device);
    int (*use)(void *context);
    int (*allocate)(device_address *address, size_t size);
    int (*release)(device_address address);
    int (*to_device)(device_address to, const void *from, size_t size);
    int (*to_device_later)(device_address to, const void *from, size_t size, void *stream);
    int (*to_host)(void *to, device_address from, size_t size);
    int (*make_stream)(void **stream, unsigned flags);
    int (*call_later)(void *stream, host_function *function, void *user);
    int (*memory)(size_t *free, size_t *total);
    int (*load)(void **module, const void *image);
    int (*find)(void **function, void *module, const char *name);
    int (*launch)(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                  unsigned shared, void *stream, void **parameters, void **extra);
    int (*wait)(void);
    void *context; /* of device 0 */
} driver;

/* The memory of device 0; false where the driver is too old for a name. */
static inline bool driver_open(driver *d) {
    static const char *const names[] = {
        "cuInit",          "cuDevicePrimaryCtxRetain", "cuCtxSetCurrent",     "cuMemAlloc_v2",  "cuMemFree_v2",
        "cuMemcpyHtoD_v2", "cuMemcpyHtoDAsync_v2",     "cuMemcpyDtoH_v2",     "cuStreamCreate", "cuLaunchHostFunc",
        "cuMemGetInfo_v2", "cuModuleLoadData",         "cuModuleGetFunction", "cuLaunchKernel", "cuCtxSynchronize"};
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    bool all = library != NULL;
    for (size_t i = 0; all && i < sizeof names / sizeof *names; i++) {
        void *symbol = dlsym(library, names[i]);
        memcpy((char *)d + i * sizeof symbol, &symbol, sizeof symbol);
        all = symbol != NULL;
    }
    all = all && d->init(0) == 0 && d->retain(&d->context, 0) == 0 && d->use(d->context) == 0;
    CHECK_MSG(all, "the driver of CUDA");
    return all;
}

static inline device_address driver_array(const driver *d, size_t size) {
    device_address made = 0;
    CHECK(d->allocate(&made, size ? size : 1) == 0);
    return made;
}

#endif
