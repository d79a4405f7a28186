/* Devices, errors, and how code is found. */
#include "device_state.h"

#include <cuda.h>

#include <cstdlib>

using namespace software;

static thread_local cudaError_t last = cudaSuccess;

/* What the next cudaGetLastError tells. */
cudaError_t note(cudaError_t code) {
    if (code != cudaSuccess) last = code;
    return code;
}

cudaError_t cudaGetLastError() {
    std::unique_lock<std::mutex> held(device().lock);
    cudaError_t code = last;
    last = cudaSuccess;
    return device().lost ? cudaErrorLaunchFailure : code;
}

const char *cudaGetErrorString(cudaError_t code) {
    switch (code) {
    case cudaSuccess: return "no error";
    case cudaErrorInvalidValue: return "invalid argument";
    case cudaErrorMemoryAllocation: return "out of memory";
    case cudaErrorInvalidConfiguration: return "invalid configuration argument";
    case cudaErrorNoDevice: return "no CUDA-capable device is detected";
    case cudaErrorInvalidDevice: return "invalid device ordinal";
    case cudaErrorNotReady: return "device not ready";
    case cudaErrorLaunchFailure: return "unspecified launch failure";
    case cudaErrorNotSupported: return "operation not supported";
    case cudaErrorStreamCaptureUnsupported: return "operation not permitted when stream is capturing";
    default: return "unknown error";
    }
}

/* One, unless the environment hides it. */
static bool is_there() {
    const char *visible = std::getenv("CUDA_VISIBLE_DEVICES");
    return !visible || *visible;
}

cudaError_t cudaGetDeviceCount(int *count) {
    *count = is_there();
    return note(!is_there() ? cudaErrorNoDevice : device().lost ? cudaErrorLaunchFailure : cudaSuccess);
}

cudaError_t cudaGetDevice(int *device) {
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int wanted) {
    return note(wanted ? cudaErrorInvalidDevice : device().lost ? cudaErrorLaunchFailure : cudaSuccess);
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr, int) {
    *value = (int)settings_of_device().processors;
    return note(device().lost ? cudaErrorLaunchFailure : cudaSuccess);
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *kernel) {
    *function = (cudaFunction_t)kernel;
    return note(device().lost ? cudaErrorLaunchFailure : cudaSuccess);
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult *found) {
    static const struct {
        const char *name;
        void *function;
    } all[] = {{"cuFuncGetModule", (void *)cuFuncGetModule},
               {"cuModuleGetFunctionCount", (void *)cuModuleGetFunctionCount},
               {"cuModuleEnumerateFunctions", (void *)cuModuleEnumerateFunctions},
               {"cuFuncLoad", (void *)cuFuncLoad}};
    *found = cudaDriverEntryPointSymbolNotFound;
    for (const auto &one : all)
        if (std::strcmp(one.name, name) == 0) {
            *function = one.function;
            *found = cudaDriverEntryPointSuccess;
        }
    return cudaSuccess;
}
