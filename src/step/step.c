/* Whole steps: mesh → boxes → broad → narrow → reduce. Pairs go from the broad phase to the narrow one in small blocks
   on the worker that found them; there is no list of candidates. */
#include "step/step.h"

#include "base/sizes.h"
#include "step/earliest/earliest.h"
#include "step/float_look.h"
#include "step/kept_pairs.h"
#include "step/mesh_pair.h"
#include "step/on_backend.h"
#include "step/result_list.h"
#include "step/search.h"
#include "step/solve.h"
#include "step/vertices.h"

#include <string.h>

#define TIMED 32u /* vertices from which on the parts of a step are timed; below all of it counts as broad phase */

/* Findings of one worker. */
typedef struct step_worker {
    _Alignas(64) bool has_best;
    graze_pair_result best;
    uint64_t candidates[GZ_KINDS], hits[GZ_KINDS];
    gz_counts counts;
    double narrow_seconds;
} step_worker;

typedef struct step_job {
    const gz_step_call *call;
    step_worker *workers;
    gz_result_list *lists; /* for mode ALL: hits and unresolved */
    uint32_t (*ids)[4];    /* call->room for each worker */
    graze_result *results; /* the same */
    bool looks;            /* `far` is made, and drops pairs that are plainly apart; what is left, the same: */
    uint32_t (*left)[2];
    gz_far_job far;
    atomic_bool stopped; /* mode ANY has its hit */
} step_job;

static bool step_block(void *state, uint32_t worker, graze_kind kind, const uint32_t (*pairs)[2], size_t count) {
    step_job *job = state;
    const gz_step_call *call = job->call;
    step_worker *mine = &job->workers[worker];
    if (gz_cancelled(call->context)) return false;
    double start = gz_seconds();
    graze_result *results = job->results + worker * call->room;
    mine->candidates[kind] += count;
    if (job->looks && (kind == GRAZE_VF || kind == GRAZE_EE)) {
        uint32_t(*left)[2] = job->left + worker * call->room;
        count = gz_far_drop(call, &job->far, kind, pairs, count, left, &mine->counts);
        pairs = (const uint32_t(*)[2])left;
    }
    gz_step_solve(call, worker, &mine->counts, kind, NULL, pairs, count, job->ids + worker * call->room, results);
    bool go_on = true;
    for (size_t i = 0; i < count && go_on; i++) {
        if (results[i].verdict == GRAZE_CLEAR) continue;
        mine->hits[kind]++;
        graze_pair_result pair = {.pair = {kind, pairs[i][0], pairs[i][1]}, .result = results[i]};
        if (!mine->has_best || gz_pair_before(&pair, &mine->best)) mine->best = pair;
        mine->has_best = true;
        if (call->options.mode == GRAZE_STEP_ALL)
            go_on = gz_result_list_add(call->context, gz_result_list_of(call, job->lists, kind, worker), &pair);
        if (call->options.mode == GRAZE_STEP_ANY && pair.result.proven) {
            mine->best = pair;
            atomic_store(&job->stopped, true);
            go_on = false;
        }
    }
    mine->narrow_seconds += gz_seconds() - start;
    return go_on;
}

static graze_status open_job(step_job *job, const gz_step_call *call) {
    graze_context *context = call->context;
    gz_workspace *workspace = call->workspace;
    size_t room = call->room * context->threads;
    *job = (step_job){.call = call};
    job->workers = gz_reserve(context, workspace, GZ_SLOT_MODE_WORKERS, context->threads, sizeof *job->workers);
    job->ids = gz_reserve(context, workspace, GZ_SLOT_MODE_IDS, room, sizeof *job->ids);
    job->results = gz_reserve(context, workspace, GZ_SLOT_MODE_RESULTS, room, sizeof *job->results);
    job->left = gz_reserve(context, workspace, GZ_SLOT_MODE_LEFT, room, sizeof *job->left);
    job->looks = job->left && gz_far_make(call, &job->far);
    job->lists = gz_result_lists_open(call);
    if (!job->workers || !job->ids || !job->results || !job->lists) return GRAZE_ERR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < context->threads; i++) job->workers[i] = (step_worker){0};
    return GRAZE_OK;
}

