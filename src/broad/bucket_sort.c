/* Into buckets by the highest bits, then each bucket on its own. Counters of all threads meet once, and are few: each
   of them travels from core to core. */
#include "broad/bucket_sort.h"

#include <string.h>

#define BUCKET_BITS 9
#define BUCKETS (1u << BUCKET_BITS)
#define LEAST_SLICE 1024u
#define DIGIT_BITS 8
#define FEW 32u
#define AT_ONCE 4u     /* buckets */
#define MOST_IN_ONE 3u /* of the items: with more in one bucket, whoever sorts it keeps the others waiting */

typedef struct bucket_job {
    uint64_t *items, *other;
    size_t count, slices;
    int bits;                    /* of an item that tell the items of a bucket apart */
    uint32_t (*counts)[BUCKETS]; /* one row for each slice; behind them: */
    uint32_t *starts;            /* of the buckets, and the end of the last */
} bucket_job;

static size_t slices_for(const graze_context *context, size_t count) {
    size_t most = context ? context->threads : 1, wanted = count / LEAST_SLICE + 1;
    return wanted < most ? wanted : most;
}

size_t gz_bucket_sort_scratch(const graze_context *context, size_t count) {
    return (slices_for(context, count) + 1) * sizeof(uint32_t[BUCKETS]) + sizeof(uint32_t);
}

static inline unsigned bucket_of(const bucket_job *job, uint64_t item) {
    return (unsigned)(item >> (32 + job->bits)) & (BUCKETS - 1);
}

static void count_slices(void *state, size_t first, size_t last, uint32_t worker) {
    (void)worker;
    const bucket_job *job = state;
    for (size_t slice = first; slice < last; slice++) {
        size_t end = job->count * (slice + 1) / job->slices;
        uint32_t *counts = job->counts[slice];
        memset(counts, 0, sizeof job->counts[slice]);
        for (size_t i = job->count * slice / job->slices; i < end; i++) counts[bucket_of(job, job->items[i])]++;
    }
}

static void scatter_slices(void *state, size_t first, size_t last, uint32_t worker) {
    (void)worker;
    const bucket_job *job = state;
    for (size_t slice = first; slice < last; slice++) {
        size_t end = job->count * (slice + 1) / job->slices;
        uint32_t *next = job->counts[slice];
        for (size_t i = job->count * slice / job->slices; i < end; i++)
            job->other[next[bucket_of(job, job->items[i])]++] = job->items[i];
    }
}

/* Turns counts into the place where each slice writes to each bucket; returns the size of the largest bucket. */
static uint32_t place_buckets(bucket_job *job) {
    uint32_t sum = 0, largest = 0;
    for (unsigned b = 0; b < BUCKETS; b++) {
        job->starts[b] = sum;
        for (size_t slice = 0; slice < job->slices; slice++) {
            uint32_t n = job->counts[slice][b];
            job->counts[slice][b] = sum;
            sum += n;
        }
        if (sum - job->starts[b] > largest) largest = sum - job->starts[b];
    }
    job->starts[BUCKETS] = sum;
    return largest;
}

static void insert_all(const uint64_t *from, uint64_t *to, size_t count) {
    for (size_t i = 0; i < count; i++) {
        size_t k = i;
        for (; k > 0 && to[k - 1] >> 32 > from[i] >> 32; k--) to[k] = to[k - 1];
        to[k] = from[i];
    }
}

static void sort_digit(const uint64_t *from, uint64_t *to, size_t count, int shift, int width) {
    uint32_t next[1u << DIGIT_BITS], sum = 0;
    unsigned digits = 1u << width;
    memset(next, 0, digits * sizeof *next);
    for (size_t i = 0; i < count; i++) next[from[i] >> shift & (digits - 1)]++;
    for (unsigned d = 0; d < digits; d++) {
        uint32_t n = next[d];
        next[d] = sum;
        sum += n;
    }
    for (size_t i = 0; i < count; i++) to[next[from[i] >> shift & (digits - 1)]++] = from[i];
}

/* Items of one bucket, which lie in `other`, to their places in `items`. */
static void sort_bucket(uint64_t *items, uint64_t *other, size_t count, int bits) {
    int passes = (bits + DIGIT_BITS - 1) / DIGIT_BITS;
    uint64_t *from = other, *to = items;
    if (count <= FEW) {
        insert_all(other, items, count);
        return;
    }
    for (int pass = 0; pass < passes; pass++) {
        int shift = bits * pass / passes;
        sort_digit(from, to, count, 32 + shift, bits * (pass + 1) / passes - shift);
        uint64_t *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != items) memcpy(items, from, count * sizeof *items);
}

static void sort_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const bucket_job *job = state;
    for (size_t b = begin; b < end; b++) {
        uint32_t start = job->starts[b];
        sort_bucket(job->items + start, job->other + start, job->starts[b + 1] - start, job->bits);
    }
}

bool gz_bucket_sort(graze_context *context, uint64_t *items, uint64_t *other, size_t count, int bits, void *scratch) {
    bucket_job job = {.items = items,
                      .other = other,
                      .count = count,
                      .slices = slices_for(context, count),
                      .bits = bits - BUCKET_BITS,
                      .counts = scratch};
    if (job.slices < 2 || job.bits < 0) return false;
    job.starts = job.counts[job.slices];
    gz_parallel(context, job.slices, 1, count_slices, &job);
    if (place_buckets(&job) > count / MOST_IN_ONE) return false;
    gz_parallel(context, job.slices, 1, scatter_slices, &job);
    gz_parallel(context, BUCKETS, AT_ONCE, sort_range, &job);
    return true;
}
