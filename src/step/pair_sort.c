/* First into buckets by the highest bits, few enough that each write goes to a page at hand; then each bucket, which
   fits the second-level cache, on its own. The keys of a bucket lie where its pairs will be: memory that is new takes
   longer to get than to sort. */
#include "step/pair_sort.h"

#include "step/mesh_pair.h"

#include <string.h>

#define BUCKET_KEYS 32768u /* fit the second-level cache */
#define FEW_KEYS 512u      /* not worth another bucket */
#define BUCKETS_EACH 4u    /* for each thread, if keys are not few */
#define BUCKET_BITS_MOST 10
#define DIGIT_BITS 12
#define FEW_TO_INSERT 64u
#define FEW_TO_COUNT 2048u /* with as many digits of 12 bits */

static int bits_for(uint32_t count) {
    int bits = 0;
    while (count >> bits && bits < 32) bits++;
    return bits;
}

gz_pair_key gz_pair_key_for(const gz_step_call *call, graze_kind kind) {
    const graze_mesh *mesh = call->mesh;
    uint32_t a, b;
    gz_pair_counts(mesh, kind, &a, &b);
    return (gz_pair_key){.b_bits = bits_for(b), .bits = bits_for(a) + bits_for(b)};
}

typedef struct sort_job {
    gz_key_chunk *const *chunks;
    size_t chunk_count, total;
    int shift; /* the bucket of a key is key >> shift */
    size_t buckets;
    size_t *counts; /* a row of buckets for each chunk: how many, then where they go */
    size_t *starts; /* of the buckets, and the end of the last */
    uint64_t *keys; /* of the first bucket; those of others lie behind them */
    uint64_t *other;
    size_t other_room; /* of each worker; 0: each bucket has its own place in `other` */
    graze_kind kind;
    gz_pair_key key;
    graze_pair *pairs;
} sort_job;

/* A pair is longer than a key, by enough to begin at a multiple of the key's size. */
static uint64_t *keys_at(graze_pair *pairs) {
    uintptr_t at = (uintptr_t)pairs, size = sizeof(uint64_t);
    return (uint64_t *)((at + size - 1) / size * size);
}

static void count_chunks(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const sort_job *job = state;
    for (size_t c = begin; c < end; c++) {
        const gz_key_chunk *chunk = job->chunks[c];
        size_t *counts = job->counts + c * job->buckets;
        memset(counts, 0, job->buckets * sizeof *counts);
        for (size_t i = 0; i < chunk->count; i++) counts[chunk->keys[i] >> job->shift]++;
    }
}

static void scatter_chunks(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const sort_job *job = state;
    for (size_t c = begin; c < end; c++) {
        const gz_key_chunk *chunk = job->chunks[c];
        size_t *next = job->counts + c * job->buckets;
        for (size_t i = 0; i < chunk->count; i++) job->keys[next[chunk->keys[i] >> job->shift]++] = chunk->keys[i];
    }
}

/* Turns counts into places; returns the size of the largest bucket. */
static size_t place_buckets(sort_job *job) {
    size_t sum = 0, largest = 0;
    for (size_t b = 0; b < job->buckets; b++) {
        size_t next = (size_t)(keys_at(job->pairs + sum) - job->keys);
        job->starts[b] = sum;
        for (size_t c = 0; c < job->chunk_count; c++) {
            size_t *count = &job->counts[c * job->buckets + b], n = *count;
            *count = next;
            next += n;
            sum += n;
        }
        if (sum - job->starts[b] > largest) largest = sum - job->starts[b];
    }
    job->starts[job->buckets] = sum;
    return largest;
}

static graze_pair pair_of(const sort_job *job, uint64_t key) {
    return (graze_pair){job->kind, (uint32_t)(key >> job->key.b_bits),
                        (uint32_t)(key & (((uint64_t)1 << job->key.b_bits) - 1))};
}

static void insert_few(const uint64_t *from, uint64_t *keys, size_t count) {
    for (size_t i = 0; i < count; i++) {
        size_t k = i;
        for (; k > 0 && keys[k - 1] > from[i]; k--) keys[k] = keys[k - 1];
        keys[k] = from[i];
    }
}