static void reduce(const step_job *job, graze_step_result *result) {
    graze_context *context = job->call->context;
    for (uint32_t i = 0; i < context->threads; i++) {
        const step_worker *worker = &job->workers[i];
        for (int kind = 0; kind < GZ_KINDS; kind++) {
            result->candidates[kind] += worker->candidates[kind];
            result->hits[kind] += worker->hits[kind];
        }
        if (atomic_load(&job->stopped) && !worker->best.result.proven) continue;
        if (worker->has_best && (!result->has_pair || gz_pair_before(&worker->best, &result->limiting))) {
            result->limiting = worker->best;
            result->has_pair = 1;
        }
        result->ms_narrow += 1e3 * worker->narrow_seconds / context->threads;
        gz_add_counts(context, &worker->counts);
    }
}

/* Every candidate through the narrow phase. */
static graze_status search(const gz_step_call *call, graze_step_result *result, bool *stopped) {
    step_job job;
    graze_status status = open_job(&job, call);
    if (status != GRAZE_OK) return status;
    for (int kind = 0; kind < GZ_KINDS && status == GRAZE_OK && !atomic_load(&job.stopped); kind++) {
        if (!gz_step_has_kind(call, (graze_kind)kind)) continue;
        status = gz_step_search(call, (graze_kind)kind, true, step_block, &job);
    }
    if (status == GRAZE_OK) status = gz_result_lists_join(call, job.lists, result);
    gz_result_lists_close(call, job.lists);
    if (status == GRAZE_OK) reduce(&job, result);
    *stopped = atomic_load(&job.stopped);
    return status;
}

/* ---- the answer ---- */

void gz_step_conclude(const gz_step_call *call, graze_step_result *result) {
    result->verdict = result->has_pair ? result->limiting.result.verdict : GRAZE_CLEAR;
    result->reason = result->has_pair ? result->limiting.result.reason : GRAZE_REASON_NONE;
    result->toi = result->has_pair ? result->limiting.result.toi : call->at_start ? 0 : call->question.t_max;
    result->toi_upper = result->has_pair ? result->limiting.result.toi_upper : INFINITY;
}

void gz_step_count_nothing(graze_step_result *result) {
    for (int kind = 0; kind < GZ_KINDS; kind++) result->candidates[kind] = result->hits[kind] = GRAZE_NOT_COUNTED;
}

void gz_step_give_up(graze_context *context, graze_step_result *result) {
    gz_log(context, GRAZE_LOG_DEBUG, "step: given up, cancelled or past the deadline");
    graze_step_release(context, result);
    result->verdict = GRAZE_UNRESOLVED;
    result->reason = GRAZE_REASON_CANCELLED;
    result->toi = 0;
    result->toi_upper = INFINITY;
    result->has_pair = 0;
    memset(&result->limiting, 0, sizeof result->limiting);
    gz_step_count_nothing(result);
}

/* On a back end. False when the CPU is to do it all over: the device failed, and was not asked for by name. */
static bool run_on_backend(gz_step_call *call, gz_backend *backend, graze_step_result *result, graze_status *status) {
    bool cancelled = false;
    *status = gz_step_on_backend(call, backend, result, &cancelled);
    if (*status == GRAZE_ERR_DEVICE && !gz_step_backend_by_name(call)) {
        gz_log(call->context, GRAZE_LOG_WARNING, "%s; the step is done on the CPU", call->context->error.message);
        backend->spent = 0; /* it is tried again when it could have paid once more */
        graze_step_release(call->context, result);
        *result = graze_default_step_result();
        return false;
    }
    if (*status != GRAZE_OK) return true;
    gz_step_conclude(call, result);
    if (call->options.mode != GRAZE_STEP_ALL) gz_step_count_nothing(result);
    if (call->options.mode == GRAZE_STEP_ANY && result->has_pair && result->limiting.result.proven) result->toi = 0;
    if (cancelled) gz_step_give_up(call->context, result);
    return true;
}

static graze_status check(gz_step_call *call) {
    graze_status status = gz_step_check_mesh(call, true);
    return status == GRAZE_OK ? gz_step_check_positions(call) : status;
}

