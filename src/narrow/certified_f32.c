/* float32 queries. The lanes work in float with a proof of their own (u = 2^-24); what they leave, contacts mostly, is
   finished in double, where the coordinates are the same numbers. */
#include "narrow/certified.h"
#include "narrow/results.h"

#include <math.h>

#define BLOCK 512
#define CHUNK 256 /* queries that a worker takes at once */

static const float ahead[GZ_LANE_ROUNDS] = GZ_LANE_AHEAD;

/* exactly */
static void widen(const graze_query_f32 *query, graze_query *wide) {
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            wide->x0[i][c] = query->x0[i][c];
            wide->x1[i][c] = query->x1[i][c];
        }
}

static void solve_block(const gz_finish *finish, const graze_query_f32 *queries, uint32_t count,
                        graze_result *results) {
    const gz_narrow_call *call = finish->call;
    gz_round_kernel_f32 *probe = call->kernels->round_f32;
    gz_lane_source_f32 source = {call->kind, gz_float_not_below(call->separation), queries};
    uint32_t index[BLOCK], left = count, stuck[BLOCK], stuck_count = 0;
    float before[BLOCK], t[BLOCK], stuck_t[BLOCK];
    for (uint32_t i = 0; i < count; i++) {
        index[i] = i;
        before[i] = 0;
    }
    for (int round = 0; left; round++) {
        bool last = round == GZ_LANE_ROUNDS || (uint64_t)round == call->max_checks;
        if (!last) {
            for (uint32_t i = 0; i < left; i++) t[i] = before[i];
            probe(&source, ahead[round], index, left, t, NULL);
            call->counts->checks += left;
        }
        uint32_t kept = 0;
        for (uint32_t i = 0; i < left; i++) {
            graze_result *result = &results[index[i]];
            float now = last ? before[i] : t[i];
            result->checks += !last;
            if (now >= call->t_max) {
                result->verdict = GRAZE_CLEAR;
                result->toi = call->t_max;
            } else if (last || (ahead[round] == 0 && now - before[i] < (float)GZ_LANE_LEAST_MOVE)) {
                stuck[stuck_count] = index[i];
                stuck_t[stuck_count++] = now;
            } else {
                index[kept] = index[i];
                before[kept++] = now;
            }
        }
        left = kept;
    }
    for (uint32_t i = 0; i < stuck_count; i++) {
        graze_query wide;
        widen(&queries[stuck[i]], &wide);
        gz_certified_finish(finish, &wide, NULL, stuck_t[i], &results[stuck[i]]);
    }
}

static void solve_f32(const gz_narrow_call *call, const gz_method *method, const graze_query_f32 *queries, size_t count,
                      graze_result *results) {
    graze_method which = method->info.method;
    if (which == GRAZE_METHOD_CERTIFIED || which == GRAZE_METHOD_EXACT) {
        gz_finish finish = {.call = call, .exact = which == GRAZE_METHOD_EXACT};
        for (size_t i = 0; i < count; i += BLOCK)
            solve_block(&finish, queries + i, (uint32_t)(count - i < BLOCK ? count - i : BLOCK), results + i);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (method->solve_f32) {
            method->solve_f32(call, &queries[i], &results[i]);
            continue;
        }
        graze_query wide;
        widen(&queries[i], &wide);
        method->solve(call, &wide, &results[i]);
    }
}

static graze_status check(graze_kind kind, const graze_query_f32 *query) {
    graze_query wide;
    widen(query, &wide);
    return gz_query_check(kind, &wide, 0);
}

graze_status graze_ccd_f32(graze_kind kind, const graze_query_f32 *query, const graze_options *options,
                           graze_result *result) {
    if (!result) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_result_unresolved(result, GRAZE_REASON_NONE);
    if (!query) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_counts counts = {0};
    gz_narrow_call call = {.counts = &counts};
    const gz_method *method;
    graze_status status = gz_narrow_prepare(NULL, kind, options, &call, &method);
    if (status == GRAZE_OK) status = check(kind, query);
    if (status != GRAZE_OK) return status;
    gz_fp_environment env;
    if (!gz_fp_enter(&env)) return GRAZE_ERR_FP_ENVIRONMENT;
    solve_f32(&call, method, query, 1, result);
    gz_fp_leave(&env);
    return GRAZE_OK;
}

typedef struct f32_job {
    const gz_narrow_call *call;
    const gz_method *method;
    const graze_query_f32 *queries;
    gz_results results;
} f32_job;

static void solve_part(void *state, uint32_t worker, size_t begin, size_t end, graze_result *results) {
    const f32_job *job = state;
    gz_counts counts = {.queries = end - begin};
    gz_narrow_call call = *job->call;
    call.worker = worker;
    call.counts = &counts;
    bool stop = gz_cancelled(call.context);
    for (size_t i = 0; i < end - begin; i++)
        gz_result_unresolved(&results[i], stop ? GRAZE_REASON_CANCELLED : GRAZE_REASON_NONE);
    if (!stop) solve_f32(&call, job->method, job->queries + begin, end - begin, results);
    for (size_t i = 0; i < end - begin; i++) counts.unresolved += results[i].verdict == GRAZE_UNRESOLVED;
    gz_add_counts(call.context, &counts);
}

static void solve_range(void *state, size_t begin, size_t end, uint32_t worker) {
    f32_job *job = state;
    gz_results_fill(job->results, worker, begin, end, solve_part, job);
}

static graze_status batch_f32(graze_context *context, graze_kind kind, const graze_query_f32 *queries, size_t count,
                              const graze_options *options, gz_results results) {
    gz_narrow_call call = {0};
    const gz_method *method;
    graze_status status = gz_narrow_prepare(context, kind, options, &call, &method);
    if (status == GRAZE_OK) status = gz_results_check(context, results);
    if (status != GRAZE_OK) return status;
    for (size_t i = 0; i < count; i++)
        if (check(kind, &queries[i]) != GRAZE_OK)
            return gz_fail(context, GRAZE_ERR_NOT_FINITE, i, "query %zu: a coordinate is not finite", i);
    f32_job job = {.call = &call, .method = method, .queries = queries, .results = results};
    gz_parallel(context, count, CHUNK, solve_range, &job);
    return GRAZE_OK;
}

graze_status graze_ccd_batch_f32(graze_context *context, graze_kind kind, const graze_query_f32 *queries, size_t count,
                                 const graze_options *options, graze_result *first) {
    if (count && (!queries || !first)) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_results results = gz_results_open(first, count, options);
    gz_fp_environment env;
    graze_status status = gz_context_enter(context, &env);
    if (status == GRAZE_OK)
        status = gz_context_leave(context, &env, batch_f32(context, kind, queries, count, options, results));
    if (status != GRAZE_OK) gz_results_close(results, count);
    return status;
}
