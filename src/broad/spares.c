#include "broad/spares.h"

void *gz_spares_take(graze_context *context, gz_spares *spares, size_t size) {
    size_t place = atomic_fetch_add_explicit(&spares->taken, 1, memory_order_relaxed);
    return place < spares->count ? spares->blocks[place] : gz_allocate(context, size);
}

void gz_spares_forget_rest(graze_context *context, gz_spares *spares) {
    for (size_t i = atomic_load(&spares->taken); i < spares->count; i++)
        gz_release(context, spares->blocks[i], spares->size);
    spares->count = 0;
    atomic_store(&spares->taken, 0);
}

void gz_spares_put(graze_context *context, gz_spares *spares, void *block, size_t size) {
    void *blocks = spares->blocks;
    bool kept = !context->options.memory_limit &&
                gz_grow(context, &blocks, &spares->room, spares->count + 1, sizeof *spares->blocks);
    if (!kept) {
        gz_release(context, block, size);
        return;
    }
    spares->blocks = blocks;
    spares->blocks[spares->count++] = block;
    spares->size = size;
}

void gz_spares_clear(graze_context *context, gz_spares *spares) {
    gz_spares_forget_rest(context, spares);
    gz_release(context, spares->blocks, spares->room * sizeof *spares->blocks);
    spares->blocks = NULL;
    spares->room = 0;
}
