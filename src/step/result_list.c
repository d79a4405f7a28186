#include "step/result_list.h"

#include "step/kept_pairs.h"
#include "step/pair_sort.h"

#define PLACED_AT_ONCE 512u

static size_t list_count(const gz_step_call *call) { return (size_t)GZ_KINDS * call->context->threads; }

gz_result_list *gz_result_lists_open(const gz_step_call *call) {
    size_t count = list_count(call);
    gz_result_list *lists = gz_reserve(call->context, call->workspace, GZ_SLOT_FOUND_LISTS, count, sizeof *lists);
    for (size_t i = 0; lists && i < count; i++) lists[i] = (gz_result_list){0};
    return lists;
}

gz_result_list *gz_result_list_of(const gz_step_call *call, gz_result_list *lists, graze_kind kind, uint32_t worker) {
    return &lists[(size_t)kind * call->context->threads + worker];
}

bool gz_result_list_add(graze_context *context, gz_result_list *list, const graze_pair_result *pair) {
    void *pairs = list->pairs;
    if (!gz_grow(context, &pairs, &list->room, list->count + 1, sizeof *list->pairs)) {
        list->out_of_memory = true;
        return false;
    }
    list->pairs = pairs;
    list->pairs[list->count++] = *pair;
    return true;
}

/* The lists of one kind on their way into one. */
typedef struct join_job {
    const gz_step_call *call;
    gz_result_list *lists; /* one for each thread */
    graze_kind kind;
    size_t total;
    gz_key_chunk **chunks; /* the keys of each list */
    const graze_pair *order;
    graze_pair_result *to;
} join_job;

/* The number of results; SIZE_MAX when there was no memory for all. */
static size_t count_lists(gz_result_list *lists, uint32_t threads) {
    size_t total = 0;
    for (uint32_t i = 0; i < threads; i++) {
        if (lists[i].out_of_memory) return SIZE_MAX;
        lists[i].before = total;
        total += lists[i].count;
    }
    return total;
}

/* Room for the keys of every list, behind the array of them. */
static bool open_chunks(join_job *job) {
    graze_context *context = job->call->context;
    size_t each = sizeof *job->chunks + gz_key_chunk_bytes(0);
    size_t bytes = context->threads * each + job->total * sizeof(uint64_t);
    job->chunks = gz_reserve(context, job->call->workspace, GZ_SLOT_FOUND_KEYS, 1, bytes);
    if (!job->chunks) return false;
    char *next = (char *)(job->chunks + context->threads);
    for (uint32_t i = 0; i < context->threads; i++) {
        job->chunks[i] = (gz_key_chunk *)(void *)next;
        job->chunks[i]->count = job->lists[i].count;
        next += gz_key_chunk_bytes(job->lists[i].count);
    }
    return true;
}

static void key_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const join_job *job = state;
    gz_pair_key key = gz_pair_key_for(job->call, job->kind);
    for (size_t i = begin; i < end; i++)
        for (size_t k = 0; k < job->lists[i].count; k++) {
            const graze_pair *pair = &job->lists[i].pairs[k].pair;
            job->chunks[i]->keys[k] = gz_pair_key_of(key, pair->a, pair->b);
        }
}

/* The pairs of all lists in order, without their results; NULL when there is no memory. */
static const graze_pair *sort_pairs(join_job *job) {
    graze_context *context = job->call->context;
    graze_pair *order = gz_reserve(context, job->call->workspace, GZ_SLOT_FOUND_ORDER, job->total, sizeof *order);
    if (!order || !open_chunks(job)) return NULL;
    gz_parallel(context, context->threads, 1, key_range, job);
    bool sorted = gz_pair_sort(job->call, job->kind, job->chunks, context->threads, job->total, order);
    return sorted ? order : NULL;
}

/* The index of a pair among those in order. */
static size_t place_of(const graze_pair *order, size_t count, const graze_pair *pair) {
    size_t first = 0;
    while (count > 1) {
        size_t half = count / 2;
        const graze_pair *middle = &order[first + half];
        bool before = middle->a != pair->a ? pair->a < middle->a : pair->b < middle->b;
        first += before ? 0 : half;
        count = before ? half : count - half;
    }
    return first;
}

/* Pairs by their number in all lists together. */
static void place_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const join_job *job = state;
    const gz_result_list *list = job->lists;
    for (size_t i = begin; i < end; i++) {
        while (i - list->before >= list->count) list++;
        const graze_pair_result *pair = &list->pairs[i - list->before];
        job->to[place_of(job->order, job->total, &pair->pair)] = *pair;
    }
}

static bool join_kind(join_job *job) {
    if (job->total == 0) return true;
    job->order = sort_pairs(job);
    if (job->order) gz_parallel(job->call->context, job->total, PLACED_AT_ONCE, place_range, job);
    return job->order;
}

graze_status gz_result_lists_join(const gz_step_call *call, gz_result_list *lists, graze_step_result *result) {
    size_t totals[GZ_KINDS], total = 0;
    for (int kind = 0; kind < GZ_KINDS; kind++) {
        totals[kind] = count_lists(gz_result_list_of(call, lists, (graze_kind)kind, 0), call->context->threads);
        if (totals[kind] == SIZE_MAX) return GRAZE_ERR_OUT_OF_MEMORY;
        total += totals[kind];
    }
    if (total == 0) return GRAZE_OK;
    graze_pair_result *to = result->pairs = gz_pairs_allocate(call->context, total);
    if (!to) return GRAZE_ERR_OUT_OF_MEMORY;
    result->pair_count = total;
    for (int kind = 0; kind < GZ_KINDS; to += totals[kind++]) {
        gz_result_list *mine = gz_result_list_of(call, lists, (graze_kind)kind, 0);
        join_job job = {.call = call, .lists = mine, .kind = (graze_kind)kind, .total = totals[kind], .to = to};
        if (!join_kind(&job)) return GRAZE_ERR_OUT_OF_MEMORY;
    }
    return GRAZE_OK;
}

void gz_result_lists_close(const gz_step_call *call, gz_result_list *lists) {
    for (size_t i = 0; i < list_count(call); i++)
        gz_release(call->context, lists[i].pairs, lists[i].room * sizeof *lists[i].pairs);
}
