/* Lists of pairs: what a search finds, sorted, for the caller to keep. */
#include "step/list.h"

#include "broad/sort.h"

#include <string.h>

#define CHUNK_KEYS 32768u
#define FILL_CHUNK 65536u

/* Pairs that one worker found, as sort keys, in pieces that never move. */
typedef struct key_chunk {
    struct key_chunk *next;
    size_t count;
    uint64_t keys[CHUNK_KEYS];
} key_chunk;

typedef struct found {
    key_chunk *chunks;
    bool out_of_memory;
} found;

typedef struct list_job {
    const gz_step_call *call;
    gz_pair_key key;
    gz_pair_test *test;
    found *workers;
} list_job;

static bool list_block(void *state, uint32_t worker, graze_kind kind, const uint32_t (*pairs)[2], size_t count) {
    list_job *job = state;
    found *mine = &job->workers[worker];
    for (size_t i = 0; i < count; i++) {
        int keep = job->test ? job->test(job->call, kind, pairs[i][0], pairs[i][1]) : 1;
        if (keep == 0) continue;
        if (keep > 0 && (!mine->chunks || mine->chunks->count == CHUNK_KEYS)) {
            key_chunk *chunk = gz_allocate(job->call->context, sizeof *chunk);
            keep = chunk ? 1 : -1;
            if (chunk) {
                chunk->next = mine->chunks;
                chunk->count = 0;
                mine->chunks = chunk;
            }
        }
        if (keep < 0) {
            mine->out_of_memory = true;
            return false;
        }
        mine->chunks->keys[mine->chunks->count++] = gz_pair_key_of(job->key, pairs[i][0], pairs[i][1]);
    }
    return true;
}

static void release_chunks(graze_context *context, found *worker) {
    while (worker->chunks) {
        key_chunk *next = worker->chunks->next;
        gz_release(context, worker->chunks, sizeof *worker->chunks);
        worker->chunks = next;
    }
}

/* Moves all keys into one array. */
static void gather(const list_job *job, uint64_t *keys) {
    graze_context *context = job->call->context;
    for (uint32_t i = 0; i < context->threads; i++) {
        for (const key_chunk *chunk = job->workers[i].chunks; chunk; chunk = chunk->next) {
            memcpy(keys, chunk->keys, chunk->count * sizeof *keys);
            keys += chunk->count;
        }
        release_chunks(context, &job->workers[i]);
    }
}

typedef struct fill_job {
    const uint64_t *keys;
    graze_pair *pairs;
    graze_kind kind;
    gz_pair_key key;
} fill_job;

static void fill_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const fill_job *job = state;
    uint64_t b_mask = ((uint64_t)1 << job->key.b_bits) - 1;
    for (size_t i = begin; i < end; i++)
        job->pairs[i] =
            (graze_pair){job->kind, (uint32_t)(job->keys[i] >> job->key.b_bits), (uint32_t)(job->keys[i] & b_mask)};
}

/* Appends what the workers found, sorted. The list has no room to spare: the caller releases it by its count. */
static graze_status append_sorted(const list_job *job, graze_kind kind, gz_pair_list *list) {
    graze_context *context = job->call->context;
    size_t total = 0;
    for (uint32_t i = 0; i < context->threads; i++) {
        if (job->workers[i].out_of_memory) return GRAZE_ERR_OUT_OF_MEMORY;
        for (const key_chunk *chunk = job->workers[i].chunks; chunk; chunk = chunk->next) total += chunk->count;
    }
    if (total > UINT32_MAX) return GRAZE_ERR_OUT_OF_MEMORY;
    if (total == 0) return GRAZE_OK;
    uint64_t *keys = gz_reserve(context, job->call->workspace, GZ_SLOT_BROAD_A, total, sizeof *keys);
    uint64_t *other = gz_reserve(context, job->call->workspace, GZ_SLOT_BROAD_B, total, sizeof *other);
    void *scratch = gz_reserve(context, job->call->workspace, GZ_SLOT_BROAD_C, 1, gz_sort_scratch(context, total));
    if (!keys || !other || !scratch) return GRAZE_ERR_OUT_OF_MEMORY;
    graze_pair *pairs = gz_allocate_array(context, list->count + total, sizeof *pairs);
    if (!pairs) return GRAZE_ERR_OUT_OF_MEMORY;
    gather(job, keys);
    fill_job fill = {.keys = gz_sort_keys(context, keys, other, total, job->key.bits, scratch),
                     .pairs = pairs + list->count,
                     .kind = kind,
                     .key = job->key};
    gz_parallel(context, total, FILL_CHUNK, fill_range, &fill);
    if (list->count) memcpy(pairs, list->pairs, list->count * sizeof *pairs);
    gz_release(context, list->pairs, list->count * sizeof *list->pairs);
    list->pairs = pairs;
    list->count += total;
    return GRAZE_OK;
}

graze_status gz_list_kind(const gz_step_call *call, graze_kind kind, gz_pair_test *test, gz_pair_list *list) {
    graze_context *context = call->context;
    list_job job = {.call = call, .test = test, .key = gz_pair_key_for(call, kind)};
    job.workers = gz_reserve(context, call->workspace, GZ_SLOT_STEP_WORKERS, context->threads, sizeof *job.workers);
    if (!job.workers) return GRAZE_ERR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < context->threads; i++) job.workers[i] = (found){0};
    graze_status status = gz_step_search(call, kind, false, list_block, &job);
    if (status == GRAZE_OK) status = append_sorted(&job, kind, list);
    for (uint32_t i = 0; i < context->threads; i++) release_chunks(context, &job.workers[i]);
    return status;
}

void gz_list_release(graze_context *context, gz_pair_list *list) {
    gz_release(context, list->pairs, list->count * sizeof *list->pairs);
    *list = (gz_pair_list){0};
}

void graze_pairs_release(graze_context *context, graze_pair *pairs, size_t count) {
    gz_release(context, pairs, count * sizeof *pairs);
}
