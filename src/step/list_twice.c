/* A list of all pairs where memory is short: they are counted in one search and written to their places in a second, so
   that nothing is held beside the list but a number for each primitive. */
#include "step/list.h"

#include "step/kept_pairs.h"
#include "step/mesh_pair.h"
#include "step/search.h"

#define SORT_CHUNK 4096

typedef struct twice_job {
    const gz_step_call *call;
    _Atomic(size_t) *next; /* by first primitive: its pairs; then where the next of them goes */
    graze_pair *pairs;
    size_t begin, end; /* those of this kind */
} twice_job;

static bool count_block(void *state, uint32_t worker, graze_kind kind, const uint32_t (*pairs)[2], size_t count) {
    (void)worker;
    (void)kind;
    const twice_job *job = state;
    for (size_t i = 0; i < count; i++) atomic_fetch_add_explicit(&job->next[pairs[i][0]], 1, memory_order_relaxed);
    return true;
}

static bool write_block(void *state, uint32_t worker, graze_kind kind, const uint32_t (*pairs)[2], size_t count) {
    (void)worker;
    const twice_job *job = state;
    for (size_t i = 0; i < count; i++) {
        size_t place = atomic_fetch_add_explicit(&job->next[pairs[i][0]], 1, memory_order_relaxed);
        if (place < job->end) job->pairs[place] = (graze_pair){kind, pairs[i][0], pairs[i][1]};
    }
    return true;
}

/* Shell's sort: in place, and quick for the few pairs that a primitive has. */
static void sort_by_second(graze_pair *pairs, size_t count) {
    static const size_t gaps[] = {29524, 9841, 3280, 1093, 364, 121, 40, 13, 4, 1};
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++)
        for (size_t i = gaps[g]; i < count; i++) {
            graze_pair pair = pairs[i];
            size_t k = i;
            for (; k >= gaps[g] && pairs[k - gaps[g]].b > pair.b; k -= gaps[g]) pairs[k] = pairs[k - gaps[g]];
            pairs[k] = pair;
        }
}

static void sort_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const twice_job *job = state;
    for (size_t a = begin; a < end; a++) {
        size_t first = a ? job->next[a - 1] : job->begin; /* written: where the next would go is where the last ended */
        sort_by_second(job->pairs + first, job->next[a] - first);
    }
}

static uint32_t first_count(const gz_step_call *call, int kind) {
    uint32_t a, b;
    gz_pair_counts(call->mesh, (graze_kind)kind, &a, &b);
    return gz_step_has_kind(call, (graze_kind)kind) ? a : 0;
}

/* Counts become places, from `sum` on; the end of the last. */
static size_t place_pairs(_Atomic(size_t) *next, uint32_t count, size_t sum) {
    for (uint32_t a = 0; a < count; a++) {
        size_t pairs = next[a];
        next[a] = sum;
        sum += pairs;
    }
    return sum;
}

static graze_status count_kinds(const gz_step_call *call, _Atomic(size_t) *next, size_t ends[GZ_KINDS]) {
    graze_status status = GRAZE_OK;
    size_t sum = 0;
    for (int kind = 0; kind < GZ_KINDS && status == GRAZE_OK; kind++) {
        uint32_t count = first_count(call, kind);
        twice_job job = {.call = call, .next = next};
        for (uint32_t a = 0; a < count; a++) atomic_init(&next[a], 0);
        if (count) status = gz_step_search(call, (graze_kind)kind, false, count_block, &job);
        ends[kind] = sum = place_pairs(next, count, sum);
        next += count;
    }
    return status;
}

static graze_status write_kinds(const gz_step_call *call, _Atomic(size_t) *next, const size_t ends[GZ_KINDS],
                                graze_pair *pairs) {
    graze_status status = GRAZE_OK;
    for (int kind = 0; kind < GZ_KINDS && status == GRAZE_OK; kind++) {
        uint32_t count = first_count(call, kind);
        twice_job job = {
            .call = call, .next = next, .pairs = pairs, .begin = kind ? ends[kind - 1] : 0, .end = ends[kind]};
        if (count) status = gz_step_search(call, (graze_kind)kind, false, write_block, &job);
        if (status == GRAZE_OK) gz_parallel(call->context, count, SORT_CHUNK, sort_range, &job);
        next += count;
    }
    return status;
}

graze_status gz_list_twice(const gz_step_call *call, gz_pair_list *list) {
    graze_context *context = call->context;
    size_t places = 0, ends[GZ_KINDS];
    for (int kind = 0; kind < GZ_KINDS; kind++) places += first_count(call, kind);
    *list = (gz_pair_list){0};
    if (places == 0) return GRAZE_OK;
    _Atomic(size_t) *next = gz_allocate_array(context, places, sizeof *next);
    if (!next) return GRAZE_ERR_OUT_OF_MEMORY;
    graze_status status = count_kinds(call, next, ends);
    size_t total = ends[GZ_KINDS - 1];
    /* the broad phase has found its order: what it sorted in is not needed again, or not beside the whole list */
    for (int slot = GZ_SLOT_SORT_ITEMS; slot < GZ_SLOTS; slot++) gz_give_up(context, call->workspace, (gz_slot)slot);
    if (status == GRAZE_OK && total) {
        list->pairs = gz_list_allocate(context, total, true);
        list->count = list->pairs ? total : 0;
        status = list->pairs ? write_kinds(call, next, ends, list->pairs) : GRAZE_ERR_OUT_OF_MEMORY;
    }
    gz_release(context, next, places * sizeof *next);
    if (status != GRAZE_OK) gz_list_release(context, list);
    return status;
}
