#include "narrow/batch.h"

typedef struct batch_rest {
    const gz_batch *batch;
    size_t first;
} batch_rest;

static void answer_range(void *state, size_t begin, size_t end, uint32_t worker) {
    const batch_rest *rest = state;
    const gz_batch *batch = rest->batch;
    gz_results_fill(batch->results, worker, rest->first + begin, rest->first + end, batch->answer, batch->state);
}

void gz_batch_answer_from(const gz_batch *batch, size_t first) {
    batch_rest rest = {batch, first};
    gz_parallel(batch->call->context, batch->count - first, GZ_BATCH_CHUNK, answer_range, &rest);
}

/* ---- coordinates ---- */

#define CHECKED_AT_ONCE 4096

typedef struct batch_check {
    const gz_batch *batch;
    _Atomic(uint64_t) bad; /* the first that is known; SIZE_MAX: none */
} batch_check;

static void check_range(void *state, size_t begin, size_t end, uint32_t worker) {
    batch_check *check = state;
    uint64_t seen = atomic_load(&check->bad);
    size_t index = begin;
    (void)worker;
    if (begin >= seen || check->batch->check(check->batch->state, &index, end) == GRAZE_OK) return;
    while (index < seen && !atomic_compare_exchange_weak(&check->bad, &seen, index)) {
    }
}

/* Names the first that is bad. */
static graze_status check_all(const gz_batch *batch) {
    batch_check check = {.batch = batch};
    atomic_init(&check.bad, SIZE_MAX);
    gz_parallel(batch->call->context, batch->count, CHECKED_AT_ONCE, check_range, &check);
    size_t bad = (size_t)atomic_load(&check.bad);
    if (bad == SIZE_MAX) return GRAZE_OK;
    size_t index = bad;
    return gz_query_fail(batch->call->context, batch->check(batch->state, &index, bad + 1), bad);
}

graze_status gz_batch_run(const gz_batch *batch) {
    bool taken = false, large = batch->count >= GZ_BATCH_LARGE;
    graze_status status = gz_batch_on_backend(batch, &taken);
    if (taken || status != GRAZE_OK) return status;
    double start = large ? gz_seconds() : 0;
    status = check_all(batch);
    if (status != GRAZE_OK) return status;
    gz_batch_answer_from(batch, 0);
    if (large) gz_batch_took(batch, gz_seconds() - start);
    return GRAZE_OK;
}
