#include "broad/workspace.h"

#define LEAST_SHARED (GZ_SHARED_BYTES / 64)
#define ALIGNMENT ((size_t)64)

/* A part of a chunk; NULL when there is none to have. */
static void *share(graze_context *context, gz_workspace *workspace, size_t wanted) {
    size_t size = (wanted + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!workspace->shares || size < LEAST_SHARED || size > GZ_SHARED_BYTES) return NULL;
    if (workspace->chunk_count == 0 || workspace->chunk_used + size > GZ_SHARED_BYTES) {
        if (workspace->chunk_count == GZ_SHARED_CHUNKS) return NULL;
        char *chunk = gz_allocate(context, GZ_SHARED_BYTES);
        if (!chunk) return NULL;
        workspace->chunks[workspace->chunk_count++] = chunk;
        workspace->chunk_used = 0;
    }
    void *part = workspace->chunks[workspace->chunk_count - 1] + workspace->chunk_used;
    workspace->chunk_used += size;
    return part;
}

static void drop(graze_context *context, gz_workspace *workspace, gz_slot slot) {
    if (!workspace->slots[slot].shared) gz_release(context, workspace->slots[slot].bytes, workspace->slots[slot].size);
}

void *gz_reserve(graze_context *context, gz_workspace *workspace, gz_slot slot, size_t count, size_t size) {
    if (size && count > SIZE_MAX / size) return NULL;
    size_t wanted = count * size;
    if (!workspace->slots[slot].bytes || workspace->slots[slot].size < wanted) {
        /* a slot that grows has memory of its own: what it leaves in a chunk is lost once, not again and again */
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

void gz_workspace_clear(graze_context *context, gz_workspace *workspace) {
    for (int slot = 0; slot < GZ_SLOTS; slot++) gz_give_up(context, workspace, (gz_slot)slot);
    for (uint32_t i = 0; i < workspace->chunk_count; i++) gz_release(context, workspace->chunks[i], GZ_SHARED_BYTES);
    workspace->chunk_count = 0;
}
