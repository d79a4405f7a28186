#include "broad/sort.h"

#include <string.h>

#define DIGIT_BITS 11
#define DIGITS (1u << DIGIT_BITS)
#define LEAST_SLICE 16384 /* items below which another slice costs more than it gains */

typedef struct sort_job {
    const gz_keyed *from;
    gz_keyed *to;
    size_t count, slices;
    int shift;
    uint32_t (*counts)[DIGITS]; /* one row for each slice */
} sort_job;

static size_t slices_for(const graze_context *context, size_t count) {
    size_t most = context ? context->threads : 1, wanted = count / LEAST_SLICE + 1;
    return wanted < most ? wanted : most;
}

size_t gz_sort_scratch(const graze_context *context, size_t count) {
    return slices_for(context, count) * sizeof(uint32_t[DIGITS]);
}

static void slice_bounds(const sort_job *job, size_t slice, size_t *begin, size_t *end) {
    *begin = job->count / job->slices * slice;
    *end = slice + 1 == job->slices ? job->count : job->count / job->slices * (slice + 1);
}

static inline unsigned digit_of(uint64_t key, int shift) { return (unsigned)(key >> shift) & (DIGITS - 1); }

static void count_slices(void *state, size_t first, size_t last, uint32_t worker) {
    (void)worker;
    const sort_job *job = state;
    for (size_t slice = first; slice < last; slice++) {
        size_t begin, end;
        slice_bounds(job, slice, &begin, &end);
        uint32_t *counts = job->counts[slice];
        memset(counts, 0, sizeof job->counts[slice]);
        for (size_t i = begin; i < end; i++) counts[digit_of(job->from[i].key, job->shift)]++;
    }
}

static void scatter_slices(void *state, size_t first, size_t last, uint32_t worker) {
    (void)worker;
    const sort_job *job = state;
    for (size_t slice = first; slice < last; slice++) {
        size_t begin, end;
        slice_bounds(job, slice, &begin, &end);
        uint32_t *next = job->counts[slice];
        for (size_t i = begin; i < end; i++) job->to[next[digit_of(job->from[i].key, job->shift)]++] = job->from[i];
    }
}

/* Turns counts into the place where each slice writes each digit; false when one digit has all items. */
static bool place(sort_job *job) {
    uint32_t sum = 0;
    for (unsigned d = 0; d < DIGITS; d++) {
        uint32_t before = sum;
        for (size_t slice = 0; slice < job->slices; slice++) {
            uint32_t n = job->counts[slice][d];
            job->counts[slice][d] = sum;
            sum += n;
        }
        if (sum - before == job->count) return false;
    }
    return true;
}

gz_keyed *gz_sort(graze_context *context, gz_keyed *items, gz_keyed *other, size_t count, int bits, void *scratch) {
    if (count < 64) { /* insertion sort: no passes over empty digits for the smallest meshes */
        for (size_t i = 1; i < count; i++) {
            gz_keyed item = items[i];
            size_t j = i;
            for (; j > 0 && items[j - 1].key > item.key; j--) items[j] = items[j - 1];
            items[j] = item;
        }
        return items;
    }
    sort_job job = {.count = count, .slices = slices_for(context, count), .counts = scratch};
    for (job.shift = 0; job.shift < bits; job.shift += DIGIT_BITS) {
        job.from = items;
        job.to = other;
        gz_parallel(context, job.slices, 1, count_slices, &job);
        if (!place(&job)) continue;
        gz_parallel(context, job.slices, 1, scatter_slices, &job);
        gz_keyed *sorted = other;
        other = items;
        items = sorted;
    }
    return items;
}
