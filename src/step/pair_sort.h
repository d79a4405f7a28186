/* Sorts the keys of many pairs on the context's threads, straight into a list of pairs. */
#ifndef GZ_STEP_PAIR_SORT_H
#define GZ_STEP_PAIR_SORT_H

#include "step/call.h"

/* Orders pairs of one kind: key_of packs (a, b) so that keys sort as pairs do. */
typedef struct gz_pair_key {
    int b_bits, bits;
} gz_pair_key;
gz_pair_key gz_pair_key_for(const gz_step_call *call, graze_kind kind);
static inline uint64_t gz_pair_key_of(gz_pair_key key, uint32_t a, uint32_t b) { return (uint64_t)a << key.b_bits | b; }

/* Keys that one worker found, in pieces that never move. */
typedef struct gz_key_chunk {
    struct gz_key_chunk *next;
    size_t count;
    uint64_t keys[];
} gz_key_chunk;

static inline size_t gz_key_chunk_bytes(size_t keys) { return sizeof(gz_key_chunk) + keys * sizeof(uint64_t); }

/* Writes `total` pairs of one kind, all different, in the order of their keys. False when there is no memory. */
bool gz_pair_sort(const gz_step_call *call, graze_kind kind, gz_key_chunk *const *chunks, size_t chunk_count,
                  size_t total, graze_pair *pairs);

#endif
