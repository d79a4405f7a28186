#include "broad/sort.h"

#include "broad/bucket_sort.h"

#include <string.h>

#define DIGIT_BITS 11
#define DIGITS (1u << DIGIT_BITS)
#define LEAST_SLICE 4096 /* items below which another slice costs more than it gains */

static size_t slices_for(const graze_context *context, size_t count) {
    size_t most = context ? context->threads : 1, wanted = count / LEAST_SLICE + 1;
    return wanted < most ? wanted : most;
}

size_t gz_sort_scratch(const graze_context *context, size_t count) {
    size_t digits = slices_for(context, count) * sizeof(uint32_t[DIGITS]);
    size_t buckets = gz_bucket_sort_scratch(context, count);
    return digits > buckets ? digits : buckets;
}

static inline unsigned digit_of(uint64_t key, int shift) { return (unsigned)(key >> shift) & (DIGITS - 1); }

#define SORT_ITEM gz_keyed
#define SORT_KEY(item) (item).key
#define SORT_NAME(name) keyed_##name
#define SORT_FUNCTION gz_sort
#define SORT_STATIC
#include "broad/sort_body.h"

#define SORT_ITEM uint64_t
#define SORT_KEY(item) ((item) >> 32)
#define SORT_NAME(name) packed_##name
#define SORT_FUNCTION sort_packed
#define SORT_STATIC static
#include "broad/sort_body.h"

uint64_t *gz_sort_packed(graze_context *context, uint64_t *items, uint64_t *other, size_t count, int bits,
                         void *scratch) {
    if (gz_bucket_sort(context, items, other, count, bits, scratch)) return items;
    return sort_packed(context, items, other, count, bits, scratch);
}
