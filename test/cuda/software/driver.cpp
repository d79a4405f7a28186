/* What tests ask of CUDA's driver: memory, streams, a function of the host in a stream, and a kernel that traps. Its
   code is never loaded later than it has to be, so that part of it says yes to everything. */
#include "device_state.h"

#include <cuda.h>

#define INVALID 1

using namespace software;

/* ---- code ---- */

CUresult cuFuncGetModule(CUmodule *module, CUfunction function) {
    *module = (CUmodule)function;
    return CUDA_SUCCESS;
}

CUresult cuModuleGetFunctionCount(unsigned *count, CUmodule) {
    *count = 1;
    return CUDA_SUCCESS;
}

CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned, CUmodule module) {
    *functions = (CUfunction)module;
    return CUDA_SUCCESS;
}

CUresult cuFuncLoad(CUfunction) { return CUDA_SUCCESS; }

/* ---- what test/cuda/driver.h asks for ---- */

SOFTWARE_DRIVER int cuInit(unsigned) { return 0; }
SOFTWARE_DRIVER int cuDevicePrimaryCtxRetain(void **context, int which) {
    *context = &device();
    return which ? INVALID : 0;
}
SOFTWARE_DRIVER int cuCtxSetCurrent(void *) { return 0; }

SOFTWARE_DRIVER int cuMemAlloc_v2(unsigned long long *address, size_t size) {
    void *memory = nullptr;
    std::unique_lock<std::mutex> held(device().lock);
    cudaError_t code = allocate(&memory, size, cudaMemoryTypeDevice);
    *address = (unsigned long long)(uintptr_t)memory;
    return code;
}
SOFTWARE_DRIVER int cuMemFree_v2(unsigned long long address) {
    std::unique_lock<std::mutex> held(device().lock);
    drain_all(held);
    return release((void *)(uintptr_t)address, cudaMemoryTypeDevice);
}
SOFTWARE_DRIVER int cuMemGetInfo_v2(size_t *free, size_t *total) { return cudaMemGetInfo(free, total); }

/* As cudaMemcpyAsync, and waits. */
static int copy_now(void *to, const void *from, size_t size) {
    std::unique_lock<std::mutex> held(device().lock);
    cudaError_t code = push_copy(nullptr, (char *)to, size, (const char *)from, size, size, 1);
    return code == cudaSuccess ? drain(held, nullptr) : code;
}
SOFTWARE_DRIVER int cuMemcpyHtoD_v2(unsigned long long to, const void *from, size_t size) {
    return copy_now((void *)(uintptr_t)to, from, size);
}
SOFTWARE_DRIVER int cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t size) {
    return copy_now(to, (const void *)(uintptr_t)from, size);
}
SOFTWARE_DRIVER int cuMemcpyHtoDAsync_v2(unsigned long long to, const void *from, size_t size, cudaStream_t stream) {
    std::unique_lock<std::mutex> held(device().lock);
    return push_copy(stream, (char *)(uintptr_t)to, size, (const char *)from, size, size, 1);
}

SOFTWARE_DRIVER int cuStreamCreate(cudaStream_t *stream, unsigned flags) {
    return cudaStreamCreateWithFlags(stream, flags);
}
SOFTWARE_DRIVER int cuLaunchHostFunc(cudaStream_t stream, void (*function)(void *), void *user) {
    std::unique_lock<std::mutex> held(device().lock);
    return push_function(stream, [=] { function(user); });
}
SOFTWARE_DRIVER int cuCtxSynchronize() {
    std::unique_lock<std::mutex> held(device().lock);
    return drain_all(held);
}

/* ---- a kernel that traps, as text ---- */

SOFTWARE_DRIVER int cuModuleLoadData(void **module, const void *image) {
    *module = (void *)image;
    return std::strstr((const char *)image, "trap;") ? 0 : INVALID;
}
SOFTWARE_DRIVER int cuModuleGetFunction(void **function, void *module, const char *) {
    *function = module;
    return 0;
}
SOFTWARE_DRIVER int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                   cudaStream_t stream, void **, void **) {
    std::unique_lock<std::mutex> held(device().lock);
    return push_function(stream, [] { lose_device(); });
}
