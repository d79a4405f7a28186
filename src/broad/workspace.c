#include "broad/workspace.h"

#define LEAST_SHARED (GZ_SHARED_BYTES / 64)
#define MOST_SHARED (GZ_SHARED_BYTES / 2) /* what is larger fills most of a large page by itself */
#define ALIGNMENT ((size_t)64)

/* A chunk with so much room, a new one if need be; -1 when there is none to have. */
static int chunk_for(graze_context *context, gz_workspace *workspace, size_t size) {
    uint32_t i = 0;
    while (i < workspace->chunk_count && workspace->chunks[i].used + size > GZ_SHARED_BYTES) i++;
    if (i < workspace->chunk_count) return (int)i;
    char *bytes = i < GZ_SHARED_CHUNKS ? gz_allocate(context, GZ_SHARED_BYTES) : NULL;
    if (!bytes) return -1;
    workspace->chunks[i].bytes = bytes;
    workspace->chunks[i].used = 0;
    workspace->chunk_count++;
    return (int)i;
}

/* A part of a chunk; NULL where it is not to have one. */
static void *share(graze_context *context, gz_workspace *workspace, size_t wanted) {
    size_t size = (wanted + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!workspace->shares || size < LEAST_SHARED || size > MOST_SHARED) return NULL;
    int chunk = chunk_for(context, workspace, size);
    if (chunk < 0) return NULL;
    void *part = workspace->chunks[chunk].bytes + workspace->chunks[chunk].used;
    workspace->chunks[chunk].used += size;
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
    for (uint32_t i = 0; i < workspace->chunk_count; i++)
        gz_release(context, workspace->chunks[i].bytes, GZ_SHARED_BYTES);
    workspace->chunk_count = 0;
}
