#include "mpi/ranks/hold.h"

#include <string.h>

/* Before each block; as long as the alignment of the context's memory. */
typedef struct gz_held {
    struct gz_held *next, *before;
    size_t bytes;
} gz_held;

#define HEADER ((size_t)64)

void *gz_hold_get(gz_hold *hold, size_t count, size_t size) {
    if (size && count > (PTRDIFF_MAX - HEADER) / size) return NULL;
    size_t bytes = HEADER + count * size;
    gz_held *held = gz_allocate(hold->context, bytes);
    if (!held) return NULL;
    *held = (gz_held){.next = hold->first, .bytes = bytes};
    if (hold->first) hold->first->before = held;
    hold->first = held;
    return (char *)held + HEADER;
}

void *gz_hold_zeros(gz_hold *hold, size_t count, size_t size) {
    void *block = gz_hold_get(hold, count, size);
    if (block) memset(block, 0, count * size);
    return block;
}

void gz_hold_drop(gz_hold *hold, void *block) {
    if (!block) return;
    gz_held *held = (gz_held *)(void *)((char *)block - HEADER);
    if (held->before) held->before->next = held->next;
    if (hold->first == held) hold->first = held->next;
    if (held->next) held->next->before = held->before;
    gz_release(hold->context, held, held->bytes);
}

void gz_hold_free(gz_hold *hold) {
    while (hold->first) gz_hold_drop(hold, (char *)hold->first + HEADER);
}
