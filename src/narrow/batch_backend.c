/* A batch on a back end: what is clear comes back as a number, what touches with its result, and what needs exact
   arithmetic is answered here. */
#include "narrow/batch.h"

#include "base/backend_load.h"

typedef enum place { ON_CPU, ON_BACKEND } place;

/* ---- where ---- */

/* NULL, or why no back end answers this batch. */
static const char *unsuited(const gz_batch *batch) {
    graze_method method = batch->method->info.method;
    if (method != GRAZE_METHOD_CERTIFIED && method != GRAZE_METHOD_EXACT)
        return "it has the methods certified and exact only";
    return batch->call->at_start ? "it does not take t_max = 0" : NULL;
}

static double *seconds_of(gz_backend *kept, const gz_batch *batch) { return kept->query_seconds[batch->call->exact]; }

/* True if the choice between the places is ours, and worth making. */
static bool is_open(const gz_batch *batch) {
    const graze_context *context = batch->call->context;
    return context && context->options.backend == GRAZE_BACKEND_AUTO && batch->count >= GZ_BATCH_LARGE &&
           !unsuited(batch);
}

/* A back end that is there, or that has become worth opening, is tried once; then the place that took less for a query
   is taken. */
static gz_backend *choose(const gz_batch *batch) {
    const char *why;
    gz_backend *kept = gz_backend_kept(batch->call->context);
    if (!kept || kept->spent < GZ_WORTH_OPENING || !gz_backend_open(batch->call->context, &why)) return NULL;
    const double *seconds = seconds_of(kept, batch);
    return seconds[ON_CPU] > 0 && seconds[ON_BACKEND] > seconds[ON_CPU] ? NULL : kept;
}

static graze_status choose_backend(const gz_batch *batch, gz_backend **backend) {
    graze_context *context = batch->call->context;
    const char *why = unsuited(batch);
    *backend = NULL;
    if (!context || !batch->count || context->options.backend == GRAZE_BACKEND_CPU) return GRAZE_OK;
    if (context->options.backend == GRAZE_BACKEND_AUTO) {
        if (is_open(batch)) *backend = choose(batch);
        return GRAZE_OK;
    }
    return gz_backend_by_name(context, why, backend);
}

static void note_seconds(const gz_batch *batch, gz_backend *kept, place where, double seconds) {
    seconds_of(kept, batch)[where] = seconds / (double)batch->count;
}

void gz_batch_took(const gz_batch *batch, double seconds) {
    gz_backend *kept = is_open(batch) ? gz_backend_kept(batch->call->context) : NULL;
    if (!kept) return;
    kept->spent += seconds;
    note_seconds(batch, kept, ON_CPU, seconds);
}

/* ---- what the back end asks of the host ---- */

/* A part of a batch as the back end found it. */
typedef struct found_part {
    const gz_batch *batch;
    size_t begin;
    const uint32_t *codes;
    const graze_result *results;
} found_part;

static void gather(void *host, size_t begin, size_t end, void *to) {
    const gz_batch *batch = host;
    batch->gather(batch->state, begin, end, to);
}

/* Results of [begin, end); those that were left to the host count themselves. */
static void take_part(void *state, uint32_t worker, size_t begin, size_t end, graze_result *results) {
    const found_part *part = state;
    const gz_batch *batch = part->batch;
    gz_counts counts = {0};
    for (size_t i = begin; i < end; i++, results++) {
        uint32_t code = part->codes[i - part->begin];
        if (code & GZ_BATCH_ASK) {
            batch->answer(batch->state, worker, i, i + 1, results);
            continue;
        }
        if (code & GZ_BATCH_RESULT) {
            memcpy(results, &part->results[code & ~GZ_BATCH_RESULT], sizeof *results);
        } else {
            results->checks = code;
            gz_result_clear(results, batch->call->question.t_max);
        }
        counts.queries++;
        counts.checks += results->checks;
        counts.unresolved += results->verdict == GRAZE_UNRESOLVED;
    }
    gz_add_counts(batch->call->context, &counts);
}

static void take_range(void *state, size_t begin, size_t end, uint32_t worker) {
    const found_part *part = state;
    gz_results_fill(part->batch->results, worker, part->begin + begin, part->begin + end, take_part, state);
}

static void take(void *host, size_t begin, size_t count, const uint32_t *codes, const graze_result *results) {
    found_part part = {host, begin, codes, results};
    gz_parallel(part.batch->call->context, count, GZ_BATCH_CHUNK, take_range, &part);
}

static int is_cancelled(void *host) { return gz_cancelled(((const gz_batch *)host)->call->context); }

static void run_parallel(void *host, size_t count, size_t chunk, gz_backend_body *body, void *state) {
    gz_parallel(((const gz_batch *)host)->call->context, count, chunk, body, state);
}

/* ---- a batch ---- */

static gz_batch_request request_of(const gz_batch *batch) {
    const gz_narrow_call *call = batch->call;
    return (gz_batch_request){
        .kind = call->kind,
        .floats = batch->floats,
        .exact = call->exact,
        .count = batch->count,
        .queries = batch->queries,
        .question = call->question,
        .largest = batch->method->any_finite ? DBL_MAX : GRAZE_MAX_COORDINATE,
        .memory_limit = call->context->options.memory_limit,
        .functions = {gather, take, is_cancelled, run_parallel},
        .host = (void *)batch,
    };
}

static graze_status run(const gz_batch *batch, const gz_backend *backend) {
    graze_context *context = batch->call->context;
    gz_batch_request request = request_of(batch);
    gz_batch_answer answer = {.bad = SIZE_MAX};
    graze_status status = backend->table->batch(backend->device, &request, &answer);
    if (status == GRAZE_ERR_DEVICE) return gz_fail(context, status, UINT64_MAX, "back end cuda: %s", answer.message);
    if (status != GRAZE_OK) return status;
    if (answer.bad != SIZE_MAX) {
        size_t bad = answer.bad;
        return gz_query_fail(context, batch->check(batch->state, &bad, bad + 1), answer.bad);
    }
    gz_batch_answer_from(batch, answer.done); /* the call has been cancelled: each of these says so */
    return GRAZE_OK;
}

graze_status gz_batch_on_backend(const gz_batch *batch, bool *taken) {
    graze_context *context = batch->call->context;
    gz_backend *backend;
    graze_status status = choose_backend(batch, &backend);
    *taken = backend != NULL;
    if (!backend) return status;
    double start = gz_seconds();
    gz_counts before = gz_counts_so_far(context);
    status = run(batch, backend);
    if (status != GRAZE_OK) gz_counts_back_to(context, &before);
    if (status == GRAZE_ERR_DEVICE && context->options.backend == GRAZE_BACKEND_AUTO) {
        gz_log(context, GRAZE_LOG_WARNING, "%s; the batch is done on the CPU", context->error.message);
        note_seconds(batch, backend, ON_BACKEND, INFINITY);
        *taken = false;
        return GRAZE_OK;
    }
    if (status == GRAZE_OK) note_seconds(batch, backend, ON_BACKEND, gz_seconds() - start);
    return status;
}
