/* Lists of pairs: what a search finds, sorted, for the caller to keep. */
#include "step/list.h"

#include "broad/sort.h"

/* Pairs that one worker found, as sort keys. */
typedef struct found {
    gz_keyed *items;
    size_t count, room;
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
    void *items = mine->items;
    if (!gz_grow(job->call->context, &items, &mine->room, mine->count + count, sizeof *mine->items)) {
        mine->out_of_memory = true;
        return false;
    }
    mine->items = items;
    for (size_t i = 0; i < count; i++) {
        int keep = job->test ? job->test(job->call, kind, pairs[i][0], pairs[i][1]) : 1;
        if (keep < 0) {
            mine->out_of_memory = true;
            return false;
        }
        mine->items[mine->count].key = gz_pair_key_of(job->key, pairs[i][0], pairs[i][1]);
        mine->count += keep != 0;
    }
    return true;
}

/* Appends what the workers found, sorted. */
static graze_status append_sorted(const list_job *job, graze_kind kind, gz_pair_list *list) {
    graze_context *context = job->call->context;
    size_t total = 0;
    for (uint32_t i = 0; i < context->threads; i++) {
        if (job->workers[i].out_of_memory) return GRAZE_ERR_OUT_OF_MEMORY;
        total += job->workers[i].count;
    }
    if (total > UINT32_MAX) return GRAZE_ERR_OUT_OF_MEMORY;
    if (total == 0) return GRAZE_OK;
    gz_keyed *items = gz_reserve(context, job->call->workspace, GZ_SLOT_BROAD_A, total, sizeof *items);
    gz_keyed *other = gz_reserve(context, job->call->workspace, GZ_SLOT_BROAD_B, total, sizeof *other);
    void *scratch = gz_reserve(context, job->call->workspace, GZ_SLOT_BROAD_C, 1, gz_sort_scratch(context, total));
    void *pairs = list->pairs;
    if (!items || !other || !scratch ||
        !gz_grow(context, &pairs, &list->room, list->count + total, sizeof *list->pairs))
        return GRAZE_ERR_OUT_OF_MEMORY;
    list->pairs = pairs;
    size_t next = 0;
    for (uint32_t i = 0; i < context->threads; i++)
        for (size_t k = 0; k < job->workers[i].count; k++) items[next++] = job->workers[i].items[k];
    const gz_keyed *sorted = gz_sort(context, items, other, total, job->key.bits, scratch);
    uint64_t b_mask = ((uint64_t)1 << job->key.b_bits) - 1;
    for (size_t i = 0; i < total; i++)
        list->pairs[list->count++] =
            (graze_pair){kind, (uint32_t)(sorted[i].key >> job->key.b_bits), (uint32_t)(sorted[i].key & b_mask)};
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
    for (uint32_t i = 0; i < context->threads; i++)
        gz_release(context, job.workers[i].items, job.workers[i].room * sizeof *job.workers[i].items);
    return status;
}

/* Cuts the list to its length: what the caller releases has the size of `count` pairs. */
graze_status gz_list_trim(graze_context *context, gz_pair_list *list) {
    if (list->room == list->count) return GRAZE_OK;
    graze_pair *exact = list->count ? gz_allocate_array(context, list->count, sizeof *exact) : NULL;
    if (list->count && !exact) return GRAZE_ERR_OUT_OF_MEMORY;
    for (size_t i = 0; i < list->count; i++) exact[i] = list->pairs[i];
    gz_release(context, list->pairs, list->room * sizeof *list->pairs);
    list->pairs = exact;
    list->room = list->count;
    return GRAZE_OK;
}

void gz_list_release(graze_context *context, gz_pair_list *list) {
    gz_release(context, list->pairs, list->room * sizeof *list->pairs);
    *list = (gz_pair_list){0};
}

void graze_pairs_release(graze_context *context, graze_pair *pairs, size_t count) {
    gz_release(context, pairs, count * sizeof *pairs);
}
