#include "step/on_backend.h"

#include "step/float_look.h"
#include "step/kept_pairs.h"
#include "step/mesh_pair.h"
#include "step/search.h"
#include "step/solve.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* ---- where ---- */

static bool needs_device(const gz_step_call *call) {
    return call->options.positions_in == GRAZE_MEMORY_DEVICE || call->options.pairs_in == GRAZE_MEMORY_DEVICE;
}

static graze_backend asked_for(const gz_step_call *call) {
    if (needs_device(call)) return GRAZE_BACKEND_CUDA;
    return call->options.backend != GRAZE_BACKEND_AUTO ? call->options.backend : call->context->options.backend;
}

/* NULL, or why no back end answers this question. */
static const char *unsuited_question(const gz_step_call *call) {
    graze_method method = call->method->info.method;
    if (method != GRAZE_METHOD_CERTIFIED && method != GRAZE_METHOD_EXACT)
        return "it has the methods certified and exact only";
    if (call->mesh->vertex_count == 0) return "the mesh is empty";
    if (call->options.relative_separation > 0 && asked_for(call) == GRAZE_BACKEND_AUTO)
        return "relative_separation runs there by name only";
    if (call->at_start) return "it does not take t_max = 0";
    if (needs_device(call) && call->options.backend == GRAZE_BACKEND_CPU)
        return "positions or pairs in its memory are not for the back end cpu";
    return NULL;
}

/* As unsuited_question, but for a search of pairs. */
static const char *unsuited(const gz_step_call *call) {
    if (call->mesh->filter) return "it does not call a filter";
    if (call->options.broad != GRAZE_BROAD_AUTO && call->options.broad != GRAZE_BROAD_LBVH)
        return "it has a broad phase of its own";
    return unsuited_question(call);
}

/* As unsuited, but for steps alone. */
static const char *unsuited_step(const gz_step_call *call) {
    if (call->options.pairs_in == GRAZE_MEMORY_DEVICE && call->options.mode != GRAZE_STEP_ALL &&
        call->options.mode != GRAZE_STEP_VERTICES)
        return "pairs are left in its memory in mode all, times of vertices in mode vertices, and nothing else";
    return unsuited(call);
}

bool gz_step_backend_by_name(const gz_step_call *call) { return asked_for(call) == GRAZE_BACKEND_CUDA; }

static graze_status choose(const gz_step_call *call, const char *why, gz_backend **backend) {
    graze_context *context = call->context;
    graze_backend wanted = asked_for(call);
    *backend = NULL;
    if (wanted == GRAZE_BACKEND_CPU) return GRAZE_OK;
    if (wanted == GRAZE_BACKEND_AUTO) {
        gz_backend *kept = why ? NULL : gz_backend_kept(context);
        if (kept && kept->spent >= GZ_WORTH_OPENING)
            *backend = gz_backend_open(context, &why);
        else if (!why)
            why = "calls of this context have not yet taken as long as opening a device does";
        if (!*backend) gz_log(context, GRAZE_LOG_DEBUG, "back end cpu: %s", why);
        return GRAZE_OK;
    }
    return gz_backend_by_name(context, why, backend);
}

graze_status gz_step_choose_backend(const gz_step_call *call, gz_backend **backend) {
    return choose(call, unsuited_step(call), backend);
}

graze_status gz_step_choose_lists(const gz_step_call *call, graze_broad broad, gz_backend **backend) {
    const char *why = unsuited(call);
    bool limited = call->options.memory_limit || call->context->options.memory_limit;
    if (!why && limited && broad != GRAZE_BROAD_AUTO) why = "broad phases for comparison keep to no memory limit";
    return choose(call, why, backend);
}

#define LISTED_FROM 16384u /* pairs: fewer are answered sooner than positions are brought to a device */

graze_status gz_step_choose_listed(const gz_step_call *call, size_t count, gz_backend **backend) {
    const char *why = unsuited_question(call);
    if (!why && call->options.pairs_in == GRAZE_MEMORY_DEVICE) why = "a list of pairs is read from the host's memory";
    if (!why && count < LISTED_FROM && asked_for(call) == GRAZE_BACKEND_AUTO) why = "few pairs are listed";
    return choose(call, why, backend);
}

