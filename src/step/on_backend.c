#include "step/on_backend.h"

#include <stdlib.h>
#include <string.h>

/* Opening a device takes a while: with the back end left to us, a context waits until its steps have taken
   about as long as that, half a second, on the CPU. */
#define WORTH_OPENING 0.5

/* ---- where ---- */

static graze_backend asked_for(const gz_step_call *call) {
    return call->options.backend != GRAZE_BACKEND_AUTO ? call->options.backend : call->context->options.backend;
}

/* NULL, or why no back end answers this call. */
static const char *unsuited(const gz_step_call *call) {
    graze_method method = call->method->info.method;
    if (method != GRAZE_METHOD_CERTIFIED && method != GRAZE_METHOD_EXACT)
        return "it has the methods certified and exact only";
    if (call->mesh->filter) return "it does not call a filter";
    if (call->options.mode == GRAZE_STEP_VERTICES) return "it has no mode vertices";
    if (call->options.broad != GRAZE_BROAD_AUTO && call->options.broad != GRAZE_BROAD_LBVH)
        return "it has a broad phase of its own";
    if (call->options.memory_limit || call->context->options.memory_limit) return "it keeps to no memory limit";
    if (call->mesh->vertex_count == 0) return "the mesh is empty";
    if (call->options.relative_separation > 0) return "it knows one separation for all pairs";
    if (call->at_start) return "it does not take t_max = 0";
    if (call->options.kinds != (1u << GZ_KINDS) - 1) return "it looks for all kinds of pairs";
    return NULL;
}

graze_status gz_step_choose_backend(const gz_step_call *call, gz_backend **backend) {
    graze_context *context = call->context;
    graze_backend wanted = asked_for(call);
    const char *why = unsuited(call);
    *backend = NULL;
    if (wanted == GRAZE_BACKEND_CPU) return GRAZE_OK;
    if (wanted == GRAZE_BACKEND_AUTO) {
        gz_backend *kept = why ? NULL : gz_backend_kept(context);
        if (kept && kept->spent >= WORTH_OPENING) *backend = gz_backend_open(context, &why);
        return GRAZE_OK;
    }
    if (!why) *backend = gz_backend_open(context, &why);
    if (*backend) return GRAZE_OK;
    return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "back end cuda: %s", why);
}

void gz_step_took(const gz_step_call *call, double seconds) {
    if (asked_for(call) != GRAZE_BACKEND_AUTO || unsuited(call)) return;
    gz_backend *kept = gz_backend_kept(call->context);
    if (kept) kept->spent += seconds;
}

/* ---- the pairs that the host answers ---- */

static void answer_pair(const gz_step_call *call, gz_counts *counts, const graze_pair *pair, graze_pair_result *out) {
    uint32_t ids[1][4];
    gz_pair_vertices(call->mesh, pair->kind, pair->a, pair->b, ids[0]);
    out->pair = *pair;
    gz_step_solve_ids(call, 0, counts, pair->kind, NULL, (const uint32_t(*)[4])ids, 1, &out->result);
}

static void take(graze_step_result *result, const graze_pair_result *pair) {
    if (pair->result.verdict == GRAZE_CLEAR) return;
    if (!result->has_pair || gz_pair_before(pair, &result->limiting)) result->limiting = *pair;
    result->has_pair = 1;
}

static void take_earliest(const gz_step_call *call, const gz_backend_answer *answer, graze_step_result *result) {
    gz_counts counts = {0};
    graze_pair_result pair;
    if (answer->has_best) {
        answer_pair(call, &counts, &answer->best, &pair);
        take(result, &pair);
    }
    for (size_t i = 0; i < answer->ask_count; i++) {
        answer_pair(call, &counts, &answer->asks[i], &pair);
        take(result, &pair);
    }
    gz_add_counts(call->context, &counts);
}

