/* The device: its memory, and streams of work that is done only when somebody waits for it, or asks whether it is done.
 */
#ifndef GRAZE_SOFTWARE_DEVICE_STATE_H
#define GRAZE_SOFTWARE_DEVICE_STATE_H

#include "grid.h"

#include <deque>
#include <map>
#include <mutex>
#include <vector>

namespace software {

/* A piece of work that is under way. */
struct work {
    virtual ~work() {}
    /* As grid_run. */
    virtual bool go(size_t *budget) = 0;
    /* True while it waits for another stream. */
    virtual bool is_held_up() const { return false; }
};
/* Makes it anew: a graph has the same piece of work again and again. */
typedef std::function<std::unique_ptr<work>()> work_maker;

struct memory_block {
    size_t size;
    cudaMemoryType type;
};

struct device_state {
    std::mutex lock; /* of everything */
    std::map<uintptr_t, memory_block> memory;
    size_t used = 0; /* bytes of the device */
    std::vector<CUstream_st *> streams;
    bool lost = false; /* for good */
};

device_state &device();

/* The block that an address lies in; NULL: memory that the device knows nothing of. */
const memory_block *memory_at(const void *address, uintptr_t *start = nullptr);
cudaError_t allocate(void **memory, size_t size, cudaMemoryType type);
cudaError_t release(void *memory, cudaMemoryType type);

/* Adds work to a stream, or to the graph that it is being captured for. */
cudaError_t push(cudaStream_t stream, const work_maker &make);
cudaError_t push_function(cudaStream_t stream, const std::function<void()> &function);
/* Copies in the order of the stream; memory that is not page-locked is read at once, and written before the return. */
cudaError_t push_copy(cudaStream_t stream, char *to, size_t to_stride, const char *from, size_t from_stride,
                      size_t width, size_t rows);
cudaStream_t open_stream();
/* Waits for all that is in a stream, or in all of them. */
cudaError_t drain(std::unique_lock<std::mutex> &held, cudaStream_t stream);
cudaError_t drain_all(std::unique_lock<std::mutex> &held);
/* All work is lost, and every call fails from now on. */
void lose_device();
/* True while this thread captures a graph: then calls that wait or allocate are errors. */
bool is_capturing();

} // namespace software

#endif
