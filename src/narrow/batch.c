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

graze_status gz_batch_run(const gz_batch *batch) {
    bool taken = false, large = batch->count >= GZ_BATCH_LARGE;
    graze_status status = gz_batch_on_backend(batch, &taken);
    if (taken || status != GRAZE_OK) return status;
    double start = large ? gz_seconds() : 0;
    size_t checked = 0;
    status = batch->check(batch->state, &checked, batch->count);
    if (status != GRAZE_OK) return gz_query_fail(batch->call->context, status, checked);
    gz_batch_answer_from(batch, 0);
    if (large) gz_batch_took(batch, gz_seconds() - start);
    return GRAZE_OK;
}
