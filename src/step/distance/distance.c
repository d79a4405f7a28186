/* Distances and closest points of pairs at rest. */
#include "graze/distance.h"

#include "base/overlap.h"
#include "base/self_test.h"
#include "kernels/kernels.h"
#include "step/distance/measure.h"
#include "step/list.h"
#include "step/mesh_pair.h"

/* Until something is measured. Field by field: see gz_result_unresolved. */
static void close_result(graze_distance_result *result) {
    result->value = 0;
    result->u = result->v = NAN;
    for (int i = 0; i < 4; i++) result->weights[i] = NAN;
    for (int c = 0; c < 3; c++) result->vector[c] = NAN;
    result->feature[0] = result->feature[1] = (graze_feature)0;
}

/* ---- many pairs ---- */

static void measure_one(const gz_parting_job *job, size_t k, graze_distance_result *result) {
    gz_vec3 rows[4];
    for (int i = 0; i < 4; i++)
        rows[i] = gz_vec3_of(gz_position(job->positions->x0, job->positions->stride, job->ids[k][i]));
    gz_measure(job->kind, rows, result);
}

static void tell_lane(graze_kind kind, const gz_closest_block *block, size_t k, graze_distance_result *result) {
    gz_closest at;
    for (int i = 0; i < 4; i++) at.weight[i] = block->weight[i][k];
    for (int c = 0; c < 3; c++) at.vector.c[c] = block->vector[c][k];
    gz_tell_closest(kind, &at, block->distance[k], result);
}

void gz_measure_block(const graze_context *context, const gz_parting_job *job, graze_distance_result *results) {
    gz_closest_block block;
    bool lanes = job->kind == GRAZE_VF || job->kind == GRAZE_EE;
    if (lanes) context->kernels->closest(job, &block);
    for (size_t k = 0; k < job->count; k++)
        if (lanes && block.distance[k] >= 0)
            tell_lane(job->kind, &block, k, &results[k]);
        else
            measure_one(job, k, &results[k]);
}

/* ---- the public face ---- */

static graze_status check_rows(graze_kind kind, const double (*x)[3]) {
    graze_query query;
    for (int i = 0; i < gz_kind_rows(kind); i++) {
        memcpy(query.x0[i], x[i], sizeof query.x0[i]);
        memcpy(query.x1[i], x[i], sizeof query.x1[i]);
    }
    return gz_query_check(kind, &query, 0);
}

graze_status graze_distance(graze_kind kind, const double (*x)[3], graze_distance_result *result) {
    if (!result) return GRAZE_ERR_INVALID_ARGUMENT;
    bool given = x && (unsigned)kind < GZ_KINDS;
    bool apart =
        !given || !gz_overlap(gz_bytes_at(result, sizeof *result), gz_bytes_at(x, gz_kind_rows(kind) * sizeof *x));
    close_result(result);
    if (!given || !apart) return GRAZE_ERR_INVALID_ARGUMENT;
    graze_status status = check_rows(kind, x);
    if (status != GRAZE_OK) return status;
    gz_fp_environment env;
    if (!gz_enter(&env)) return GRAZE_ERR_FP_ENVIRONMENT;
    gz_vec3 rows[4] = {{{0}}};
    for (int i = 0; i < gz_kind_rows(kind); i++) rows[i] = gz_vec3_of(x[i]);
    gz_measure(kind, rows, result);
    gz_fp_leave(&env);
    return GRAZE_OK;
}

typedef struct distance_list {
    const gz_step_call *call;
    const graze_pair *pairs;
    graze_distance_result *results;
} distance_list;

/* Measures the pairs of one kind at the head of `count` pairs; returns their number. */
static size_t distance_block(const distance_list *job, size_t first, size_t count) {
    const graze_pair *pairs = job->pairs + first;
    uint32_t ids[GZ_PARTING_BLOCK][4] = {{0}};
    size_t n = 0;
    for (; n < count && n < GZ_PARTING_BLOCK && pairs[n].kind == pairs->kind; n++)
        gz_pair_vertices(job->call->mesh, pairs->kind, pairs[n].a, pairs[n].b, ids[n]);
    gz_parting_job block = {
        .kind = pairs->kind, .positions = &job->call->positions, .ids = (const uint32_t(*)[4])ids, .count = n};
    gz_measure_block(job->call->context, &block, job->results + first);
    return n;
}

static void distance_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    while (begin < end) begin += distance_block(state, begin, end - begin);
}

static graze_status distances(graze_context *context, const graze_mesh *mesh, const double (*x)[3],
                              const graze_pair *pairs, size_t count, const graze_step_options *options,
                              graze_distance_result *results) {
    gz_step_call call;
    bool kinds[GZ_KINDS];
    graze_status status = gz_step_open(context, mesh, x, x, options, &call);
    if (status == GRAZE_OK)
        status = gz_step_check_results(&call, gz_bytes_at(results, count * sizeof *results), pairs, count);
    if (status == GRAZE_OK) status = gz_pairs_check(&call, pairs, count, kinds);
    if (status != GRAZE_OK) return status;
    distance_list job = {.call = &call, .pairs = pairs, .results = results};
    gz_parallel(context, count, 1024, distance_range, &job);
    return GRAZE_OK;
}

graze_status graze_distances(graze_context *context, const graze_mesh *mesh, const double (*x)[3],
                             const graze_pair *pairs, size_t count, const graze_step_options *options,
                             graze_distance_result *results) {
    if (count && !results) return GRAZE_ERR_INVALID_ARGUMENT;
    graze_status status = GRAZE_ERR_INVALID_ARGUMENT;
    gz_fp_environment env;
    if (context && (pairs || !count)) status = gz_context_enter(context, &env);
    if (status == GRAZE_OK)
        status = gz_context_leave(context, &env, distances(context, mesh, x, pairs, count, options, results));
    if (status != GRAZE_OK)
        for (size_t i = 0; i < count; i++) close_result(&results[i]);
    return status;
}
