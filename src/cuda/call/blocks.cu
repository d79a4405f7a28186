#include "cuda/call/blocks.cuh"

#define LOCKED_FROM ((size_t)1 << 20) /* bytes of a list of pairs */

static void unlock(const gz_known_block &known) {
    if (known.locked) cudaHostUnregister(known.address);
}

bool gz_lock_pages(gz_cuda_backend *b, const void *block, size_t size) {
    if (size < LOCKED_FROM) return false;
    std::lock_guard<std::mutex> guard(b->blocks_lock);
    for (gz_known_block &known : b->blocks) {
        if (known.address != block) continue;
        if (known.locked >= size) return true;
        if (known.locked) cudaHostUnregister(known.address);
        bool locked = cudaHostRegister(known.address, size, cudaHostRegisterDefault) == cudaSuccess;
        if (!locked) cudaGetLastError(); /* then they are copied */
        known.locked = locked ? size : 0;
        return locked;
    }
    b->blocks.push_back({(void *)block, 0});
    return false;
}

void gz_forget_block(gz_cuda_backend *b, const void *block) {
    std::lock_guard<std::mutex> guard(b->blocks_lock);
    for (size_t i = 0; i < b->blocks.size(); i++) {
        if (b->blocks[i].address != block) continue;
        gz_device_in_use in_use(b->device);
        unlock(b->blocks[i]);
        b->blocks[i] = b->blocks.back();
        b->blocks.pop_back();
        return;
    }
}

void gz_unlock_blocks(gz_cuda_backend *b) {
    for (const gz_known_block &known : b->blocks) unlock(known);
}