static int by_pair(const void *x, const void *y) {
    const graze_pair *a = &((const graze_pair_result *)x)->pair, *b = &((const graze_pair_result *)y)->pair;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    return a->b < b->b ? -1 : a->b > b->b;
}

static graze_status take_all(const gz_step_call *call, const gz_backend_answer *answer, graze_step_result *result) {
    size_t room = answer->pair_count + answer->ask_count;
    graze_pair_result *pairs = room ? gz_allocate_array(call->context, room, sizeof *pairs) : NULL;
    if (room && !pairs) return GRAZE_ERR_OUT_OF_MEMORY;
    gz_counts counts = {0};
    size_t count = answer->pair_count;
    if (count) memcpy(pairs, answer->pairs, count * sizeof *pairs);
    for (size_t i = 0; i < answer->ask_count; i++) {
        answer_pair(call, &counts, &answer->asks[i], &pairs[count]);
        count += pairs[count].result.verdict != GRAZE_CLEAR;
    }
    if (count > answer->pair_count) qsort(pairs, count, sizeof *pairs, by_pair);
    for (size_t i = 0; i < count; i++) {
        result->hits[pairs[i].pair.kind]++;
        take(result, &pairs[i]);
    }
    gz_add_counts(call->context, &counts);
    memcpy(result->candidates, answer->candidates, sizeof result->candidates);
    if (count == room) {
        result->pairs = pairs;
        result->pair_count = count;
        return GRAZE_OK;
    }
    /* what is owned has the size that it is released with */
    result->pairs = count ? gz_allocate_array(call->context, count, sizeof *pairs) : NULL;
    if (result->pairs) memcpy(result->pairs, pairs, count * sizeof *pairs);
    result->pair_count = result->pairs ? count : 0;
    gz_release(call->context, pairs, room * sizeof *pairs);
    return count && !result->pairs ? GRAZE_ERR_OUT_OF_MEMORY : GRAZE_OK;
}

/* ---- a step ---- */

static int is_cancelled(void *context) { return gz_cancelled(context); }

static gz_backend_request request_of(const gz_step_call *call) {
    const gz_narrow_call *narrow = NULL;
    unsigned kinds = 0;
    for (int kind = 0; kind < GZ_KINDS; kind++)
        if (gz_step_has_kind(call, (graze_kind)kind)) {
            narrow = &call->calls[kind];
            kinds |= 1u << kind;
        }
    return (gz_backend_request){
        .mesh = call->mesh,
        .x0 = call->positions.x0,
        .x1 = call->positions.x1,
        .stride = call->positions.stride,
        .all = call->options.mode == GRAZE_STEP_ALL,
        .exact = call->method->info.method == GRAZE_METHOD_EXACT,
        .kinds = kinds,
        .separation = call->separation,
        .t_max = call->t_max,
        .tolerance = narrow ? narrow->tolerance : 0,
        .grow = gz_step_box_input(call).grow,
        .max_checks = narrow ? narrow->max_checks : 0,
        .cancelled = is_cancelled,
        .cancel_state = call->context,
    };
}

graze_status gz_step_on_backend(const gz_step_call *call, gz_backend *backend, graze_step_result *result,
                                bool *cancelled) {
    gz_backend_request request = request_of(call);
    gz_backend_answer answer = {0};
    graze_status status = GRAZE_OK;
    if (request.kinds) status = backend->table->step(backend->device, &request, &answer);
    if (status != GRAZE_OK) return gz_fail(call->context, status, UINT64_MAX, "back end cuda: %s", answer.message);
    *cancelled = answer.cancelled != 0;
    result->backend = GRAZE_BACKEND_CUDA;
    result->ms_boxes = answer.ms_boxes;
    result->ms_broad = answer.ms_broad;
    result->ms_narrow = answer.ms_narrow;
    if (*cancelled) return GRAZE_OK;
    if (request.all) return take_all(call, &answer, result);
    take_earliest(call, &answer, result);
    return GRAZE_OK;
}