/* The step itself; on failure `result` may own pairs. */
static graze_status run(graze_context *context, const graze_mesh *mesh, const double (*x0)[3], const double (*x1)[3],
                        const graze_step_options *options, graze_step_result *result) {
    double start = gz_seconds();
    gz_step_call call;
    graze_status status = gz_step_read(context, mesh, x0, x1, options, &call);
    gz_backend *backend = NULL;
    if (status == GRAZE_OK) status = gz_step_check_times(&call);
    if (status == GRAZE_OK) status = gz_step_choose_backend(&call, &backend);
    if (status == GRAZE_OK && !backend) status = check(&call);
    if (status == GRAZE_OK) status = gz_step_open_narrow(&call);
    if (status != GRAZE_OK) return status;
    if (backend && run_on_backend(&call, backend, result, &status)) {
        result->ms_total = 1e3 * (gz_seconds() - start);
        return status;
    }
    if (backend) status = check(&call); /* what the device saw of it may be anything */
    if (status != GRAZE_OK) return status;
    gz_log(context, GRAZE_LOG_DEBUG, "step: %u vertices, method %s, broad phase %s, %s, %u threads, back end cpu",
           call.mesh->vertex_count, call.method->info.name, graze_broad_name(call.options.broad),
           graze_isa_name(context->isa), context->threads);
    /* reading the clock would take longer than the boxes of a few vertices do */
    bool timed = mesh->vertex_count >= TIMED;
    double boxes_start = timed ? gz_seconds() : start;
    bool fused = gz_step_is_fused(&call), stopped = false;
    status = gz_step_is_few(&call) ? gz_step_vertex_boxes(&call)
             : fused               ? gz_step_open_trees(&call)
                                   : gz_step_boxes(&call, false);
    if (status != GRAZE_OK) return status;
    double search_start = timed ? gz_seconds() : start;
    bool vertices = call.options.mode == GRAZE_STEP_VERTICES;
    status = vertices ? gz_step_vertices(&call, result)
             : fused  ? gz_step_earliest(&call, result, &stopped)
                      : search(&call, result, &stopped);
    if (status != GRAZE_OK) return status;
    double end = gz_seconds();
    gz_step_conclude(&call, result);
    if (fused || vertices || stopped) gz_step_count_nothing(result);
    if (stopped) result->toi = 0; /* a contact is proven; that there is none before it is not */
    if (atomic_load(&context->cancelled) && !stopped) gz_step_give_up(context, result);
    result->ms_boxes = 1e3 * (search_start - boxes_start);
    result->ms_broad = 1e3 * (end - search_start) - result->ms_narrow;
    result->ms_total = 1e3 * (end - start);
    result->backend = GRAZE_BACKEND_CPU;
    gz_step_took(&call, end - start);
    return GRAZE_OK;
}

static const graze_step_result closed = {.struct_size = sizeof closed, .toi_upper = INFINITY};

void graze_init_step_result(graze_step_result *result, size_t size) {
    gz_sized_init(result, size, &closed, sizeof closed);
}

graze_status gz_step_run(graze_context *context, const graze_mesh *mesh, const double (*x0)[3], const double (*x1)[3],
                         const graze_step_options *options, graze_step_result *result) {
    *result = closed;
    graze_status status = run(context, mesh, x0, x1, options, result);
    if (status == GRAZE_OK) return status;
    graze_step_release(context, result);
    *result = closed;
    return status;
}

graze_status gz_step_enter(graze_context *context, graze_step_result *result, gz_fp_environment *env) {
    if (!result || gz_sized_check(NULL, "step result", result, GZ_STEP_RESULT_LEAST) != GRAZE_OK)
        return GRAZE_ERR_INVALID_ARGUMENT;
    gz_sized_write(result, &closed, sizeof closed);
    return context ? gz_context_enter(context, env) : GRAZE_ERR_INVALID_ARGUMENT;
}

graze_status gz_step_leave(graze_context *context, gz_fp_environment *env, graze_status status,
                           const graze_step_result *found, graze_step_result *result) {
    if (status == GRAZE_OK) gz_sized_write(result, found, sizeof *found);
    return gz_context_leave(context, env, status);
}

graze_status graze_step(graze_context *context, const graze_mesh *mesh, const double (*x0)[3], const double (*x1)[3],
                        const graze_step_options *options, graze_step_result *result) {
    gz_fp_environment env;
    graze_step_result found;
    graze_status status = gz_step_enter(context, result, &env);
    if (status != GRAZE_OK) return status;
    status = gz_step_run(context, mesh, x0, x1, options, &found);
    return gz_step_leave(context, &env, status, &found, result);
}

void graze_step_release(graze_context *context, graze_step_result *result) {
    if (!result || result->struct_size < GZ_STEP_RESULT_LEAST) return;
    gz_pairs_release(context, result->pairs);
    result->pairs = NULL;
    result->pair_count = 0;
}