void gz_step_took(const gz_step_call *call, double seconds) {
    if (asked_for(call) != GRAZE_BACKEND_AUTO || unsuited(call)) return;
    gz_backend *kept = gz_backend_kept(call->context);
    if (kept) kept->spent += seconds;
}

/* ---- the pairs that the host answers ---- */

/* `follow` as in gz_narrow_call. */
static void answer_pair(gz_hosted *h, double *follow, const graze_pair *pair, graze_pair_result *out) {
    uint32_t ids[1][4];
    gz_pair_vertices(h->call->mesh, pair->kind, pair->a, pair->b, ids[0]);
    out->pair = *pair;
    gz_step_solve_ids(h->call, 0, &h->counts, pair->kind, follow, (const uint32_t(*)[4])ids, 1, &out->result);
}

static void take(graze_step_result *result, const graze_pair_result *pair) {
    if (pair->result.verdict == GRAZE_CLEAR) return;
    if (!result->has_pair || gz_pair_before(pair, &result->limiting)) result->limiting = *pair;
    result->has_pair = 1;
}

static int by_free(const void *x, const void *y) {
    double a = ((const gz_backend_ask *)x)->free, b = ((const gz_backend_ask *)y)->free;
    return a < b ? -1 : a > b;
}

/* Answers pairs that may be the earliest, in the order of their proven times: most then need no look. */
static double answer_asks(void *host, gz_backend_ask *asks, size_t count) {
    gz_hosted *h = host;
    qsort(asks, count, sizeof *asks, by_free);
    for (size_t i = 0; i < count && asks[i].free < h->follow; i++) {
        graze_pair_result pair;
        answer_pair(h, &h->follow, &asks[i].pair, &pair);
        take(h->result, &pair);
    }
    return h->result->has_pair ? h->result->limiting.result.toi : INFINITY;
}

static void take_best(gz_hosted *h, const gz_backend_answer *answer) {
    graze_pair_result pair;
    if (!answer->has_best) return;
    answer_pair(h, NULL, &answer->best, &pair);
    take(h->result, &pair);
}

/* ---- all pairs ---- */

typedef struct ask_list {
    const gz_step_call *call;
    const gz_backend_ask *asks;
    graze_result *results;
} ask_list;

static void answer_range(void *state, size_t begin, size_t end, uint32_t worker) {
    const ask_list *list = state;
    gz_counts counts = {0};
    for (size_t i = begin; i < end; i++) {
        const graze_pair *pair = &list->asks[i].pair;
        uint32_t ids[1][4];
        gz_pair_vertices(list->call->mesh, pair->kind, pair->a, pair->b, ids[0]);
        gz_step_solve_ids(list->call, worker, &counts, pair->kind, NULL, (const uint32_t(*)[4])ids, 1,
                          &list->results[i]);
    }
    gz_add_counts(list->call->context, &counts);
}

#define ASKS_AT_ONCE 8 /* as long as waking one more thread takes */

static void answer_all(void *host, const gz_backend_ask *asks, size_t count, graze_result *results) {
    ask_list list = {((gz_hosted *)host)->call, asks, results};
    gz_parallel(list.call->context, count, ASKS_AT_ONCE, answer_range, &list);
}

static graze_pair_result *make_room(void *host, size_t count) {
    gz_hosted *h = host;
    h->result->pairs = gz_pairs_allocate(h->call->context, count);
    return h->result->pairs;
}

static void take_all(gz_hosted *h, const gz_backend_answer *answer) {
    graze_step_result *result = h->result;
    memcpy(result->candidates, answer->candidates, sizeof result->candidates);
    memcpy(result->hits, answer->hits, sizeof result->hits);
    if (!answer->pair_count) return;
    take(result, &answer->first);
    result->pair_count = answer->pair_count;
    if (h->call->options.pairs_in == GRAZE_MEMORY_DEVICE) result->device_pairs = answer->pairs;
}

