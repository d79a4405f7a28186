/* The pairs within a distance of each other at one state. Doubles decide what their error bound lets them, exact
   arithmetic the rest: docs/numerics.md, section 8. */
#include "step/distance/near.h"

#include "exact/decide.h"
#include "kernels/kernels.h"
#include "pair/closest_direction.h"
#include "pair/near.h"
#include "pair/parting_job.h"
#include "step/distance/kept_near.h"
#include "step/distance/measure.h"
#include "step/kept_pairs.h"
#include "step/mesh_pair.h"
#include "step/search.h"
#include "step/solve.h"

#include <stdatomic.h>
#include <string.h>

/* ---- which pairs are near ---- */

/* The largest radius of each side. */
static void side_radii(const double *radii, graze_kind kind, const uint32_t ids[4], double most[2]) {
    int in_a = gz_kind_rows_of_a(kind), rows = gz_kind_rows(kind);
    most[0] = most[1] = 0;
    for (int i = 0; radii && i < rows; i++) {
        double *side = &most[i >= in_a];
        *side = radii[ids[i]] > *side ? radii[ids[i]] : *side;
    }
}

bool gz_near_decide(const gz_near_call *near, uint32_t worker, graze_kind kind, const uint32_t ids[4], bool *wanted) {
    graze_query query;
    gz_exact_answer answer;
    double most[2];
    side_radii(near->radii, kind, ids, most);
    gz_gather(&near->call.positions, ids, 4, &query);
    if (!gz_exact_decide_thick(near->call.context, worker, kind, &query, near->call.question.separation, most, 1,
                               &answer))
        return false;
    *wanted = answer.hit;
    return true;
}

/* Decides by the computed distance, or exactly where its error leaves doubt. False: there is no memory for that. */
static bool is_near(const gz_near_call *near, uint32_t worker, graze_kind kind, const uint32_t ids[4], double distance,
                    bool *wanted) {
    double most[2];
    side_radii(near->radii, kind, ids, most);
    gz_nearness told =
        gz_nearness_of(distance, gz_start_size(kind, &near->call.positions, ids), near->call.question.separation, most);
    *wanted = told == GZ_NEAR;
    return told != GZ_NEAR_OR_NOT || gz_near_decide(near, worker, kind, ids, wanted);
}

static double plain_distance(const gz_near_call *near, graze_kind kind, const uint32_t ids[4]) {
    graze_query query;
    gz_gather(&near->call.positions, ids, gz_kind_rows(kind), &query);
    return gz_closest_distance(kind, (const double(*)[3])query.x0);
}

/* Some pairs of a block, by their places in it. */
typedef struct some_pairs {
    uint32_t ids[GZ_TEST_BLOCK][4], place[GZ_TEST_BLOCK];
    size_t count;
} some_pairs;

/* Leaves out those that a look in float proves farther apart. */
static void choose(const gz_near_call *near, graze_kind kind, const uint32_t (*pairs)[2], size_t count,
                   some_pairs *some) {
    uint32_t left[GZ_TEST_BLOCK][2];
    bool looks = near->looks && (kind == GRAZE_VF || kind == GRAZE_EE);
    size_t place = 0;
    some->count = looks ? near->call.context->kernels->far(&near->far, kind, pairs, count, left) : count;
    for (size_t k = 0; k < some->count; k++, place++) {
        while (looks && memcmp(pairs[place], left[k], sizeof *left)) place++; /* their order is kept */
        some->place[k] = (uint32_t)place;
        gz_pair_vertices(near->call.mesh, kind, pairs[place][0], pairs[place][1], some->ids[k]);
    }
}

static void measure_some(const gz_near_call *near, graze_kind kind, const some_pairs *some, double *distances) {
    bool lanes = kind == GRAZE_VF || kind == GRAZE_EE;
    gz_parting_job job = {
        .kind = kind, .positions = &near->call.positions, .ids = (const uint32_t(*)[4])some->ids, .count = some->count};
    if (lanes) near->call.context->kernels->distances(&job, distances);
    for (size_t k = 0; k < some->count; k++)
        if (!lanes || distances[k] < 0) distances[k] = plain_distance(near, kind, some->ids[k]);
}

