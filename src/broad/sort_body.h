/* The radix sort, for any item: included by sort.c with SORT_ITEM, SORT_KEY, SORT_NAME, SORT_FUNCTION and
   SORT_STATIC set. */
typedef struct SORT_NAME(sort_job) {
    const SORT_ITEM *from;
    SORT_ITEM *to;
    size_t count, slices;
    int shift;
    uint32_t (*counts)[DIGITS]; /* one row for each slice */
} SORT_NAME(sort_job);

static void SORT_NAME(slice_bounds)(const SORT_NAME(sort_job) * job, size_t slice, size_t *begin, size_t *end) {
    *begin = job->count / job->slices * slice;
    *end = slice + 1 == job->slices ? job->count : job->count / job->slices * (slice + 1);
}

static void SORT_NAME(count_slices)(void *state, size_t first, size_t last, uint32_t worker) {
    (void)worker;
    const SORT_NAME(sort_job) *job = state;
    for (size_t slice = first; slice < last; slice++) {
        size_t begin, end;
        SORT_NAME(slice_bounds)(job, slice, &begin, &end);
        uint32_t *counts = job->counts[slice];
        memset(counts, 0, sizeof job->counts[slice]);
        for (size_t i = begin; i < end; i++) counts[digit_of(SORT_KEY(job->from[i]), job->shift)]++;
    }
}

static void SORT_NAME(scatter_slices)(void *state, size_t first, size_t last, uint32_t worker) {
    (void)worker;
    const SORT_NAME(sort_job) *job = state;
    for (size_t slice = first; slice < last; slice++) {
        size_t begin, end;
        SORT_NAME(slice_bounds)(job, slice, &begin, &end);
        uint32_t *next = job->counts[slice];
        for (size_t i = begin; i < end; i++)
            job->to[next[digit_of(SORT_KEY(job->from[i]), job->shift)]++] = job->from[i];
    }
}

/* Turns counts into the place where each slice writes each digit; false when one digit has all items. */
static bool SORT_NAME(place)(SORT_NAME(sort_job) * job) {
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

SORT_STATIC SORT_ITEM *SORT_FUNCTION(graze_context *context, SORT_ITEM *items, SORT_ITEM *other, size_t count, int bits,
                                     void *scratch) {
    if (count < 64) { /* insertion sort: no passes over empty digits for the smallest meshes */
        for (size_t i = 1; i < count; i++) {
            SORT_ITEM item = items[i];
            size_t j = i;
            for (; j > 0 && SORT_KEY(items[j - 1]) > SORT_KEY(item); j--) items[j] = items[j - 1];
            items[j] = item;
        }
        return items;
    }
    SORT_NAME(sort_job) job = {.count = count, .slices = slices_for(context, count), .counts = scratch};
    for (job.shift = 0; job.shift < bits; job.shift += DIGIT_BITS) {
        job.from = items;
        job.to = other;
        gz_parallel(context, job.slices, 1, SORT_NAME(count_slices), &job);
        if (!SORT_NAME(place)(&job)) continue;
        gz_parallel(context, job.slices, 1, SORT_NAME(scatter_slices), &job);
        SORT_ITEM *sorted = other;
        other = items;
        items = sorted;
    }
    return items;
}

#undef SORT_ITEM
#undef SORT_KEY
#undef SORT_NAME
#undef SORT_FUNCTION
#undef SORT_STATIC