/* ---- lists ---- */

static graze_pair *make_list_room(void *host, size_t count) {
    const gz_hosted *h = host;
    h->list->pairs = gz_list_allocate(h->call->context, count, false);
    h->list->count = h->list->pairs ? count : 0;
    return h->list->pairs;
}

static void take_stops(void *host, const graze_pair *pairs, size_t count) {
    gz_vertices_take(&((gz_hosted *)host)->vertices, pairs, count);
}

static const double *stops_so_far(void *host) { return gz_vertices_limits(&((gz_hosted *)host)->vertices); }

/* ---- a step ---- */

static int is_cancelled(void *host) { return gz_cancelled(((gz_hosted *)host)->call->context); }

static graze_status check_mesh(void *host) {
    const gz_hosted *h = host;
    return gz_step_check_mesh(h->call, h->whole);
}

static graze_status check_positions(void *host) { return gz_step_check_positions(((gz_hosted *)host)->call); }

static void run_parallel(void *host, size_t count, size_t chunk, gz_backend_body *body, void *state) {
    gz_parallel(((gz_hosted *)host)->call->context, count, chunk, body, state);
}

static const gz_backend_host functions = {.check_mesh = check_mesh,
                                          .check_positions = check_positions,
                                          .answer = answer_asks,
                                          .answer_all = answer_all,
                                          .cancelled = is_cancelled,
                                          .parallel = run_parallel,
                                          .room = make_room,
                                          .list_room = make_list_room,
                                          .take_stops = take_stops,
                                          .stops = stops_so_far};

gz_backend_request gz_hosted_request(gz_hosted *h) {
    const gz_step_call *call = h->call;
    gz_question question = call->question;
    unsigned kinds = 0;
    question.tolerance = 0, question.max_checks = 0; /* those of the method, for all kinds */
    for (int kind = 0; kind < GZ_KINDS; kind++)
        if (gz_step_has_kind(call, (graze_kind)kind)) {
            question.tolerance = call->calls[kind].question.tolerance;
            question.max_checks = call->calls[kind].question.max_checks;
            kinds |= 1u << kind;
        }
    return (gz_backend_request){
        .mesh = call->mesh,
        .x0 = call->positions.x0,
        .x1 = call->positions.x1,
        .stride = call->positions.stride,
        .stream = call->options.stream,
        .keep_pairs = call->options.pairs_in == GRAZE_MEMORY_DEVICE,
        .memory_limit = call->options.memory_limit ? call->options.memory_limit : call->context->options.memory_limit,
        .largest = call->method->any_finite ? DBL_MAX : GRAZE_MAX_COORDINATE,
        .all = call->options.mode == GRAZE_STEP_ALL,
        .exact = call->method->info.method == GRAZE_METHOD_EXACT,
        .kinds = kinds,
        .question = question,
        .grow = gz_step_box_input(call).grow,
        .kept_part = call->options.relative_separation,
        .kept_windows = gz_far_serves(call),
        .looks = gz_far_serves(call) && call->options.relative_separation == 0,
        .may_end = call->context->options.cancel || call->context->options.deadline_seconds > 0,
        .functions = functions,
        .host = h,
    };
}

/* The host's own rows, for positions that are on the device: the back end fills them in as they are asked for. */
static graze_status open_rows(gz_step_call *call, gz_backend_request *request) {
    if (call->options.positions_in == GRAZE_MEMORY_HOST) return GRAZE_OK;
    size_t count = call->mesh->vertex_count;
    request->rows[0] =
        gz_reserve(call->context, call->workspace, GZ_SLOT_BACKEND_ROWS, 2 * count, sizeof *request->rows[0]);
    if (!request->rows[0]) return GRAZE_ERR_OUT_OF_MEMORY;
    request->rows[1] = request->rows[0] + count;
    call->positions.x0 = (const char *)request->rows[0];
    call->positions.x1 = (const char *)request->rows[1];
    call->positions.stride = sizeof *request->rows[0];
    return GRAZE_OK;
}

/* ---- on the back end ---- */