static bool test_near(const gz_step_call *call, uint32_t worker, graze_kind kind, const uint32_t (*pairs)[2],
                      size_t count, bool *wanted) {
    const gz_near_call *near = (const gz_near_call *)call;
    some_pairs some;
    double distances[GZ_PARTING_BLOCK];
    memset(wanted, 0, count * sizeof *wanted);
    choose(near, kind, pairs, count, &some);
    measure_some(near, kind, &some, distances);
    for (size_t k = 0; k < some.count; k++)
        if (!is_near(near, worker, kind, some.ids[k], distances[k], &wanted[some.place[k]])) return false;
    return true;
}

/* ---- what is known of them ---- */

typedef struct measure_job {
    const gz_near_call *near;
    const graze_pair *pairs;
    graze_proximity_pair *measured;
} measure_job;

static void tell_pair(const gz_near_call *near, graze_pair pair, const uint32_t ids[4],
                      const graze_distance_result *distance, graze_proximity_pair *out) {
    double most[2];
    out->distance = *distance;
    side_radii(near->radii, pair.kind, ids, most);
    gz_near_tell(pair, ids, near->call.question.separation, most, out);
}

/* Takes the pairs of one kind at the head of `count` pairs; returns their number. */
static size_t measure_block(const measure_job *job, size_t first, size_t count) {
    const graze_pair *pairs = job->pairs + first;
    uint32_t ids[GZ_PARTING_BLOCK][4];
    graze_distance_result distances[GZ_PARTING_BLOCK];
    size_t n = 0;
    for (; n < count && n < GZ_PARTING_BLOCK && pairs[n].kind == pairs->kind; n++)
        gz_pair_vertices(job->near->call.mesh, pairs->kind, pairs[n].a, pairs[n].b, ids[n]);
    gz_parting_job block = {
        .kind = pairs->kind, .positions = &job->near->call.positions, .ids = (const uint32_t(*)[4])ids, .count = n};
    gz_measure_block(job->near->call.context, &block, distances);
    for (size_t k = 0; k < n; k++) tell_pair(job->near, pairs[k], ids[k], &distances[k], &job->measured[first + k]);
    return n;
}

static void measure_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    while (begin < end) begin += measure_block(state, begin, end - begin);
}

/* ---- the call ---- */

/* Boxes grow by the radii of vertices, a pair by the largest of each side: every vertex has to have the largest radius
   of its primitives. */
static double *grow_radii(graze_context *context, const graze_mesh *mesh) {
    double *grown = gz_allocate_array(context, mesh->vertex_count, sizeof *grown);
    const double *r = mesh->thickness;
    if (!grown) return NULL;
    memcpy(grown, r, mesh->vertex_count * sizeof *grown);
    for (uint32_t e = 0; e < mesh->edge_count; e++)
        for (int i = 0; i < 2; i++) grown[mesh->edges[e][i]] = fmax(grown[mesh->edges[e][i]], r[mesh->edges[e][1 - i]]);
    for (uint32_t f = 0; f < mesh->face_count; f++)
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) grown[mesh->faces[f][i]] = fmax(grown[mesh->faces[f][i]], r[mesh->faces[f][k]]);
    return grown;
}

static graze_status search(gz_near_call *near, gz_pair_list *list) {
    gz_step_call *call = &near->call;
    graze_status status = gz_step_boxes(call, true);
    near->looks = status == GRAZE_OK && gz_far_make(call, &near->far);
    near->far.quarters = false; /* nothing moves */
    return status == GRAZE_OK ? gz_list_kinds(call, 0, GZ_KINDS - 1, test_near, list) : status;
}

/* ---- pairs that were kept ---- */

typedef struct choose_job {
    const gz_near_call *near;
    const graze_pair *pairs;
    bool *wanted;
    atomic_uint failed;
} choose_job;

/* Takes the pairs of one kind at the head of `count` pairs; returns their number. */
static size_t choose_block(choose_job *job, size_t first, size_t count, uint32_t worker) {
    const graze_pair *pairs = job->pairs + first;
    uint32_t ids[GZ_TEST_BLOCK][2];
    size_t n = 0;
    for (; n < count && n < GZ_TEST_BLOCK && pairs[n].kind == pairs->kind; n++)
        ids[n][0] = pairs[n].a, ids[n][1] = pairs[n].b;
    if (!test_near(&job->near->call, worker, pairs->kind, (const uint32_t(*)[2])ids, n, job->wanted + first))
        atomic_store(&job->failed, 1);
    return n;
}

static void choose_range(void *state, size_t begin, size_t end, uint32_t worker) {
    while (begin < end) begin += choose_block(state, begin, end - begin, worker);
}

