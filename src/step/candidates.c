/* Lists of pairs: the candidates of a step, and the narrow phase on a list that the caller brings. */
#include "step/call.h"

#include "broad/sort.h"

/* Pairs that one worker found, as sort keys. */
typedef struct found {
    gz_keyed *items;
    size_t count, room;
    bool out_of_memory;
} found;

typedef struct list_job {
    const gz_step_call *call;
    gz_pair_key key;
    found *workers;
} list_job;

static bool list_block(void *state, uint32_t worker, graze_kind kind, const uint32_t (*pairs)[2], size_t count) {
    (void)kind;
    list_job *job = state;
    found *mine = &job->workers[worker];
    void *items = mine->items;
    if (!gz_grow(job->call->context, &items, &mine->room, mine->count + count, sizeof *mine->items)) {
        mine->out_of_memory = true;
        return false;
    }
    mine->items = items;
    for (size_t i = 0; i < count; i++)
        mine->items[mine->count++].key = gz_pair_key_of(job->key, pairs[i][0], pairs[i][1]);
    return true;
}

typedef struct pair_list {
    graze_pair *pairs;
    size_t count, room;
} pair_list;

/* Appends what the workers found, sorted. */
static graze_status append_sorted(const list_job *job, graze_kind kind, pair_list *list) {
    graze_context *context = job->call->context;
    size_t total = 0;
    for (uint32_t i = 0; i < context->threads; i++) {
        if (job->workers[i].out_of_memory) return GRAZE_ERR_OUT_OF_MEMORY;
        total += job->workers[i].count;
    }
    if (total > UINT32_MAX) return GRAZE_ERR_OUT_OF_MEMORY;
    if (total == 0) return GRAZE_OK;
    gz_keyed *items = gz_reserve(context, job->call->workspace, GZ_SLOT_BROAD_A, total, sizeof *items);
    gz_keyed *other = gz_reserve(context, job->call->workspace, GZ_SLOT_BROAD_B, total, sizeof *other);
    void *scratch = gz_reserve(context, job->call->workspace, GZ_SLOT_BROAD_C, 1, gz_sort_scratch(context, total));
    void *pairs = list->pairs;
    if (!items || !other || !scratch ||
        !gz_grow(context, &pairs, &list->room, list->count + total, sizeof *list->pairs))
        return GRAZE_ERR_OUT_OF_MEMORY;
    list->pairs = pairs;
    size_t next = 0;
    for (uint32_t i = 0; i < context->threads; i++)
        for (size_t k = 0; k < job->workers[i].count; k++) items[next++] = job->workers[i].items[k];
    const gz_keyed *sorted = gz_sort(context, items, other, total, job->key.bits, scratch);
    uint64_t b_mask = ((uint64_t)1 << job->key.b_bits) - 1;
    for (size_t i = 0; i < total; i++)
        list->pairs[list->count++] =
            (graze_pair){kind, (uint32_t)(sorted[i].key >> job->key.b_bits), (uint32_t)(sorted[i].key & b_mask)};
    return GRAZE_OK;
}

static graze_status list_kind(const gz_step_call *call, graze_kind kind, pair_list *list) {
    graze_context *context = call->context;
    list_job job = {.call = call, .key = gz_pair_key_for(call, kind)};
    job.workers = gz_reserve(context, call->workspace, GZ_SLOT_STEP_WORKERS, context->threads, sizeof *job.workers);
    if (!job.workers) return GRAZE_ERR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < context->threads; i++) job.workers[i] = (found){0};
    graze_status status = gz_step_search(call, kind, false, list_block, &job);
    if (status == GRAZE_OK) status = append_sorted(&job, kind, list);
    for (uint32_t i = 0; i < context->threads; i++)
        gz_release(context, job.workers[i].items, job.workers[i].room * sizeof *job.workers[i].items);
    return status;
}

/* Cuts the list to its length: what the caller releases has the size of `count` pairs. */
static graze_status trim_list(graze_context *context, pair_list *list) {
    if (list->room == list->count) return GRAZE_OK;
    graze_pair *exact = list->count ? gz_allocate_array(context, list->count, sizeof *exact) : NULL;
    if (list->count && !exact) return GRAZE_ERR_OUT_OF_MEMORY;
    for (size_t i = 0; i < list->count; i++) exact[i] = list->pairs[i];
    gz_release(context, list->pairs, list->room * sizeof *list->pairs);
    list->pairs = exact;
    list->room = list->count;
    return GRAZE_OK;
}

