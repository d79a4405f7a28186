#include "mpi/ranks/spread.h"

#include <string.h>

#define SAMPLES 32u

/* An item that stands for so many. The key comes first, for `compare`. */
typedef struct sample {
    uint64_t key[GZ_SPREAD_KEY / 8];
    double weight;
} sample;

static void take_samples(const char *items, size_t count, size_t size, sample *mine) {
    size_t bytes = size < GZ_SPREAD_KEY ? size : GZ_SPREAD_KEY;
    memset(mine, 0, SAMPLES * sizeof *mine);
    for (uint32_t k = 0; count && k < SAMPLES; k++) {
        memcpy(mine[k].key, items + (count * (2 * k + 1) / (2 * SAMPLES)) * size, bytes);
        mine[k].weight = (double)count / SAMPLES;
    }
}

/* Drops samples of ranks that have nothing; how many are left. */
static size_t drop_empty(sample *samples, size_t count) {
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        if (samples[i].weight > 0) samples[left++] = samples[i];
    return left;
}

static size_t first_not_before(const char *items, size_t count, size_t size, const void *key, gz_compare *compare) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(items + middle * size, key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Counts the items that go to each rank: the ranges end where the samples say. */
static void count_ranges(const gz_ranks *ranks, const sample *samples, size_t sample_count, const char *items,
                         size_t count, size_t size, gz_compare *compare, size_t *counts) {
    double total = 0, before = 0;
    size_t next = 0, begin = 0;
    for (size_t i = 0; i < sample_count; i++) total += samples[i].weight;
    for (uint32_t r = 0; r < ranks->count; r++) {
        while (next < sample_count && before < total * (r + 1) / ranks->count) before += samples[next++].weight;
        bool last = r + 1 == ranks->count || next == sample_count;
        size_t end = last ? count : first_not_before(items, count, size, samples[next].key, compare);
        counts[r] = end - begin;
        begin = end;
    }
}

graze_status gz_spread(gz_ranks *ranks, graze_status mine, gz_hold *hold, const void *items, size_t count, size_t size,
                       gz_compare *compare, void **received, size_t *sent_counts, size_t *received_counts) {
    size_t sample_count = (size_t)SAMPLES * ranks->count;
    sample own[SAMPLES];
    sample *samples = gz_hold_get(hold, sample_count, sizeof *samples),
           *scratch = gz_hold_get(hold, sample_count, sizeof *scratch);
    if (mine == GRAZE_OK && !(samples && scratch)) mine = GRAZE_ERR_OUT_OF_MEMORY;
    take_samples(items, mine == GRAZE_OK ? count : 0, size, own);
    graze_status status = gz_ranks_gather(ranks, mine, own, sizeof own, samples);
    if (status != GRAZE_OK) return status;
    sample_count = drop_empty(samples, sample_count);
    gz_merge_sort(samples, scratch, sample_count, sizeof *samples, compare);
    count_ranges(ranks, samples, sample_count, items, count, size, compare, sent_counts);
    gz_hold_drop(hold, samples);
    gz_hold_drop(hold, scratch);
    return gz_ranks_exchange(ranks, GRAZE_OK, hold, items, sent_counts, size, received, received_counts);
}

graze_status gz_spread_first(gz_ranks *ranks, graze_status mine, gz_hold *hold, uint64_t count, uint64_t *first,
                             uint64_t *total) {
    uint64_t *all = gz_hold_get(hold, ranks->count, sizeof *all);
    graze_status status =
        gz_ranks_gather(ranks, mine == GRAZE_OK && !all ? GRAZE_ERR_OUT_OF_MEMORY : mine, &count, sizeof count, all);
    *first = *total = 0;
    for (uint32_t r = 0; status == GRAZE_OK && r < ranks->count; r++) {
        if (r < ranks->rank) *first += all[r];
        *total += all[r];
    }
    gz_hold_drop(hold, all);
    return status;
}