static graze_status choose_kept(gz_near_call *near, const graze_pair *pairs, size_t count, gz_pair_list *list) {
    graze_context *context = near->call.context;
    choose_job job = {.near = near, .pairs = pairs};
    *list = (gz_pair_list){0};
    if (count == 0) return GRAZE_OK;
    job.wanted = gz_reserve(context, near->call.workspace, GZ_SLOT_NEAR_WANTED, count, sizeof *job.wanted);
    list->pairs = job.wanted ? gz_list_allocate(context, count, false) : NULL;
    if (!list->pairs) return GRAZE_ERR_OUT_OF_MEMORY;
    atomic_init(&job.failed, 0);
    near->looks = false; /* there is no tree to see with */
    gz_parallel(context, count, 512, choose_range, &job);
    for (size_t i = 0; i < count; i++)
        if (job.wanted[i]) list->pairs[list->count++] = pairs[i];
    return atomic_load(&job.failed) ? GRAZE_ERR_OUT_OF_MEMORY : GRAZE_OK;
}

/* A search a little farther, whose pairs serve the calls that follow. */
static graze_status search_to_keep(gz_near_call *near, double margin, gz_pair_list *list) {
    gz_step_call *call = &near->call;
    double distance = call->question.separation;
    size_t count = 0;
    call->question.separation = gz_add_up(distance, margin);
    graze_status status = search(near, list);
    if (status == GRAZE_OK) gz_keep_near(call, near->radii, list);
    call->question.separation = distance;
    gz_list_release(call->context, list);
    if (status != GRAZE_OK) return status;
    const graze_pair *kept = gz_near_among(call, near->radii, &count);
    return kept ? choose_kept(near, kept, count, list) : search(near, list);
}

static graze_status list_near(gz_near_call *near, gz_pair_list *list) {
    size_t count = 0;
    const graze_pair *kept = gz_near_among(&near->call, near->radii, &count);
    if (kept) return choose_kept(near, kept, count, list);
    double margin = gz_keep_near_margin(&near->call);
    if (margin > 0) return search_to_keep(near, margin, list);
    graze_status status = search(near, list);
    if (status == GRAZE_OK) gz_keep_near(&near->call, near->radii, NULL);
    return status;
}

/* Lists the pairs, then measures them. */
static graze_status measure_all(const gz_near_call *near, const gz_pair_list *list, graze_proximity_result *result) {
    graze_context *context = near->call.context;
    if (list->count == 0) return GRAZE_OK;
    result->pairs = gz_near_allocate(context, list->count);
    if (!result->pairs) return GRAZE_ERR_OUT_OF_MEMORY;
    result->pair_count = list->count;
    measure_job job = {near, list->pairs, result->pairs};
    gz_parallel(context, list->count, 512, measure_range, &job);
    return GRAZE_OK;
}

static graze_status find_on_cpu(gz_near_call *near, graze_proximity_result *result) {
    double start = gz_seconds();
    gz_step_call *call = &near->call;
    gz_pair_list list = {0};
    graze_status status = gz_step_check_positions(call);
    if (status == GRAZE_OK) status = list_near(near, &list);
    if (status == GRAZE_OK) status = measure_all(near, &list, result);
    gz_list_release(call->context, &list);
    if (status == GRAZE_OK) gz_step_took(call, gz_seconds() - start);
    result->backend = GRAZE_BACKEND_CPU;
    return status;
}

static graze_status find(gz_near_call *near, gz_backend *backend, graze_proximity_result *result) {
    gz_step_call *call = &near->call;
    if (backend) {
        graze_status status = gz_near_on_backend(near, backend, result);
        if (status != GRAZE_ERR_DEVICE || gz_step_backend_by_name(call)) return status;
        gz_log(call->context, GRAZE_LOG_WARNING, "%s; the list is made on the CPU", call->context->error.message);
        backend->spent = 0;
        status = gz_step_check_mesh(call, true); /* which the device may not have come to */
        if (status != GRAZE_OK) return status;
    }
    return find_on_cpu(near, result);
}

/* Searches with the radii that boxes grow by, in place of the mesh's. */
static graze_status find_grown(gz_near_call *near, gz_backend *backend, graze_proximity_result *result) {
    gz_step_call *call = &near->call;
    near->radii = call->mesh->thickness;
    if (!near->radii || !call->mesh->vertex_count) return find(near, backend, result);
    double *grown = grow_radii(call->context, call->mesh);
    if (!grown) return GRAZE_ERR_OUT_OF_MEMORY;
    call->given_mesh.thickness = grown;
    graze_status status = find(near, backend, result);
    gz_release(call->context, grown, call->mesh->vertex_count * sizeof *grown);
    return status;
}

