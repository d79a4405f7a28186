/* The device from the host's side: errors, memory that grows and is kept, one stream. */
#ifndef GZ_CUDA_DEVICE_CUH
#define GZ_CUDA_DEVICE_CUH

#include "cuda/code.cuh"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

/* The first error; later calls do nothing. Every function that talks to the device takes one. */
struct gz_device_error {
    cudaError_t code = cudaSuccess;
    char message[160] = "";

    bool failed() const { return code != cudaSuccess; }
    bool note(cudaError_t result, const char *what) {
        if (result != cudaSuccess) cudaGetLastError(); /* told here, and not once more by a later step */
        if (result == cudaSuccess || failed()) return !failed();
        code = result;
        snprintf(message, sizeof message, "%s: %s", what, cudaGetErrorString(result));
        return false;
    }
};

/* Device memory of one kind, kept from step to step and grown by half at least. */
template <class T> struct gz_device_array {
    T *items = nullptr;
    size_t room = 0;

    bool reserve(size_t wanted, gz_device_error &error) {
        if (wanted <= room || error.failed()) return !error.failed();
        size_t larger = room + room / 2 > wanted ? room + room / 2 : wanted;
        release();
        if (!error.note(cudaMalloc(&items, larger * sizeof(T)), "device memory")) {
            items = nullptr;
            return false;
        }
        room = larger;
        return true;
    }
    /* As reserve, with zeros in new memory: for structs with gaps, which are copied as a whole. */
    bool reserve_zero(size_t wanted, cudaStream_t stream, gz_device_error &error) {
        if (wanted <= room) return !error.failed();
        return reserve(wanted, error) && error.note(cudaMemsetAsync(items, 0, bytes(), stream), "device memory");
    }
    /* As reserve_zero, but keeps the first `used` items. */
    bool reserve_keeping(size_t wanted, size_t used, cudaStream_t stream, gz_device_error &error) {
        if (wanted <= room || !used) return reserve_zero(wanted, stream, error);
        gz_device_array longer;
        if (!longer.reserve_zero(room + room / 2 > wanted ? room + room / 2 : wanted, stream, error)) return false;
        error.note(cudaMemcpyAsync(longer.items, items, used * sizeof(T), cudaMemcpyDeviceToDevice, stream),
                   "device memory");
        error.note(cudaStreamSynchronize(stream), "device memory");
        release();
        *this = longer;
        return !error.failed();
    }
    void release() {
        if (items) cudaFree(items);
        items = nullptr;
        room = 0;
    }
    size_t bytes() const { return room * sizeof(T); }
};

/* Page-locked memory of the host, that copies run at the speed of the bus. */
template <class T> struct gz_pinned_array {
    T *items = nullptr;
    size_t room = 0;

    bool reserve(size_t wanted, gz_device_error &error) {
        if (wanted <= room || error.failed()) return !error.failed();
        release();
        if (!error.note(cudaMallocHost(&items, wanted * sizeof(T)), "page-locked memory")) {
            items = nullptr;
            return false;
        }
        room = wanted;
        return true;
    }
    void release() {
        if (items) cudaFreeHost(items);
        items = nullptr;
        room = 0;
    }
};

/* Blocks of so many threads that there is one for each of `count`. */
inline unsigned gz_blocks_for(size_t count, unsigned block) { return (unsigned)((count + block - 1) / block); }

#endif
