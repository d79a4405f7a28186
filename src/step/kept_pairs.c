#include "step/kept_pairs.h"

#include "base/backend_load.h"

#define KEPT_FROM 512u /* pairs; shorter lists are the allocator's business */

/* Lies before the pairs, as long as their alignment. */
typedef union header {
    size_t room; /* pairs */
    unsigned char bytes[64];
} header;

static header *header_of(graze_pair_result *pairs) { return (header *)(void *)pairs - 1; }

static size_t bytes_of(size_t room) { return sizeof(header) + room * sizeof(graze_pair_result); }

static void destroy(graze_context *context, header *list) {
    if (!list) return;
    gz_backend *backend = context ? context->backend.object : NULL;
    if (backend && backend->device) backend->table->forget(backend->device, list + 1);
    gz_release(context, list, bytes_of(list->room));
}

static header *make(graze_context *context, size_t room) {
    if (room > (SIZE_MAX - sizeof(header)) / sizeof(graze_pair_result)) return NULL;
    header *made = gz_allocate(context, bytes_of(room));
    if (made) made->room = room;
    return made;
}

static void forget(graze_context *context) { destroy(context, atomic_exchange(&context->spare_pairs, NULL)); }

graze_pair_result *gz_pairs_allocate(graze_context *context, size_t count) {
    context->forget_pairs = forget;
    header *list = atomic_exchange(&context->spare_pairs, NULL);
    if (!list || list->room < count || list->room / 4 > count) {
        destroy(context, list);
        /* some more, that the next list may be a little longer */
        list = count >= KEPT_FROM && count < SIZE_MAX / 2 ? make(context, count + count / 8) : NULL;
        if (!list) list = make(context, count);
    }
    return list ? (graze_pair_result *)(void *)(list + 1) : NULL;
}

void gz_pairs_release(graze_context *context, graze_pair_result *pairs) {
    if (!pairs) return;
    header *list = header_of(pairs);
    bool kept = context && list->room >= KEPT_FROM && !context->options.memory_limit;
    destroy(context, kept ? atomic_exchange(&context->spare_pairs, list) : list);
}