static graze_status candidates(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                               const double (*x1)[3], const graze_step_options *options, pair_list *list) {
    gz_step_call call;
    graze_status status = gz_step_open(context, mesh, x0, x1, options, &call);
    if (status == GRAZE_OK) status = gz_step_boxes(&call);
    for (int kind = 0; kind < GZ_KINDS && status == GRAZE_OK; kind++)
        if (gz_step_has_kind(mesh, (graze_kind)kind)) status = list_kind(&call, (graze_kind)kind, list);
    return status == GRAZE_OK ? trim_list(context, list) : status;
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
    pair_list list = {0};
    status = candidates(context, mesh, x0, x1, options, &list);
    if (status == GRAZE_OK) {
        *pairs = list.pairs;
        *count = list.count;
    } else {
        gz_release(context, list.pairs, list.room * sizeof *list.pairs);
    }
    return gz_context_leave(context, &env, status);
}

void graze_pairs_release(graze_context *context, graze_pair *pairs, size_t count) {
    gz_release(context, pairs, count * sizeof *pairs);
}

/* ---- the narrow phase on a caller's list ---- */

typedef struct solve_job {
    const gz_step_call *call;
    const graze_pair *pairs;
    graze_result *results;
} solve_job;

#define SOLVE_CHUNK 64

static void solve_range(void *state, size_t begin, size_t end, uint32_t worker) {
    const solve_job *job = state;
    gz_counts counts = {0};
    uint32_t pairs[SOLVE_CHUNK][2], ids[SOLVE_CHUNK][4];
    bool stop = gz_cancelled(job->call->context);
    for (size_t first = begin; first < end;) {
        graze_kind kind = job->pairs[first].kind;
        size_t count = 0;
        for (; first + count < end && job->pairs[first + count].kind == kind; count++) {
            pairs[count][0] = job->pairs[first + count].a;
            pairs[count][1] = job->pairs[first + count].b;
        }
        if (stop) {
            for (size_t i = 0; i < count; i++) gz_result_unresolved(&job->results[first + i], GRAZE_REASON_CANCELLED);
        } else {
            gz_step_solve(job->call, worker, &counts, kind, job->call->t_max, (const uint32_t(*)[2])pairs, count, ids,
                          job->results + first);
        }
        first += count;
    }
    gz_add_counts(job->call->context, &counts);
}

/* Ids in range; which kinds there are. */
static graze_status check_pairs(const gz_step_call *call, const graze_pair *pairs, size_t count, bool kinds[GZ_KINDS]) {
    const graze_mesh *mesh = call->mesh;
    for (size_t i = 0; i < count; i++) {
        graze_kind kind = pairs[i].kind;
        if ((unsigned)kind >= GZ_KINDS)
            return gz_fail(call->context, GRAZE_ERR_INVALID_ARGUMENT, i, "pair %zu: kind %d names none", i, (int)kind);
        uint32_t a = kind == GRAZE_EE ? mesh->edge_count : mesh->vertex_count;
        uint32_t b = kind == GRAZE_VF ? mesh->face_count : kind == GRAZE_PP ? mesh->vertex_count : mesh->edge_count;
        if (pairs[i].a >= a || pairs[i].b >= b)
            return gz_fail(call->context, GRAZE_ERR_BAD_INDEX, i, "pair %zu: (%u, %u) of %u and %u", i, pairs[i].a,
                           pairs[i].b, a, b);
        kinds[kind] = true;
    }
    return GRAZE_OK;
}

static graze_status ccd_pairs(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                              const double (*x1)[3], const graze_pair *pairs, size_t count,
                              const graze_step_options *options, graze_result *results) {
    gz_step_call call;
    bool kinds[GZ_KINDS] = {false};
    graze_status status = gz_step_open(context, mesh, x0, x1, options, &call);
    if (status == GRAZE_OK) status = check_pairs(&call, pairs, count, kinds);
    for (int kind = 0; kind < GZ_KINDS && status == GRAZE_OK; kind++)
        if (kinds[kind])
            status = gz_narrow_prepare(context, (graze_kind)kind, &call.narrow, &call.calls[kind], &call.method);
    if (status != GRAZE_OK) return status;
    solve_job job = {.call = &call, .pairs = pairs, .results = results};
    gz_parallel(context, count, SOLVE_CHUNK, solve_range, &job);
    return GRAZE_OK;
}

graze_status graze_ccd_pairs(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                             const double (*x1)[3], const graze_pair *pairs, size_t count,
                             const graze_step_options *options, graze_result *results) {
    if (count && !results) return GRAZE_ERR_INVALID_ARGUMENT;
    for (size_t i = 0; i < count; i++) gz_result_unresolved(&results[i], GRAZE_REASON_NONE);
    if (!context || (count && !pairs)) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_fp_environment env;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    return gz_context_leave(context, &env, ccd_pairs(context, mesh, x0, x1, pairs, count, options, results));
}
