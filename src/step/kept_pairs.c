#include "step/kept_pairs.h"

#include "base/backend_load.h"

#define KEPT_FROM ((size_t)1 << 15) /* bytes; shorter lists are the allocator's business */

/* Lies before the items, as long as their alignment. */
typedef union header {
    size_t room; /* bytes behind it */
    unsigned char bytes[64];
} header;

typedef _Atomic(void *) spare_list;

static void destroy(graze_context *context, header *list) {
    if (!list) return;
    gz_backend *backend = context ? context->backend.object : NULL;
    if (backend && backend->device) backend->table->forget(backend->device, list + 1);
    gz_release(context, list, sizeof(header) + list->room);
}

static header *make(graze_context *context, size_t room) {
    if (room > SIZE_MAX - sizeof(header)) return NULL;
    header *made = gz_allocate(context, sizeof(header) + room);
    if (made) made->room = room;
    return made;
}

static void forget(graze_context *context) {
    destroy(context, atomic_exchange(&context->spare_pairs, NULL));
    destroy(context, atomic_exchange(&context->spare_list, NULL));
    destroy(context, atomic_exchange(&context->spare_near, NULL));
}

/* `exact`: no room for more than that. */
static void *allocate(graze_context *context, spare_list *spare, size_t count, size_t size, bool exact) {
    if (count > SIZE_MAX / size) return NULL;
    size_t bytes = count * size;
    context->forget_pairs = forget;
    header *list = atomic_exchange(spare, NULL);
    if (!list || list->room < bytes || list->room / 4 > bytes || (exact && list->room > bytes)) {
        destroy(context, list);
        /* some more, that the next list may be a little longer */
        bool more = !exact && bytes >= KEPT_FROM && bytes < SIZE_MAX / 2 && !context->options.memory_limit;
        list = more ? make(context, bytes + bytes / 8) : NULL;
        if (!list) list = make(context, bytes);
    }
    return list ? list + 1 : NULL;
}

/* `spare` is NULL without a context. */
static void release(graze_context *context, spare_list *spare, void *items) {
    if (!items) return;
    header *list = (header *)items - 1;
    bool kept = spare && list->room >= KEPT_FROM && !context->options.memory_limit;
    destroy(context, kept ? atomic_exchange(spare, list) : list);
}

graze_pair_result *gz_pairs_allocate(graze_context *context, size_t count) {
    return allocate(context, &context->spare_pairs, count, sizeof(graze_pair_result), false);
}

void gz_pairs_release(graze_context *context, graze_pair_result *pairs) {
    release(context, context ? &context->spare_pairs : NULL, pairs);
}

graze_proximity_pair *gz_near_allocate(graze_context *context, size_t count) {
    return allocate(context, &context->spare_near, count, sizeof(graze_proximity_pair), false);
}

void gz_near_release(graze_context *context, graze_proximity_pair *pairs) {
    release(context, context ? &context->spare_near : NULL, pairs);
}

graze_pair *gz_list_allocate(graze_context *context, size_t count, bool exact) {
    return allocate(context, &context->spare_list, count, sizeof(graze_pair), exact);
}

void graze_pairs_release(graze_context *context, graze_pair *pairs, size_t count) {
    (void)count; /* the list knows it */
    if (context && gz_backend_has(context, pairs)) return;
    release(context, context ? &context->spare_list : NULL, pairs);
}