/* Without a kind of pair that the mesh has there is nothing to find, and yet something to check. */
static graze_status run_step(const gz_backend *backend, const gz_backend_request *request, gz_backend_answer *answer) {
    if (request->kinds || request->rows[0] || request->times)
        return backend->table->step(backend->device, request, answer);
    graze_status status = check_mesh(request->host);
    return status == GRAZE_OK ? check_positions(request->host) : status;
}

graze_status gz_hosted_ask(gz_step_call *call, const gz_backend *backend, gz_backend_request *request,
                           gz_backend_answer *answer) {
    graze_status status = open_rows(call, request);
    if (status == GRAZE_OK) status = run_step(backend, request, answer);
    if (status != GRAZE_OK && answer->message[0])
        return gz_fail(call->context, status, UINT64_MAX, "back end cuda: %s", answer->message);
    return status;
}

graze_status gz_candidates_on_backend(gz_step_call *call, gz_backend *backend, graze_broad broad, gz_pair_list *list) {
    gz_hosted h = {.call = call, .whole = true, .list = list};
    gz_backend_request request = gz_hosted_request(&h);
    gz_backend_answer answer = {0};
    request.all = 0;
    request.candidates = 1;
    request.may_end = 0; /* a part of a list would hide pairs */
    request.broad = (int)broad;
    if (broad != GRAZE_BROAD_AUTO && request.kinds & (1u << GRAZE_PE | 1u << GRAZE_PP))
        return gz_fail(call->context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX,
                       "back end cuda: its broad phase %s knows faces and their edges only", graze_broad_name(broad));
    graze_status status = gz_hosted_ask(call, backend, &request, &answer);
    if (status != GRAZE_OK || !request.keep_pairs) return status;
    backend->listed = answer.listed;
    *list = (gz_pair_list){(graze_pair *)answer.listed, answer.listed_count};
    return status;
}

static graze_status ask_ti(gz_step_call *call, double *toi, uint64_t *checks) {
    gz_backend *backend;
    graze_status status = gz_step_choose_lists(call, GRAZE_BROAD_AUTO, &backend);
    if (status != GRAZE_OK || !backend) return status;
    gz_hosted h = {.call = call, .whole = true};
    gz_backend_request request = gz_hosted_request(&h);
    gz_backend_answer answer = {0};
    request.all = 0;
    request.candidates = 1;
    request.kinds &= 1u << GRAZE_VF | 1u << GRAZE_EE;
    request.ti_tolerance = call->narrow.tolerance > 0 ? call->narrow.tolerance : 1e-6;
    status = gz_hosted_ask(call, backend, &request, &answer);
    *toi = answer.has_best ? answer.best_toi : call->question.t_max;
    *checks = answer.ti_checks;
    return status;
}

graze_status gz_step_ti_on_backend(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                                   const double (*x1)[3], const graze_step_options *options, double *toi,
                                   uint64_t *checks) {
    gz_fp_environment env;
    gz_step_call call;
    *toi = 0;
    *checks = 0;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    status = gz_step_read(context, mesh, x0, x1, options, &call);
    call.options.backend = GRAZE_BACKEND_CUDA;
    if (status == GRAZE_OK) status = ask_ti(&call, toi, checks);
    return gz_context_leave(context, &env, status);
}

/* Takes the part of the answer that a step and a list have in common. */
static void take_times(gz_hosted *h, const gz_backend_answer *answer, bool *cancelled) {
    graze_step_result *result = h->result;
    gz_log(h->call->context, GRAZE_LOG_DEBUG, "step: back end cuda, %u passes", answer->passes);
    *cancelled = answer->cancelled || atomic_load(&h->call->context->cancelled);
    result->backend = GRAZE_BACKEND_CUDA;
    result->ms_boxes = answer->ms_boxes;
    result->ms_broad = answer->ms_broad;
    result->ms_narrow = answer->ms_narrow;
}