static const graze_proximity_options option_defaults = {.struct_size = sizeof option_defaults};
static const graze_proximity_result closed = {.struct_size = sizeof closed};

static graze_status read_options(graze_context *context, const graze_proximity_options *given,
                                 graze_proximity_options *options) {
    *options = option_defaults;
    graze_status status = given ? gz_sized_read(context, "proximity options", options, sizeof *options,
                                                GZ_SIZE_UP_TO(graze_proximity_options, kinds), given)
                                : GRAZE_OK;
    if (status == GRAZE_OK && options->vertex_distance && options->pairs_in == GRAZE_MEMORY_DEVICE)
        return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX,
                       "vertex_distance: not with pairs that are left in the memory of a device");
    return status;
}

static graze_status read_call(graze_context *context, const graze_mesh *mesh, const double (*x)[3], double distance,
                              graze_proximity_options options, gz_step_call *call) {
    if (!(distance >= 0 && distance <= GRAZE_MAX_COORDINATE))
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "distance must lie in [0, 2^160]");
    graze_options narrow = graze_default_options();
    graze_step_options step = graze_default_step_options();
    narrow.min_separation = distance;
    step.narrow = &narrow;
    step.stride = options.stride;
    step.kinds = options.kinds;
    step.backend = options.backend;
    step.positions_in = options.positions_in;
    step.pairs_in = options.pairs_in;
    step.stream = options.stream;
    graze_status status = gz_step_read(context, mesh, x, x, &step, call);
    if (status != GRAZE_OK || !options.vertex_distance) return status;
    return gz_step_check_numbers(call, "vertex_distance", options.vertex_distance);
}

static graze_status run(graze_context *context, const graze_mesh *mesh, const double (*x)[3], double distance,
                        const graze_proximity_options *given, graze_proximity_result *result) {
    double start = gz_seconds();
    gz_near_call near;
    gz_backend *backend = NULL;
    graze_proximity_options options;
    *result = closed;
    graze_status status = read_options(context, given, &options);
    if (status == GRAZE_OK) status = read_call(context, mesh, x, distance, options, &near.call);
    if (status == GRAZE_OK) status = gz_step_choose_lists(&near.call, GRAZE_BROAD_AUTO, &backend);
    /* a back end checks it by itself, but radii are made of the lists before that */
    if (status == GRAZE_OK && (!backend || near.call.mesh->thickness)) status = gz_step_check_mesh(&near.call, true);
    if (status == GRAZE_OK) status = find_grown(&near, backend, result);
    if (status == GRAZE_OK) status = gz_near_of_vertices(&near, result, options.vertex_distance);
    if (status != GRAZE_OK) graze_proximity_release(context, result);
    result->ms_total = 1e3 * (gz_seconds() - start);
    return status;
}

void graze_init_proximity_options(graze_proximity_options *options, size_t size) {
    gz_sized_init(options, size, &option_defaults, sizeof option_defaults);
}

void graze_init_proximity_result(graze_proximity_result *result, size_t size) {
    gz_sized_init(result, size, &closed, sizeof closed);
}

#define RESULT_LEAST GZ_SIZE_UP_TO(graze_proximity_result, ms_total)

graze_status graze_proximity(graze_context *context, const graze_mesh *mesh, const double (*x)[3], double distance,
                             const graze_proximity_options *options, graze_proximity_result *result) {
    gz_fp_environment env;
    graze_proximity_result found;
    if (!result || gz_sized_check(NULL, "proximity result", result, RESULT_LEAST) != GRAZE_OK)
        return GRAZE_ERR_INVALID_ARGUMENT;
    gz_sized_write(result, &closed, sizeof closed);
    graze_status status = context ? gz_context_enter(context, &env) : GRAZE_ERR_INVALID_ARGUMENT;
    if (status != GRAZE_OK) return status;
    status = run(context, mesh, x, distance, options, &found);
    if (status == GRAZE_OK) gz_sized_write(result, &found, sizeof found);
    return gz_context_leave(context, &env, status);
}

void graze_proximity_release(graze_context *context, graze_proximity_result *result) {
    if (!result || result->struct_size < RESULT_LEAST) return;
    gz_near_release(context, result->pairs);
    result->pairs = NULL;
    result->pair_count = 0;
}
