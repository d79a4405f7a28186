/* The door for pairs on cubic curves: checks arguments, then one search for each. */
#include "graze/curve.h"

#include "base/self_test.h"
#include "narrow/curve_search.h"
#include "narrow/results.h"
#include "pair/pair.h"

#include <float.h>

#define CHUNK 64

static graze_status check(graze_kind kind, const graze_curve_query *query) {
    double most = 0;
    bool finite = true;
    for (int i = 0; i < gz_kind_rows(kind); i++)
        for (int j = 0; j < 4; j++)
            for (int c = 0; c < 3; c++) {
                double x = fabs(query->x[i][j][c]);
                finite &= x <= DBL_MAX; /* false for NaN */
                most = x > most ? x : most;
            }
    if (!finite) return GRAZE_ERR_NOT_FINITE;
    return most <= GRAZE_MAX_COORDINATE ? GRAZE_OK : GRAZE_ERR_OUT_OF_RANGE;
}

static graze_status prepare(graze_context *context, graze_kind kind, const graze_options *options,
                            gz_narrow_call *call) {
    const gz_method *method;
    graze_status status = gz_narrow_prepare(context, kind, options, call, &method);
    if (status == GRAZE_OK && method->info.method != GRAZE_METHOD_CERTIFIED)
        return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "method %s does not take curves", method->info.name);
    return status;
}

/* The first direction settles most pairs, and all of them in lanes. A pair that rests is left to the search. */
static void look(const gz_narrow_call *call, const graze_curve_query *queries, size_t count, bool *apart) {
    const gz_kernels *kernels = count == 1 ? &gz_kernels_scalar : call->kernels;
    if (call->at_start)
        memset(apart, 0, count * sizeof *apart);
    else
        kernels->curve_first(call->kind, queries, gz_float_not_below(call->question.separation), count, apart);
}

/* With t_max = 0 the pair rests at the start. */
static void answer(const gz_narrow_call *call, const graze_curve_query *query, bool apart, graze_result *result) {
    gz_result_unresolved(result, GRAZE_REASON_NONE);
    if (apart) {
        result->checks = 1;
        gz_result_clear(result, call->question.t_max);
        return;
    }
    if (!call->at_start) {
        gz_curve_solve(call, query, result);
        return;
    }
    graze_curve_query rest = *query;
    for (int i = 0; i < 4; i++)
        for (int j = 1; j < 4; j++) memcpy(rest.x[i][j], rest.x[i][0], sizeof rest.x[i][j]);
    gz_curve_solve(call, &rest, result);
    gz_result_at_start(result);
}

graze_status graze_ccd_curve(graze_kind kind, const graze_curve_query *query, const graze_options *options,
                             graze_result *result) {
    if (!result) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_result_unresolved(result, GRAZE_REASON_NONE);
    if (!query || gz_result_overlaps(result, query, sizeof *query)) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_counts counts = {0};
    gz_narrow_call call = {.counts = &counts};
    graze_status status = prepare(NULL, kind, options, &call);
    if (status == GRAZE_OK) status = check(kind, query);
    if (status != GRAZE_OK) return status;
    gz_fp_environment env;
    if (!gz_enter(&env)) return GRAZE_ERR_FP_ENVIRONMENT;
    bool apart;
    look(&call, query, 1, &apart);
    answer(&call, query, apart, result);
    gz_fp_leave(&env);
    return GRAZE_OK;
}

typedef struct curve_job {
    const gz_narrow_call *call;
    const graze_curve_query *queries;
    gz_results results;
} curve_job;

static void answer_block(const gz_narrow_call *call, const graze_curve_query *queries, size_t count,
                         graze_result *results) {
    bool apart[CHUNK], cancelled = gz_cancelled(call->context);
    if (!cancelled) look(call, queries, count, apart);
    for (size_t i = 0; i < count; i++) {
        if (cancelled)
            gz_result_unresolved(&results[i], GRAZE_REASON_CANCELLED);
        else
            answer(call, &queries[i], apart[i], &results[i]);
        call->counts->checks += results[i].checks;
        call->counts->unresolved += results[i].verdict == GRAZE_UNRESOLVED;
    }
}

static void answer_part(void *state, uint32_t worker, size_t begin, size_t end, graze_result *results) {
    const curve_job *job = state;
    gz_counts counts = {.queries = end - begin};
    gz_narrow_call call = *job->call;
    call.worker = worker;
    call.counts = &counts;
    for (size_t i = begin; i < end; i += CHUNK)
        answer_block(&call, job->queries + i, end - i < CHUNK ? end - i : CHUNK, results + (i - begin));
    gz_add_counts(call.context, &counts);
}

static void answer_range(void *state, size_t begin, size_t end, uint32_t worker) {
    curve_job *job = state;
    gz_results_fill(job->results, worker, begin, end, answer_part, job);
}

static graze_status batch(graze_context *context, graze_kind kind, curve_job *job, size_t count,
                          const graze_options *options) {
    gz_narrow_call call = {0};
    graze_status status = prepare(context, kind, options, &call);
    if (status == GRAZE_OK) status = gz_results_check(context, job->results);
    if (status == GRAZE_OK)
        status = gz_apart_check(context, "results", gz_results_pieces(job->results, count), "queries",
                                gz_bytes_at(job->queries, count * sizeof *job->queries));
    for (size_t i = 0; i < count && status == GRAZE_OK; i++) {
        status = check(kind, &job->queries[i]);
        if (status != GRAZE_OK) return gz_query_fail(context, status, i);
    }
    job->call = &call;
    if (status == GRAZE_OK) gz_parallel(context, count, CHUNK, answer_range, job);
    return status;
}

graze_status graze_ccd_curve_batch(graze_context *context, graze_kind kind, const graze_curve_query *queries,
                                   size_t count, const graze_options *options, graze_result *results) {
    if (count && (!queries || !results)) return GRAZE_ERR_INVALID_ARGUMENT;
    curve_job job = {.queries = queries, .results = gz_results_open(results, count, options)};
    gz_fp_environment env;
    graze_status status = gz_context_enter(context, &env);
    if (status == GRAZE_OK) status = gz_context_leave(context, &env, batch(context, kind, &job, count, options));
    if (status != GRAZE_OK) gz_results_close(job.results, count);
    return status;
}
