/* CUDA's runtime as src/cuda uses it, for a device in software: what the host calls. Kernels find what they need in
   device.cuh, launches in launch.cuh. */
#ifndef GRAZE_SOFTWARE_CUDA_RUNTIME_H
#define GRAZE_SOFTWARE_CUDA_RUNTIME_H

#include <cstddef>
#include <cstdint>

#define CUDART_VERSION 13000
#define SOFTWARE_API __attribute__((visibility("default")))

/* numbers of CUDA */
enum cudaError_t {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorNoDevice = 100,
    cudaErrorInvalidDevice = 101,
    cudaErrorNotReady = 600,
    cudaErrorLaunchFailure = 719,
    cudaErrorNotSupported = 801,
    cudaErrorStreamCaptureUnsupported = 900,
    cudaErrorUnknown = 999,
};

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct software_graph *cudaGraph_t, *cudaGraphExec_t;
typedef struct CUfunc_st *cudaFunction_t;

enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault,
};
enum cudaMemoryType {
    cudaMemoryTypeUnregistered,
    cudaMemoryTypeHost,
    cudaMemoryTypeDevice,
    cudaMemoryTypeManaged,
};
struct cudaPointerAttributes {
    cudaMemoryType type;
    int device;
};
enum cudaDeviceAttr { cudaDevAttrMultiProcessorCount = 16 };
enum cudaStreamCaptureMode { cudaStreamCaptureModeThreadLocal = 1 };
enum cudaDriverEntryPointQueryResult { cudaDriverEntryPointSuccess, cudaDriverEntryPointSymbolNotFound };
enum {
    cudaStreamNonBlocking = 1,
    cudaEventDisableTiming = 2,
    cudaHostRegisterDefault = 0,
    cudaEnableDefault = 0,
};

SOFTWARE_API cudaError_t cudaGetLastError();
SOFTWARE_API const char *cudaGetErrorString(cudaError_t code);

SOFTWARE_API cudaError_t cudaGetDeviceCount(int *count);
SOFTWARE_API cudaError_t cudaGetDevice(int *device);
SOFTWARE_API cudaError_t cudaSetDevice(int device);
SOFTWARE_API cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device);
SOFTWARE_API cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned version,
                                                          unsigned long long flags,
                                                          cudaDriverEntryPointQueryResult *found);
SOFTWARE_API cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *kernel);

SOFTWARE_API cudaError_t cudaMalloc(void **memory, size_t size);
SOFTWARE_API cudaError_t cudaFree(void *memory);
SOFTWARE_API cudaError_t cudaMallocHost(void **memory, size_t size);
SOFTWARE_API cudaError_t cudaFreeHost(void *memory);
SOFTWARE_API cudaError_t cudaHostRegister(void *memory, size_t size, unsigned flags);
SOFTWARE_API cudaError_t cudaHostUnregister(void *memory);
SOFTWARE_API cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
SOFTWARE_API cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *memory);

SOFTWARE_API cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, cudaMemcpyKind kind,
                                         cudaStream_t stream);
SOFTWARE_API cudaError_t cudaMemcpy2DAsync(void *to, size_t to_stride, const void *from, size_t from_stride,
                                           size_t width, size_t rows, cudaMemcpyKind kind, cudaStream_t stream);
SOFTWARE_API cudaError_t cudaMemsetAsync(void *memory, int byte, size_t size, cudaStream_t stream);

SOFTWARE_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
SOFTWARE_API cudaError_t cudaStreamDestroy(cudaStream_t stream);
SOFTWARE_API cudaError_t cudaStreamSynchronize(cudaStream_t stream);
SOFTWARE_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags);
SOFTWARE_API cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
SOFTWARE_API cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);

SOFTWARE_API cudaError_t cudaEventCreate(cudaEvent_t *event);
SOFTWARE_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
SOFTWARE_API cudaError_t cudaEventDestroy(cudaEvent_t event);
SOFTWARE_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
SOFTWARE_API cudaError_t cudaEventQuery(cudaEvent_t event);
SOFTWARE_API cudaError_t cudaEventSynchronize(cudaEvent_t event);
SOFTWARE_API cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to);

SOFTWARE_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t *made, cudaGraph_t graph, unsigned long long flags);
SOFTWARE_API cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream);
SOFTWARE_API cudaError_t cudaGraphDestroy(cudaGraph_t graph);
SOFTWARE_API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph);

template <class T> cudaError_t cudaMalloc(T **memory, size_t size) { return cudaMalloc((void **)memory, size); }
template <class T> cudaError_t cudaMallocHost(T **memory, size_t size) { return cudaMallocHost((void **)memory, size); }

#include "device.cuh"
#include "launch.cuh"

#endif