static void sort_digit(const uint64_t *from, uint64_t *to, size_t count, int shift, int width) {
    uint32_t next[1u << DIGIT_BITS], sum = 0;
    uint64_t mask = ((uint64_t)1 << width) - 1;
    memset(next, 0, (mask + 1) * sizeof *next);
    for (size_t i = 0; i < count; i++) next[from[i] >> shift & mask]++;
    for (uint64_t value = 0; value <= mask; value++) {
        uint32_t n = next[value];
        next[value] = sum;
        sum += n;
    }
    for (size_t i = 0; i < count; i++) to[next[from[i] >> shift & mask]++] = from[i];
}

/* Keys that differ only in their lowest `bits` bits, sorted: they lie in a half of `other`, which has room for twice as
   many. */
static const uint64_t *sort_bucket(const uint64_t *keys, uint64_t *other, size_t count, int bits) {
    if (count < FEW_TO_INSERT) {
        insert_few(keys, other, count);
        return other;
    }
    int most = count < FEW_TO_COUNT ? 8 : DIGIT_BITS, passes = bits ? (bits + most - 1) / most : 1;
    int width = (bits + passes - 1) / passes;
    for (int pass = 0; pass < passes; pass++) {
        uint64_t *to = other + (pass & 1 ? count : 0);
        sort_digit(keys, to, count, pass * width, width);
        keys = to;
    }
    return keys;
}

static void sort_buckets(void *state, size_t begin, size_t end, uint32_t worker) {
    const sort_job *job = state;
    for (size_t b = begin; b < end; b++) {
        size_t start = job->starts[b], count = job->starts[b + 1] - start;
        uint64_t *other = job->other + 2 * (job->other_room ? worker * job->other_room : start);
        graze_pair *pairs = job->pairs + start;
        const uint64_t *keys = sort_bucket(keys_at(pairs), other, count, job->shift);
        for (size_t i = 0; i < count; i++) pairs[i] = pair_of(job, keys[i]);
    }
}

/* Keys that a bucket is to have at most, if they are spread evenly. */
static size_t keys_in_bucket(const graze_context *context, size_t total) {
    if (context->threads == 1) return BUCKET_KEYS;
    size_t fair = total / (BUCKETS_EACH * (size_t)context->threads);
    return fair < FEW_KEYS ? FEW_KEYS : fair > BUCKET_KEYS ? BUCKET_KEYS : fair;
}

bool gz_pair_sort(const gz_step_call *call, graze_kind kind, gz_key_chunk *const *chunks, size_t chunk_count,
                  size_t total, graze_pair *pairs) {
    graze_context *context = call->context;
    gz_workspace *workspace = call->workspace;
    sort_job job = {.chunks = chunks,
                    .chunk_count = chunk_count,
                    .total = total,
                    .kind = kind,
                    .key = gz_pair_key_for(call, kind),
                    .pairs = pairs,
                    .keys = keys_at(pairs)};
    size_t most = keys_in_bucket(context, total);
    int bucket_bits = 0;
    while (bucket_bits < BUCKET_BITS_MOST && bucket_bits < job.key.bits && total >> bucket_bits > most) bucket_bits++;
    job.shift = job.key.bits - bucket_bits;
    job.buckets = (size_t)1 << bucket_bits;
    job.counts =
        gz_reserve(context, workspace, GZ_SLOT_SORT_COUNTS, (chunk_count + 1) * job.buckets + 1, sizeof *job.counts);
    if (!job.counts) return false;
    job.starts = job.counts + chunk_count * job.buckets;
    gz_parallel(context, chunk_count, 1, count_chunks, &job);
    size_t largest = place_buckets(&job), threads = context->threads;
    if (largest > UINT32_MAX) return false;
    if (largest <= total / threads) job.other_room = largest;
    job.other = gz_reserve(context, workspace, GZ_SLOT_SORT_OTHER, job.other_room ? threads * largest : total,
                           2 * sizeof *job.other);
    if (!job.other) return false;
    gz_parallel(context, chunk_count, 1, scatter_chunks, &job);
    gz_parallel(context, job.buckets, 1, sort_buckets, &job);
    return true;
}
