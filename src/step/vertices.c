/* Mode VERTICES: how far each vertex may go on its own.
 *
 * Least times over the pairs of a vertex would not do: vertices that stop at different times leave the common motion
 * that those times speak of. So every candidate pair is cut apart by two parallel planes, more than the separation from
 * each other, with one primitive behind each at t = 0; every vertex stops where it would cross its plane. Then each
 * primitive stays behind its plane, whatever fractions up to their own limits its vertices take, together or one after
 * the other. Pairs whose swept boxes do not meet need no planes: the boxes hold all such motions.
 * docs/numerics.md, section 3. */
#include "step/vertices.h"

#include "step/mesh_pair.h"
#include "step/parting.h"
#include "step/search.h"

typedef struct gz_vertices_worker {
    bool has_best;
    graze_pair_result best; /* the pair that stops one of its vertices first */
    double seconds;
} gz_vertices_worker;

/* Takes the limits that one pair sets on its vertices. */
static void take_stops(gz_vertices_job *job, gz_vertices_worker *mine, const graze_pair *pair, const uint32_t ids[4],
                       bool apart, const double stops[4]) {
    double t_max = job->call->question.t_max, least = t_max;
    for (int i = 0; i < gz_kind_rows(pair->kind); i++) {
        if (stops[i] < t_max) gz_least_lower(&job->limits[ids[i]], stops[i]);
        if (stops[i] < least) least = stops[i];
    }
    if (least == t_max || (mine->has_best && least > mine->best.result.toi)) return;
    graze_pair_result limit = {.pair = *pair};
    gz_result_unresolved(&limit.result, apart ? GRAZE_REASON_STOPPED : GRAZE_REASON_PRECISION);
    limit.result.toi = least;
    if (!mine->has_best || gz_pair_before(&limit, &mine->best)) mine->best = limit;
    mine->has_best = true;
}

static void take_block(gz_vertices_job *job, gz_vertices_worker *mine, graze_kind kind, const uint32_t (*pairs)[2],
                       size_t count) {
    gz_parted_block block;
    gz_block_stops(job->call, kind, pairs, count, &block);
    for (size_t k = 0; k < count; k++) {
        graze_pair pair = {kind, pairs[k][0], pairs[k][1]};
        double stops[4];
        for (int i = 0; i < 4; i++) stops[i] = block.stops[i][k];
        take_stops(job, mine, &pair, block.ids[k], block.parted[k], stops);
    }
}

static bool vertices_block(void *state, uint32_t worker, graze_kind kind, const uint32_t (*pairs)[2], size_t count) {
    gz_vertices_job *job = state;
    gz_vertices_worker *mine = &job->workers[worker];
    if (gz_cancelled(job->call->context)) return false;
    double start = gz_seconds();
    for (size_t done = 0; done < count; done += GZ_PARTING_BLOCK)
        take_block(job, mine, kind, pairs + done, count - done < GZ_PARTING_BLOCK ? count - done : GZ_PARTING_BLOCK);
    mine->seconds += gz_seconds() - start;
    return true;
}

/* The array for the times; NULL: they go to the memory of a device, which is not ours to write to. */
static double *times_of(const gz_step_call *call) {
    return call->options.pairs_in == GRAZE_MEMORY_HOST ? call->options.vertex_toi : NULL;
}

graze_status gz_vertices_begin(const gz_step_call *call, gz_vertices_job *job) {
    graze_context *context = call->context;
    uint32_t count = call->mesh->vertex_count;
    double *out = times_of(call);
    if (!call->options.vertex_toi && count)
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "mode vertices: vertex_toi is NULL");
    for (uint32_t v = 0; v < count && out; v++) out[v] = 0;
    *job = (gz_vertices_job){.call = call};
    job->workers = gz_reserve(context, call->workspace, GZ_SLOT_MODE_WORKERS, context->threads, sizeof *job->workers);
    job->limits = gz_reserve(context, call->workspace, GZ_SLOT_VERTEX_LIMITS, count, sizeof *job->limits);
    if (!job->workers || !job->limits) return GRAZE_ERR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < context->threads; i++) job->workers[i] = (gz_vertices_worker){0};
    for (uint32_t v = 0; v < count; v++) gz_least_init(&job->limits[v], call->question.t_max);
    return GRAZE_OK;
}

static void close_job(const gz_vertices_job *job, graze_step_result *result) {
    const gz_step_call *call = job->call;
    graze_context *context = call->context;
    double *out = times_of(call);
    for (uint32_t i = 0; i < context->threads; i++) {
        const gz_vertices_worker *worker = &job->workers[i];
        result->ms_narrow += 1e3 * worker->seconds / context->threads;
        if (worker->has_best && (!result->has_pair || gz_pair_before(&worker->best, &result->limiting))) {
            result->limiting = worker->best;
            result->has_pair = 1;
        }
    }
    if (!out || atomic_load(&context->cancelled)) return; /* cancelled: some pairs were not looked at */
    for (uint32_t v = 0; v < call->mesh->vertex_count; v++) out[v] = call->at_start ? 0 : gz_least_get(&job->limits[v]);
}

graze_status gz_step_vertices(const gz_step_call *call, graze_step_result *result) {
    gz_vertices_job job;
    graze_status status = gz_vertices_begin(call, &job);
    for (int kind = 0; kind < GZ_KINDS && status == GRAZE_OK; kind++)
        if (gz_step_has_kind(call, (graze_kind)kind))
            status = gz_step_search(call, (graze_kind)kind, true, vertices_block, &job);
    if (status == GRAZE_OK) close_job(&job, result);
    return status;
}

/* ---- what a back end found ---- */

typedef struct listed_pairs {
    gz_vertices_job *job;
    const graze_pair *pairs;
} listed_pairs;

static void take_listed(void *state, size_t begin, size_t end, uint32_t worker) {
    const listed_pairs *list = state;
    for (size_t i = begin; i < end; i++) {
        const uint32_t pair[1][2] = {{list->pairs[i].a, list->pairs[i].b}};
        take_block(list->job, &list->job->workers[worker], list->pairs[i].kind, pair, 1);
    }
}

void gz_vertices_take(gz_vertices_job *job, const graze_pair *pairs, size_t count) {
    listed_pairs list = {job, pairs};
    gz_parallel(job->call->context, count, GZ_PARTING_BLOCK, take_listed, &list);
}

const double *gz_vertices_limits(const gz_vertices_job *job) {
    return (const double *)(const void *)job->limits; /* least numbers are the bits of doubles */
}

void gz_vertices_end(gz_vertices_job *job, const double *limits, graze_step_result *result) {
    for (uint32_t v = 0; v < job->call->mesh->vertex_count && limits; v++) gz_least_lower(&job->limits[v], limits[v]);
    close_job(job, result);
}