/* `stages`: NULL, or where the times of its stages go, each of which is then launched by itself. */
static graze_status answer_step(gz_step_call *call, gz_backend *backend, const gz_backend_worlds *worlds,
                                gz_stages *stages, graze_step_result *result, bool *cancelled) {
    gz_hosted h = {.call = call, .whole = true, .result = result, .follow = call->question.t_max};
    gz_backend_request request = gz_hosted_request(&h);
    gz_backend_answer answer = {0};
    request.worlds = worlds;
    request.by_stage = stages != NULL;
    request.stops = call->options.mode == GRAZE_STEP_VERTICES;
    if (request.stops && request.keep_pairs) request.times = call->options.vertex_toi;
    graze_status status = request.stops ? gz_vertices_begin(call, &h.vertices) : GRAZE_OK;
    if (status == GRAZE_OK) status = gz_hosted_ask(call, backend, &request, &answer);
    if (status != GRAZE_OK) return status;
    if (stages) *stages = answer.stages;
    take_times(&h, &answer, cancelled);
    if (*cancelled) return GRAZE_OK;
    if (request.stops)
        gz_vertices_end(&h.vertices, answer.limits, result);
    else if (request.all)
        take_all(&h, &answer);
    else
        take_best(&h, &answer);
    gz_add_counts(call->context, &h.counts); /* those of pairs that were answered one by one */
    return GRAZE_OK;
}

/* The kinds of a list: those whose primitives the mesh has. */
static unsigned kinds_to_list(const graze_mesh *mesh) {
    unsigned kinds = 0;
    for (int kind = 0; kind < GZ_KINDS; kind++) {
        uint32_t a, b;
        gz_pair_counts(mesh, (graze_kind)kind, &a, &b);
        if (a && b) kinds |= 1u << kind;
    }
    return kinds;
}

graze_status gz_listed_on_backend(gz_step_call *call, gz_backend *backend, const graze_pair *pairs, size_t count,
                                  graze_step_result *result, bool *bad, bool *cancelled) {
    gz_hosted h = {.call = call, .result = result, .follow = call->question.t_max};
    gz_backend_request request = gz_hosted_request(&h);
    gz_backend_answer answer = {0};
    request.only = 1;
    request.kinds = kinds_to_list(call->mesh);
    request.question.tolerance = call->calls[GRAZE_VF].question.tolerance;
    request.question.max_checks = call->calls[GRAZE_VF].question.max_checks;
    request.list = pairs;
    request.list_count = count;
    graze_status status = gz_hosted_ask(call, backend, &request, &answer);
    if (status != GRAZE_OK) return status;
    *bad = answer.has_bad;
    take_times(&h, &answer, cancelled);
    if (!*cancelled && !*bad) take_best(&h, &answer);
    gz_add_counts(call->context, &h.counts);
    return GRAZE_OK;
}

graze_status gz_step_on_backend(gz_step_call *call, gz_backend *backend, graze_step_result *result, bool *cancelled) {
    return answer_step(call, backend, NULL, NULL, result, cancelled);
}

graze_status gz_worlds_on_backend(gz_step_call *call, gz_backend *backend, const gz_backend_worlds *worlds,
                                  graze_step_result *result, bool *cancelled) {
    return answer_step(call, backend, worlds, NULL, result, cancelled);
}

static graze_status ask_stages(gz_step_call *call, gz_stages *stages) {
    gz_backend *backend;
    bool cancelled;
    graze_step_result result = graze_default_step_result();
    graze_status status = gz_step_choose_backend(call, &backend);
    if (status == GRAZE_OK) status = gz_step_open_narrow(call);
    if (status == GRAZE_OK) status = answer_step(call, backend, NULL, stages, &result, &cancelled);
    graze_step_release(call->context, &result);
    return status;
}

graze_status gz_step_by_stage(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                              const double (*x1)[3], const graze_step_options *options, gz_stages *stages) {
    gz_fp_environment env;
    gz_step_call call;
    *stages = (gz_stages){0};
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    status = gz_step_read(context, mesh, x0, x1, options, &call);
    call.options.backend = GRAZE_BACKEND_CUDA;
    if (status == GRAZE_OK) status = ask_stages(&call, stages);
    return gz_context_leave(context, &env, status);
}
