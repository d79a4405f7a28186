/* The first contact of the pairs that a caller lists.
 *
 * As in the fused step (earliest.c), a pair is followed only up to just after the least toi found so far, and the look
 * in float is at a window that shrinks with it: neither changes the pairs with the least toi. Early contacts come
 * first: the list is worked off in rounds, each four times as long as all before it and spread over the whole list. */
#include "step/on_backend.h"

#include "base/least.h"
#include "step/earliest/fused.h"
#include "step/mesh_pair.h"
#include "step/search.h"
#include "step/solve.h"
#include "step/step.h"

#define CHUNK 256u /* pairs that a worker takes at a time */
#define FIRST_PART 64u
#define LEAST_CHUNKS 8u /* in the first round */
#define NO_PAIR UINT64_MAX

typedef struct list_worker {
    bool has_best;
    graze_pair_result best;
    gz_counts counts;
    uint32_t pairs[CHUNK][2], ids[CHUNK][4];
    graze_result results[CHUNK];
} list_worker;

typedef struct list_search {
    const gz_step_call *call;
    const graze_pair *pairs;
    size_t count;
    list_worker *workers;
    bool looks; /* `far` is made, and drops pairs that are plainly apart on the window */
    gz_far_job far;
    double window;
    gz_least best;  /* the least toi found */
    gz_least first; /* gz_pair_rank of the first pair found with toi 0; else GZ_RANK_NONE */
    size_t part;    /* this round: chunks that are multiples of it … */
    bool opening;   /* … all of them, or those that earlier rounds left */
} list_search;

/* ---- one chunk ---- */

static double follow_to(const list_search *s) {
    double best = gz_least_get(&s->best), t_max = s->call->question.t_max;
    return best < t_max ? fmin(nextafter(best, INFINITY), t_max) : t_max;
}

/* The pairs of one kind, but for those that come after a contact at toi 0. */
static size_t gather(const list_search *s, graze_kind kind, size_t begin, size_t end, uint32_t (*pairs)[2]) {
    uint64_t first = atomic_load_explicit(&s->first, memory_order_relaxed);
    size_t count = 0;
    for (size_t i = begin; i < end; i++) {
        const graze_pair *pair = &s->pairs[i];
        if (pair->kind != kind || gz_pair_rank(kind, pair->a, pair->b) >= first) continue;
        pairs[count][0] = pair->a;
        pairs[count++][1] = pair->b;
    }
    return count;
}

static void take(list_search *s, list_worker *mine, const graze_pair_result *pair) {
    if (!mine->has_best || gz_pair_before(pair, &mine->best)) mine->best = *pair;
    mine->has_best = true;
    gz_least_lower(&s->best, pair->result.toi);
    if (pair->result.toi == 0) gz_least_lower_to(&s->first, gz_pair_rank(pair->pair.kind, pair->pair.a, pair->pair.b));
}

static void solve_kind(list_search *s, uint32_t worker, graze_kind kind, size_t begin, size_t end) {
    const gz_step_call *call = s->call;
    list_worker *mine = &s->workers[worker];
    const uint32_t(*pairs)[2] = (const uint32_t(*)[2])mine->pairs;
    size_t count = gather(s, kind, begin, end, mine->pairs);
    if (s->looks && (kind == GRAZE_VF || kind == GRAZE_EE))
        count = gz_far_drop(call, &s->far, kind, pairs, count, mine->pairs, &mine->counts);
    if (count == 0) return;
    double follow = follow_to(s);
    gz_step_solve(call, worker, &mine->counts, kind, call->method->windowed ? &follow : NULL, pairs, count, mine->ids,
                  mine->results);
    for (size_t i = 0; i < count; i++) {
        if (mine->results[i].verdict == GRAZE_CLEAR) continue;
        take(s, mine, &(graze_pair_result){{kind, pairs[i][0], pairs[i][1]}, mine->results[i]});
    }
}

/* ---- rounds ---- */

static size_t divide_up(size_t a, size_t b) { return a / b + (a % b != 0); }

static size_t chunk_at(const list_search *s, size_t i) { return s->part * (s->opening ? i : 4 * (i / 3) + 1 + i % 3); }

static size_t chunks_in_round(const list_search *s) {
    size_t multiples = divide_up(divide_up(s->count, CHUNK), s->part);
    return s->opening ? multiples : multiples - divide_up(multiples, 4);
}

static void round_range(void *state, size_t begin, size_t end, uint32_t worker) {
    list_search *s = state;
    for (size_t i = begin; i < end && !gz_cancelled(s->call->context); i++) {
        size_t from = chunk_at(s, i) * CHUNK, to = s->count - from < CHUNK ? s->count : from + CHUNK;
        for (int kind = 0; kind < GZ_KINDS; kind++) solve_kind(s, worker, (graze_kind)kind, from, to);
    }
}

