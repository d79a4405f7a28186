#include "broad/workspace.h"

#include "base/memory.h"

#define LEAST_SHARED ((size_t)1 << 15)
#define ALIGNMENT ((size_t)64)
#define PAGE ((size_t)1 << 12)

static void touch_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    char *bytes = state;
    for (size_t page = begin; page < end; page++) bytes[page * PAGE] = 0;
}

/* New pages are cleared where they are first written to: each large one by one thread, and all at once, before loops
   whose threads would wait for each other's. */
static void touch(graze_context *context, char *bytes, size_t size) {
    if (context->threads > 1) gz_parallel(context, size / PAGE, GZ_LARGE_PAGE / PAGE, touch_range, bytes);
}

static bool open_block(graze_context *context, gz_workspace *workspace) {
    if (workspace->block.bytes) return true;
    size_t size = (workspace->shared_bytes + PAGE - 1) / PAGE * PAGE;
    char *bytes = size ? gz_allocate(context, size) : NULL;
    if (!bytes) return false;
    workspace->block.bytes = bytes;
    workspace->block.size = size;
    workspace->block.used = 0;
    touch(context, bytes, workspace->block.size);
    return true;
}

/* A part of the block; NULL where it is not to have one. */
static void *share(graze_context *context, gz_workspace *workspace, size_t wanted) {
    size_t size = (wanted + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!workspace->shared_bytes || size < LEAST_SHARED || !open_block(context, workspace)) return NULL;
    if (size > workspace->block.size - workspace->block.used) return NULL;
    void *part = workspace->block.bytes + workspace->block.used;
    workspace->block.used += size;
    return part;
}

static void drop(graze_context *context, gz_workspace *workspace, gz_slot slot) {
    if (!workspace->slots[slot].shared) gz_release(context, workspace->slots[slot].bytes, workspace->slots[slot].size);
}

void *gz_reserve(graze_context *context, gz_workspace *workspace, gz_slot slot, size_t count, size_t size) {
    if (size && count > SIZE_MAX / size) return NULL;
    size_t wanted = count * size;
    if (!workspace->slots[slot].bytes || workspace->slots[slot].size < wanted) {
        /* a slot that grows has memory of its own: what it leaves in the block is lost once, not again and again */
        void *part = workspace->slots[slot].bytes ? NULL : share(context, workspace, wanted);
        drop(context, workspace, slot);
        workspace->slots[slot].shared = part != NULL;
        workspace->slots[slot].bytes = part ? part : gz_allocate(context, wanted);
        workspace->slots[slot].size = workspace->slots[slot].bytes ? wanted : 0;
    }
    return workspace->slots[slot].bytes;
}

void gz_give_up(graze_context *context, gz_workspace *workspace, gz_slot slot) {
    drop(context, workspace, slot);
    workspace->slots[slot].bytes = NULL;
    workspace->slots[slot].size = 0;
}

/* ---- spare blocks ---- */

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

static void clear_spares(graze_context *context, gz_spares *spares) {
    gz_spares_forget_rest(context, spares);
    gz_release(context, spares->blocks, spares->room * sizeof *spares->blocks);
    spares->blocks = NULL;
    spares->room = 0;
}

void gz_workspace_clear(graze_context *context, gz_workspace *workspace) {
    for (int slot = 0; slot < GZ_SLOTS; slot++) gz_give_up(context, workspace, (gz_slot)slot);
    clear_spares(context, &workspace->spares);
    gz_release(context, workspace->block.bytes, workspace->block.size);
    workspace->block.bytes = NULL;
}
