/* The candidates of a step, and the narrow phase on a list of pairs that the caller brings. */
#include "step/on_backend.h"

#include "narrow/results.h"
#include "step/mesh_pair.h"
#include "step/search.h"
#include "step/solve.h"
#include "step/step.h"

static graze_status on_cpu(gz_step_call *call, gz_pair_list *list) {
    double start = gz_seconds();
    graze_status status = gz_step_check_mesh(call, true);
    if (status == GRAZE_OK) status = gz_step_check_positions(call);
    if (status == GRAZE_OK) status = gz_step_boxes(call, false);
    if (status != GRAZE_OK) return status;
    bool limited = call->options.memory_limit || call->context->options.memory_limit;
    status =
        limited && !call->mesh->filter ? gz_list_twice(call, list) : gz_list_kinds(call, 0, GZ_KINDS - 1, NULL, list);
    if (status == GRAZE_OK) gz_step_took(call, gz_seconds() - start);
    return status;
}

/* The broad phase of a back end that is asked for by name, for comparison: then the options name none. Else AUTO. */
static graze_broad take_compared(const graze_context *context, graze_step_options *options) {
    graze_backend wanted = options->backend != GRAZE_BACKEND_AUTO ? options->backend : context->options.backend;
    graze_broad broad = options->broad;
    bool named = broad == GRAZE_BROAD_STQ || broad == GRAZE_BROAD_LBVH;
    if (!GRAZE_COMPARED || wanted != GRAZE_BACKEND_CUDA || !named) return GRAZE_BROAD_AUTO;
    options->broad = GRAZE_BROAD_AUTO;
    return broad;
}

graze_status gz_candidates_run(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                               const double (*x1)[3], const graze_step_options *given, gz_pair_list *list) {
    gz_step_call call;
    gz_backend *backend = NULL;
    graze_step_options options;
    graze_status status = gz_step_options_read(context, given, &options);
    if (status != GRAZE_OK) return status;
    graze_broad compared = take_compared(context, &options);
    status = gz_step_read(context, mesh, x0, x1, &options, &call);
    call.options.relative_separation = 0; /* not read here, so no reason to refuse a back end */
    if (status == GRAZE_OK) status = gz_step_choose_lists(&call, compared, &backend);
    if (status == GRAZE_OK && backend) {
        status = gz_candidates_on_backend(&call, backend, compared, list);
        if (status != GRAZE_ERR_DEVICE || gz_step_backend_by_name(&call)) return status;
        gz_log(context, GRAZE_LOG_WARNING, "%s; the list is made on the CPU", context->error.message);
        backend->spent = 0;
        status = GRAZE_OK;
    }
    return status == GRAZE_OK ? on_cpu(&call, list) : status;
}

graze_status graze_candidates(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                              const double (*x1)[3], const graze_step_options *options, graze_pair **pairs,
                              size_t *count) {
    if (pairs) *pairs = NULL;
    if (count) *count = 0;
    if (!context || !pairs || !count) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_fp_environment env;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    gz_pair_list list = {0};
    status = gz_candidates_run(context, mesh, x0, x1, options, &list);
    if (status == GRAZE_OK) {
        *pairs = list.pairs;
        *count = list.count;
    } else {
        gz_list_release(context, &list);
    }
    return gz_context_leave(context, &env, status);
}

/* ---- the narrow phase on a caller's list ---- */

typedef struct solve_job {
    const gz_step_call *call;
    const graze_pair *pairs;
    gz_results results;
} solve_job;

#define SOLVE_CHUNK 256

static void solve_part(void *state, uint32_t worker, size_t begin, size_t end, graze_result *results) {
    const solve_job *job = state;
    gz_counts counts = {0};
    uint32_t ids[SOLVE_CHUNK][4];
    bool stop = gz_cancelled(job->call->context);
    for (size_t i = 0; stop && i < end - begin; i++) gz_result_unresolved(&results[i], GRAZE_REASON_CANCELLED);
    for (size_t first = begin; !stop && first < end;) {
        const graze_pair *pairs = job->pairs + first;
        graze_kind kind = pairs->kind;
        size_t count = 0;
        for (; first + count < end && pairs[count].kind == kind; count++)
            gz_pair_vertices(job->call->mesh, kind, pairs[count].a, pairs[count].b, ids[count]);
        gz_step_solve_ids(job->call, worker, &counts, kind, NULL, (const uint32_t(*)[4])ids, count,
                          results + (first - begin));
        first += count;
    }
    gz_add_counts(job->call->context, &counts);
}

static void solve_range(void *state, size_t begin, size_t end, uint32_t worker) {
    solve_job *job = state;
    gz_results_fill(job->results, worker, begin, end, solve_part, job);
}

static graze_status ccd_pairs(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                              const double (*x1)[3], const graze_pair *pairs, size_t count,
                              const graze_step_options *options, gz_results results) {
    gz_step_call call;
    bool kinds[GZ_KINDS];
    graze_status status = gz_step_open(context, mesh, x0, x1, options, &call);
    if (status == GRAZE_OK) status = gz_results_check(context, results);
    if (status == GRAZE_OK) status = gz_step_check_results(&call, gz_results_pieces(results, count), pairs, count);
    if (status == GRAZE_OK) status = gz_pairs_check(&call, pairs, count, kinds);
    if (status == GRAZE_OK) status = gz_step_relative_check(&call);
    for (int kind = 0; kind < GZ_KINDS && status == GRAZE_OK; kind++)
        if (kinds[kind])
            status = gz_narrow_prepare(context, (graze_kind)kind, &call.narrow, &call.calls[kind], &call.method);
    if (status != GRAZE_OK) return status;
    solve_job job = {.call = &call, .pairs = pairs, .results = results};
    gz_parallel(context, count, SOLVE_CHUNK, solve_range, &job);
    return GRAZE_OK;
}

graze_status gz_pair_solve(graze_context *context, const graze_mesh *mesh, const double (*x0)[3], const double (*x1)[3],
                           graze_pair pair, const graze_step_options *options, graze_result *result) {
    return ccd_pairs(context, mesh, x0, x1, &pair, 1, options, gz_results_at(result, 1, sizeof *result));
}

static gz_results open_results(graze_result *first, size_t count, const graze_step_options *given) {
    graze_step_options options;
    bool readable = gz_step_options_read(NULL, given, &options) == GRAZE_OK;
    return gz_results_open(first, count, readable ? options.narrow : NULL);
}

graze_status graze_ccd_pairs(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                             const double (*x1)[3], const graze_pair *pairs, size_t count,
                             const graze_step_options *options, graze_result *first) {
    if (count && !first) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_results results = open_results(first, count, options);
    graze_status status = GRAZE_ERR_INVALID_ARGUMENT;
    gz_fp_environment env;
    if (context && (pairs || !count)) status = gz_context_enter(context, &env);
    if (status == GRAZE_OK)
        status = gz_context_leave(context, &env, ccd_pairs(context, mesh, x0, x1, pairs, count, options, results));
    if (status != GRAZE_OK) gz_results_close(results, count);
    return status;
}
