#include "broad/workspace.h"

void *gz_reserve(graze_context *context, gz_workspace *workspace, gz_slot slot, size_t count, size_t size) {
    if (size && count > SIZE_MAX / size) return NULL;
    size_t wanted = count * size;
    if (!workspace->slots[slot].bytes || workspace->slots[slot].size < wanted) {
        gz_release(context, workspace->slots[slot].bytes, workspace->slots[slot].size);
        workspace->slots[slot].bytes = gz_allocate(context, wanted);
        workspace->slots[slot].size = workspace->slots[slot].bytes ? wanted : 0;
    }
    return workspace->slots[slot].bytes;
}

void gz_give_up(graze_context *context, gz_workspace *workspace, gz_slot slot) {
    gz_release(context, workspace->slots[slot].bytes, workspace->slots[slot].size);
    workspace->slots[slot].bytes = NULL;
    workspace->slots[slot].size = 0;
}

void gz_workspace_clear(graze_context *context, gz_workspace *workspace) {
    for (int slot = 0; slot < GZ_SLOTS; slot++) gz_give_up(context, workspace, (gz_slot)slot);
}
