/* A stable radix sort on the context's threads. */
#ifndef GZ_BROAD_SORT_H
#define GZ_BROAD_SORT_H

#include "base/context.h"

typedef struct gz_keyed {
    uint64_t key;
    uint32_t id;
} gz_keyed;

/* Bytes of scratch that a sort of `count` items wants beside its second array. */
size_t gz_sort_scratch(const graze_context *context, size_t count);

/* Sorts `items` by the lowest `bits` bits of the key, equal keys in their order. `other` has room for as many items;
   the result lies in the array that is returned. */
gz_keyed *gz_sort(graze_context *context, gz_keyed *items, gz_keyed *other, size_t count, int bits, void *scratch);

/* As gz_sort, but for items of key × 2^32 + id: half the memory where 32 bits do. */
uint64_t *gz_sort_packed(graze_context *context, uint64_t *items, uint64_t *other, size_t count, int bits,
                         void *scratch);

/* A key that orders doubles (no NaN) as < does, −0 before +0. */
static inline uint64_t gz_double_key(double x) {
    union {
        double d;
        uint64_t u;
    } pun = {.d = x};
    return pun.u >> 63 ? ~pun.u : pun.u | (uint64_t)1 << 63;
}

#endif
