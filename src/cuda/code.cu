#include "cuda/device.cuh"

#include <cuda.h>

#include <memory>
#include <new>

static const gz_code *files;

gz_code::gz_code(const void *k) : kernel(k), next(files) { files = this; }

/* A function of the driver, which is not linked; false where it is too old to have it. */
template <class F> static bool find(const char *name, F **function) {
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
    void *address = NULL;
#if CUDART_VERSION >= 12050
    cudaError_t code = cudaGetDriverEntryPointByVersion(name, &address, 12040, cudaEnableDefault, &found);
#else
    cudaError_t code = cudaGetDriverEntryPoint(name, &address, cudaEnableDefault, &found);
#endif
    if (code != cudaSuccess) cudaGetLastError();
    if (code != cudaSuccess || found != cudaDriverEntryPointSuccess) return false;
    *function = (F *)address;
    return true;
}

struct driver {
    decltype(cuFuncGetModule) *module_of;
    decltype(cuModuleGetFunctionCount) *count;
    decltype(cuModuleEnumerateFunctions) *list;
    decltype(cuFuncLoad) *load;
};

static bool open_driver(driver &d) {
    return find("cuFuncGetModule", &d.module_of) && find("cuModuleGetFunctionCount", &d.count) &&
           find("cuModuleEnumerateFunctions", &d.list) && find("cuFuncLoad", &d.load);
}

static CUresult load_module(const driver &d, CUfunction one) {
    CUmodule module;
    unsigned count = 0;
    CUresult code = d.module_of(&module, one);
    if (code == CUDA_SUCCESS) code = d.count(&count, module);
    std::unique_ptr<CUfunction[]> kernels(new (std::nothrow) CUfunction[count]);
    if (!kernels) return CUDA_ERROR_OUT_OF_MEMORY;
    if (code == CUDA_SUCCESS) code = d.list(kernels.get(), count, module);
    for (unsigned i = 0; i < count && code == CUDA_SUCCESS; i++) code = d.load(kernels[i]);
    return code;
}

bool gz_code_load(gz_device_error &error) {
    driver d;
    bool known = open_driver(d);
    for (const gz_code *code = files; code && !error.failed(); code = code->next) {
        cudaFunction_t one;
        if (!error.note(cudaGetFuncBySymbol(&one, code->kernel), "code") || !known) continue;
        error.note((cudaError_t)load_module(d, (CUfunction)one), "code"); /* their numbers are the same */
    }
    return !error.failed();
}