/* Positions in float at both ends of the window. */
static void look_at(list_search *s, double window) {
    gz_tree_source *trees = s->call->trees;
    s->window = trees->window = window;
    trees->sizes = gz_rough_windows(
        s->call->context,
        &(gz_windows_job){.view = trees->view, .input = &trees->input, .t = window, .ends = trees->ends});
    s->far = gz_far_job_of(s->call);
}

/* The window that holds every pair whose toi is at most the least one found: docs/numerics.md, section 3. */
static double window_of(const list_search *s) {
    return fmin(gz_least_get(&s->best) * (1 + 0x1p-30) + 0x1p-800, s->call->question.t_max);
}

/* Making the positions of a few vertices costs about as much as answering one pair. */
static bool worth_looking(const list_search *s, size_t pairs) { return pairs > s->call->mesh->vertex_count / 4; }

static void run_rounds(list_search *s) {
    graze_context *context = s->call->context;
    size_t chunks = divide_up(s->count, CHUNK);
    s->part = FIRST_PART;
    while (s->part > 1 && chunks / s->part < LEAST_CHUNKS) s->part /= 4;
    for (s->opening = true;; s->opening = false, s->part /= 4) {
        gz_parallel(context, chunks_in_round(s), 1, round_range, s);
        if (s->part == 1 || atomic_load(&context->cancelled)) return;
        double window = window_of(s);
        if (s->looks && window < 0.5 * s->window && worth_looking(s, s->count - s->count / s->part)) look_at(s, window);
    }
}

static void reduce(const list_search *s, graze_step_result *result) {
    for (uint32_t i = 0; i < s->call->context->threads; i++) {
        const list_worker *worker = &s->workers[i];
        gz_add_counts(s->call->context, &worker->counts);
        if (!worker->has_best) continue;
        if (!result->has_pair || gz_pair_before(&worker->best, &result->limiting)) result->limiting = worker->best;
        result->has_pair = 1;
    }
}

static graze_status search(gz_step_call *call, const graze_pair *pairs, size_t count, graze_step_result *result) {
    graze_context *context = call->context;
    list_search s = {.call = call, .pairs = pairs, .count = count};
    s.workers = gz_reserve(context, call->workspace, GZ_SLOT_MODE_WORKERS, context->threads, sizeof *s.workers);
    if (!s.workers) return GRAZE_ERR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < context->threads; i++) {
        s.workers[i].has_best = false;
        s.workers[i].counts = (gz_counts){0};
    }
    gz_least_init(&s.best, INFINITY);
    atomic_init(&s.first, GZ_RANK_NONE);
    if (count && worth_looking(&s, count)) {
        graze_status status = gz_step_open_trees(call);
        if (status != GRAZE_OK) return status;
        s.looks = gz_far_open(call);
        if (s.looks) look_at(&s, call->question.t_max);
    }
    if (count) run_rounds(&s);
    reduce(&s, result);
    return GRAZE_OK;
}

/* ---- the list ---- */

typedef struct list_check {
    const gz_step_call *call;
    const graze_pair *pairs;
    gz_least bad; /* the first pair that is none */
    atomic_uint kinds;
} list_check;

static bool is_pair(const graze_mesh *mesh, graze_pair pair) {
    uint32_t a, b;
    if ((unsigned)pair.kind >= GZ_KINDS) return false;
    gz_pair_counts(mesh, pair.kind, &a, &b);
    return pair.a < a && pair.b < b && !gz_share_vertex(mesh, pair.kind, pair.a, pair.b);
}

static void check_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    list_check *check = state;
    unsigned kinds = 0;
    for (size_t i = begin; i < end; i++) {
        if (!is_pair(check->call->mesh, check->pairs[i])) {
            gz_least_lower_to(&check->bad, i);
            break;
        }
        kinds |= 1u << check->pairs[i].kind;
    }
    atomic_fetch_or(&check->kinds, kinds);
}

/* Collects the kinds of the list, or says what is wrong with the first bad pair. */
static graze_status check_list(const gz_step_call *call, const graze_pair *pairs, size_t count, unsigned *kinds) {
    list_check check = {.call = call, .pairs = pairs};
    bool unused[GZ_KINDS];
    atomic_init(&check.bad, NO_PAIR);
    atomic_init(&check.kinds, 0);
    gz_parallel(call->context, count, 4096, check_range, &check);
    *kinds = atomic_load(&check.kinds);
    uint64_t bad = atomic_load(&check.bad);
    if (bad == NO_PAIR) return GRAZE_OK;
    graze_status status = gz_pairs_check(call, pairs, bad + 1, unused);
    if (status != GRAZE_OK) return status;
    return gz_fail(call->context, GRAZE_ERR_INVALID_ARGUMENT, bad, "pair %zu: (%u, %u) share a vertex", (size_t)bad,
                   pairs[bad].a, pairs[bad].b);
}

