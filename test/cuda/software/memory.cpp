/* Memory of the device, and memory of the host that it knows. */
#include "device_state.h"

#include <cstdlib>
#include <sys/mman.h>

#define ALL_MEMORY ((size_t)6 << 30)   /* bytes of the device: counted, not taken before they are used */
#define FILLED_UP_TO ((size_t)1 << 24) /* new memory has what nobody expects in it, unless it is much */

namespace software {

const memory_block *memory_at(const void *address, uintptr_t *start) {
    auto next = device().memory.upper_bound((uintptr_t)address);
    if (next == device().memory.begin()) return nullptr;
    --next;
    if ((uintptr_t)address - next->first >= next->second.size) return nullptr;
    if (start) *start = next->first;
    return &next->second;
}

cudaError_t allocate(void **memory, size_t size, cudaMemoryType type) {
    const bool on_device = type == cudaMemoryTypeDevice;
    *memory = nullptr;
    if (device().lost) return cudaErrorLaunchFailure;
    if (is_capturing()) return cudaErrorStreamCaptureUnsupported;
    if (!size) return cudaSuccess;
    if (on_device && size > ALL_MEMORY - device().used) return cudaErrorMemoryAllocation;
    void *made = nullptr;
    if (posix_memalign(&made, 256, size) != 0) return cudaErrorMemoryAllocation;
    if (size <= FILLED_UP_TO) std::memset(made, 0xa5, size);
    device().memory[(uintptr_t)made] = {size, type};
    if (on_device) device().used += size;
    *memory = made;
    return cudaSuccess;
}

cudaError_t release(void *memory, cudaMemoryType type) {
    if (!memory) return cudaSuccess;
    auto found = device().memory.find((uintptr_t)memory);
    if (found == device().memory.end() || found->second.type != type) return cudaErrorInvalidValue;
    if (type == cudaMemoryTypeDevice) device().used -= found->second.size;
    device().memory.erase(found);
    std::free(memory);
    return device().lost ? cudaErrorLaunchFailure : cudaSuccess;
}

} // namespace software

using namespace software;

/* ---- what the library calls ---- */

cudaError_t note(cudaError_t code);

static cudaError_t allocate_noted(void **memory, size_t size, cudaMemoryType type) {
    std::unique_lock<std::mutex> held(device().lock);
    return note(allocate(memory, size, type));
}

/* Memory is given back once nothing can use it any more. */
static cudaError_t release_noted(void *memory, cudaMemoryType type) {
    std::unique_lock<std::mutex> held(device().lock);
    if (is_capturing()) return note(cudaErrorStreamCaptureUnsupported);
    if (memory) drain_all(held);
    return note(release(memory, type));
}

cudaError_t cudaMalloc(void **memory, size_t size) { return allocate_noted(memory, size, cudaMemoryTypeDevice); }
cudaError_t cudaFree(void *memory) { return release_noted(memory, cudaMemoryTypeDevice); }
cudaError_t cudaMallocHost(void **memory, size_t size) { return allocate_noted(memory, size, cudaMemoryTypeHost); }
cudaError_t cudaFreeHost(void *memory) { return release_noted(memory, cudaMemoryTypeHost); }

cudaError_t cudaHostRegister(void *memory, size_t size, unsigned) {
    std::unique_lock<std::mutex> held(device().lock);
    if (device().lost) return note(cudaErrorLaunchFailure);
    if (!memory || !size || memory_at(memory) || memory_at((char *)memory + size - 1))
        return note(cudaErrorInvalidValue);
    device().memory[(uintptr_t)memory] = {size, cudaMemoryTypeHost};
    return cudaSuccess;
}

cudaError_t cudaHostUnregister(void *memory) {
    std::unique_lock<std::mutex> held(device().lock);
    drain_all(held);
    return note(device().memory.erase((uintptr_t)memory) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
    std::unique_lock<std::mutex> held(device().lock);
    *total = ALL_MEMORY;
    *free = ALL_MEMORY - device().used;
    return note(device().lost ? cudaErrorLaunchFailure : cudaSuccess);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *memory) {
    std::unique_lock<std::mutex> held(device().lock);
    const memory_block *block = memory_at(memory);
    *attributes = {block ? block->type : cudaMemoryTypeUnregistered, block ? 0 : -2};
    return note(device().lost ? cudaErrorLaunchFailure : cudaSuccess);
}