static graze_status open_narrow(gz_step_call *call, unsigned kinds) {
    graze_status status = gz_step_relative_check(call);
    for (int kind = 0; kind < GZ_KINDS && status == GRAZE_OK; kind++)
        if (kinds >> kind & 1u)
            status =
                gz_narrow_prepare(call->context, (graze_kind)kind, &call->narrow, &call->calls[kind], &call->method);
    return status;
}

/* ---- where ---- */

typedef struct asked_list {
    const graze_pair *pairs;
    size_t count;
} asked_list;

static graze_status run_on_cpu(gz_step_call *call, asked_list list, graze_step_result *result) {
    unsigned kinds = 0;
    double start = gz_seconds();
    graze_status status = gz_step_check_mesh(call, false);
    if (status == GRAZE_OK) status = gz_step_check_positions(call);
    if (status == GRAZE_OK) status = check_list(call, list.pairs, list.count, &kinds);
    if (status == GRAZE_OK) status = open_narrow(call, kinds);
    double search_start = gz_seconds();
    if (status == GRAZE_OK) status = search(call, list.pairs, list.count, result);
    if (status != GRAZE_OK) return status;
    result->ms_narrow = 1e3 * (gz_seconds() - search_start);
    result->backend = GRAZE_BACKEND_CPU;
    gz_step_took(call, gz_seconds() - start);
    return GRAZE_OK;
}

/* False when the CPU is to do it all over: the device failed, and was not asked for by name. */
static bool run_on_backend(gz_step_call *call, gz_backend *backend, asked_list list, graze_step_result *result,
                           graze_status *status) {
    bool bad = false, cancelled = false;
    unsigned kinds;
    *status = open_narrow(call, (1u << GZ_KINDS) - 1);
    if (*status != GRAZE_OK) return true;
    *status = gz_listed_on_backend(call, backend, list.pairs, list.count, result, &bad, &cancelled);
    if (*status == GRAZE_ERR_DEVICE && !gz_step_backend_by_name(call)) {
        gz_log(call->context, GRAZE_LOG_WARNING, "%s; the list is answered on the CPU", call->context->error.message);
        backend->spent = 0;
        *result = graze_default_step_result();
        return false;
    }
    if (*status == GRAZE_OK && bad) {
        *status = check_list(call, list.pairs, list.count, &kinds);
        if (*status == GRAZE_OK)
            *status =
                gz_fail(call->context, GRAZE_ERR_DEVICE, UINT64_MAX, "back end cuda: it misread the list of pairs");
    }
    if (cancelled) atomic_store(&call->context->cancelled, true);
    return true;
}

static graze_status run(graze_context *context, const graze_mesh *mesh, const double (*x0)[3], const double (*x1)[3],
                        asked_list list, const graze_step_options *options, graze_step_result *result) {
    double start = gz_seconds();
    gz_step_call call;
    gz_backend *backend = NULL;
    *result = graze_default_step_result();
    graze_status status = gz_step_read(context, mesh, x0, x1, options, &call);
    if (status != GRAZE_OK) return status;
    call.options.mode = GRAZE_STEP_EARLIEST;
    status = gz_step_choose_listed(&call, list.count, &backend);
    if (status == GRAZE_OK && !(backend && run_on_backend(&call, backend, list, result, &status)))
        status = run_on_cpu(&call, list, result);
    if (status != GRAZE_OK) return status;
    gz_step_conclude(&call, result);
    gz_step_count_nothing(result);
    if (atomic_load(&context->cancelled)) gz_step_give_up(context, result);
    result->ms_total = 1e3 * (gz_seconds() - start);
    return GRAZE_OK;
}

graze_status graze_earliest_of_pairs(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                                     const double (*x1)[3], const graze_pair *pairs, size_t count,
                                     const graze_step_options *options, graze_step_result *result) {
    gz_fp_environment env;
    graze_step_result found;
    graze_status status = gz_step_enter(context, result, &env);
    if (status != GRAZE_OK) return status;
    status = count && !pairs ? gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "pairs are NULL")
                             : run(context, mesh, x0, x1, (asked_list){pairs, count}, options, &found);
    return gz_step_leave(context, &env, status, &found, result);
}
