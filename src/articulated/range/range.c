/* Ranges of motion: the box of joint values of each pair of links is cut until all of it is clear, or a pose touches.
 */
#include "graze/range.h"

#include "articulated/certificate/writer.h"
#include "articulated/door.h"
#include "articulated/range/job.h"

#include "base/sizes.h"
#include "motion/sine.h"

#include <math.h>
#include <string.h>

#define RANGE_LEAST GZ_SIZE_UP_TO(graze_joint_range, offset)
#define OPTIONS_LEAST GZ_SIZE_UP_TO(graze_range_options, samples)
#define RESULT_LEAST GZ_SIZE_UP_TO(graze_range_result, values)
#define MOST_CELLS ((uint64_t)1 << 20)
#define LEAST_SHARE 0x1p-40

static const graze_joint_range range_defaults = {.follows = -1, .multiplier = 1};
static const graze_range_options option_defaults = {.samples = 1000};
static const graze_range_result result_defaults = {0};

void graze_init_joint_range(graze_joint_range *range, size_t size) {
    gz_sized_init(range, size, &range_defaults, sizeof range_defaults);
}

void graze_init_range_options(graze_range_options *options, size_t size) {
    gz_sized_init(options, size, &option_defaults, sizeof option_defaults);
}

void graze_init_range_result(graze_range_result *result, size_t size) {
    gz_sized_init(result, size, &result_defaults, sizeof result_defaults);
}

/* ---- what is given ---- */

typedef struct value_place {
    size_t model, link;
} value_place;

/* The link whose joint has a value. */
static value_place place_of(const gz_range_job *job, size_t value) {
    value_place at = {0, 0};
    while (at.model + 1 < job->count && job->first_value[at.model + 1] <= value) at.model++;
    const graze_model *model = job->models[at.model];
    size_t own = value - job->first_value[at.model];
    while (at.link + 1 < model->count &&
           (own < model->links[at.link].first_value ||
            own - model->links[at.link].first_value >= (size_t)gz_joint_values(model->links[at.link].joint)))
        at.link++;
    return at;
}

static graze_status refuse_range(const gz_range_job *job, graze_status status, size_t i, const char *why) {
    value_place at = place_of(job, i);
    return gz_fail(job->context, status, i, "range %zu (link %zu of model %zu): %s", i, at.link, at.model, why);
}

static graze_status bad_range(const gz_range_job *job, size_t i, const char *why) {
    return refuse_range(job, GRAZE_ERR_INVALID_ARGUMENT, i, why);
}

static graze_status check_range(const gz_range_job *job, size_t i) {
    const graze_joint_range *range = &job->ranges[i];
    if (range->follows >= 0) {
        if ((size_t)range->follows >= job->values || (size_t)range->follows == i)
            return bad_range(job, i, "it follows no other value");
        if (!isfinite(range->multiplier) || !isfinite(range->offset))
            return bad_range(job, i, "its multiplier or offset is not finite");
        return GRAZE_OK;
    }
    if (!(fabs(range->lower) <= GRAZE_MAX_COORDINATE) || !(fabs(range->upper) <= GRAZE_MAX_COORDINATE))
        return bad_range(job, i, "a limit is not finite or out of range");
    return range->lower <= range->upper ? GRAZE_OK : bad_range(job, i, "its lower limit is above the upper one");
}

static graze_status check_joint(const gz_range_job *job, const gz_link *link, size_t first) {
    bool scalar = link->joint == GRAZE_JOINT_REVOLUTE || link->joint == GRAZE_JOINT_PRISMATIC;
    int values = gz_joint_values(link->joint);
    for (int k = 0; k < values && !scalar; k++) {
        size_t i = first + link->first_value + (size_t)k;
        if (job->ranges[i].follows >= 0 || job->ranges[i].lower != job->ranges[i].upper)
            return refuse_range(job, GRAZE_ERR_UNSUPPORTED, i, "spherical, planar and free joints must stand still");
    }
    return GRAZE_OK;
}

/* Both ends of what a value takes; of one that follows another, those that it comes to at the other's limits. */
static void ends_of(const gz_range_job *job, size_t i, double ends[2]) {
    const graze_joint_range *range = &job->ranges[i];
    const graze_joint_range *leader = range->follows >= 0 ? &job->ranges[range->follows] : range;
    ends[0] = leader->lower;
    ends[1] = leader->upper;
    for (int k = 0; k < 2 && leader != range; k++) ends[k] = range->multiplier * ends[k] + range->offset;
}

static graze_status check_reach(const gz_range_job *job, const gz_link *link, size_t first) {
    if (gz_joint_values(link->joint) != 1) return GRAZE_OK;
    bool turns = link->joint == GRAZE_JOINT_REVOLUTE;
    double ends[2], most = turns ? GZ_MAX_ANGLE : GRAZE_MAX_COORDINATE;
    ends_of(job, first + link->first_value, ends);
    if (fabs(ends[0]) <= most && fabs(ends[1]) <= most) return GRAZE_OK;
    return bad_range(job, first + link->first_value, turns ? "an angle is beyond 2^20" : "a length is beyond 2^160");
}

static graze_status read_ranges(gz_range_job *job, const graze_joint_range *given) {
    static const gz_sized_kind kind = {"range", sizeof *given, RANGE_LEAST};
    graze_status status = GRAZE_OK;
    if (job->values && !given)
        return gz_fail(job->context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "there are no ranges");
    for (size_t i = 0; i < job->values && status == GRAZE_OK; i++) {
        job->ranges[i] = range_defaults;
        status = gz_sized_read_at(job->context, &kind, i, &job->ranges[i], given, i);
        if (status == GRAZE_OK) status = check_range(job, i);
    }
    for (size_t i = 0; i < job->values && status == GRAZE_OK; i++)
        if (job->ranges[i].follows >= 0 && job->ranges[job->ranges[i].follows].follows >= 0)
            status = bad_range(job, i, "what it follows follows another one");
    for (size_t m = 0; m < job->count; m++)
        for (size_t k = 0; k < job->models[m]->count && status == GRAZE_OK; k++)
            status = check_joint(job, &job->models[m]->links[k], job->first_value[m]);
    for (size_t m = 0; m < job->count; m++)
        for (size_t k = 0; k < job->models[m]->count && status == GRAZE_OK; k++)
            status = check_reach(job, &job->models[m]->links[k], job->first_value[m]);
    return status;
}

static graze_status read_options(gz_range_job *job, const graze_range_options *given) {
    graze_range_options *options = &job->options;
    *options = option_defaults;
    graze_status status = GRAZE_OK;
    if (given) status = gz_sized_read(job->context, "range options", options, sizeof *options, OPTIONS_LEAST, given);
    if (status != GRAZE_OK) return status;
    if (options->max_cells == 0) options->max_cells = MOST_CELLS;
    if (options->least_share == 0) options->least_share = LEAST_SHARE;
    if (!(options->min_separation >= 0 && options->min_separation <= GRAZE_MAX_COORDINATE))
        return gz_fail(job->context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "min_separation is negative or too large");
    if (!(options->least_share >= 0x1p-60 && options->least_share <= 1))
        return gz_fail(job->context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "least_share is not in [2^-60, 1]");
    return GRAZE_OK;
}

/* ---- pairs ---- */

static bool is_asked(const gz_range_job *job, uint32_t a, uint32_t b) {
    const uint8_t *table = job->options.link_pairs;
    return gz_scene_is_pair(&job->scene, a, b) && (!table || table[a * job->scene.count + b]);
}

/* The numbers of the scene stand in for those of models until a pair is searched. */
static graze_status list_pairs(gz_range_job *job) {
    uint32_t links = (uint32_t)job->scene.count;
    size_t listed = 0;
    for (uint32_t a = 0; a < links; a++)
        for (uint32_t b = a + 1; b < links; b++) job->pair_count += is_asked(job, a, b);
    job->pairs = gz_allocate_array(job->context, job->pair_count, sizeof *job->pairs);
    job->poses = gz_allocate_array(job->context, GZ_RANGE_POSES * job->pair_count * job->values, sizeof *job->poses);
    if (job->write) job->proofs = gz_allocate_array(job->context, job->pair_count, sizeof *job->proofs);
    if (!job->pairs || !job->poses || (job->write && !job->proofs)) return GRAZE_ERR_OUT_OF_MEMORY;
    for (size_t i = 0; i < job->pair_count && job->proofs; i++) job->proofs[i] = (gz_range_proof){.open = 1};
    for (uint32_t a = 0; a < links; a++)
        for (uint32_t b = a + 1; b < links; b++)
            if (is_asked(job, a, b)) job->pairs[listed++] = (graze_range_pair){.link_a = a, .link_b = b};
    return GRAZE_OK;
}

/* ---- memory ---- */

static size_t table_size(const gz_range_job *job) { return job->scene.count * job->scene.count; }

static graze_status open_workers(gz_range_job *job) {
    uint32_t threads = job->context->threads;
    job->workers = gz_allocate_array(job->context, threads, sizeof *job->workers);
    if (!job->workers) return GRAZE_ERR_OUT_OF_MEMORY;
    memset(job->workers, 0, threads * sizeof *job->workers);
    for (uint32_t i = 0; i < threads; i++) {
        gz_range_worker *worker = &job->workers[i];
        worker->search.scene.context = job->context;
        worker->table = gz_allocate_array(job->context, table_size(job), 1);
        worker->motions = gz_allocate_array(job->context, job->count, sizeof *worker->motions);
        for (int k = 0; k < 2; k++)
            worker->ends[k] = gz_allocate_array(job->context, job->values + 1, sizeof **worker->ends);
        if (!worker->table || !worker->motions || !worker->ends[0] || !worker->ends[1]) return GRAZE_ERR_OUT_OF_MEMORY;
        memset(worker->table, 0, table_size(job));
    }
    return GRAZE_OK;
}

static void close_workers(gz_range_job *job) {
    uint32_t threads = job->context->threads;
    for (uint32_t i = 0; job->workers && i < threads; i++) {
        gz_range_worker *worker = &job->workers[i];
        gz_search_close(&worker->search);
        gz_release(job->context, worker->table, table_size(job));
        gz_release(job->context, worker->motions, job->count * sizeof *worker->motions);
        for (int k = 0; k < 2; k++)
            gz_release(job->context, worker->ends[k], (job->values + 1) * sizeof **worker->ends);
    }
    gz_release(job->context, job->workers, threads * sizeof *job->workers);
}

static graze_status open_job(gz_range_job *job) {
    job->first_value = gz_allocate_array(job->context, job->count, sizeof *job->first_value);
    if (!job->first_value) return GRAZE_ERR_OUT_OF_MEMORY;
    for (size_t m = 0; m < job->count; m++) {
        job->first_value[m] = job->values;
        job->values += graze_model_values(job->models[m]);
    }
    job->ranges = gz_allocate_array(job->context, job->values + 1, sizeof *job->ranges);
    job->stand = gz_allocate_array(job->context, job->values + 1, sizeof *job->stand);
    return job->ranges && job->stand ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY;
}

static void close_job(gz_range_job *job) {
    close_workers(job);
    for (size_t i = 0; i < job->pair_count && job->proofs; i++) gz_proof_release(job->context, &job->proofs[i].proof);
    gz_release(job->context, job->proofs, job->pair_count * sizeof *job->proofs);
    gz_scene_close(&job->scene);
    gz_release(job->context, job->first_value, job->count * sizeof *job->first_value);
    gz_release(job->context, job->ranges, (job->values + 1) * sizeof *job->ranges);
    gz_release(job->context, job->stand, (job->values + 1) * sizeof *job->stand);
}

/* ---- the call ---- */

void graze_range_release(graze_context *context, graze_range_result *result) {
    if (!result || result->struct_size < RESULT_LEAST) return;
    gz_release(context, result->pairs, result->pair_count * sizeof *result->pairs);
    gz_release(context, result->poses, GZ_RANGE_POSES * result->pair_count * result->values * sizeof *result->poses);
    result->pairs = NULL;
    result->poses = NULL;
    result->pair_count = 0;
}

static void take_stand(gz_range_job *job) {
    for (size_t i = 0; i < job->values; i++)
        job->stand[i] = job->ranges[i].follows >= 0 ? 0 : gz_range_middle(&job->ranges[i]);
    gz_range_follow(job, job->stand);
}

static graze_status run(gz_range_job *job, const graze_joint_range *ranges) {
    graze_status status = open_job(job);
    if (status == GRAZE_OK && job->write) status = gz_writer_check(job->context, job->models, job->count);
    if (status == GRAZE_OK) status = read_ranges(job, ranges);
    if (status != GRAZE_OK) return status;
    take_stand(job);
    status = gz_scene_open(&job->scene, job->context, job->models, job->count);
    if (status == GRAZE_OK) status = list_pairs(job);
    if (status == GRAZE_OK) status = open_workers(job);
    if (status != GRAZE_OK) return status;
    status = gz_range_settle(job);
    return status == GRAZE_OK && job->write ? gz_range_write(job) : status;
}

static graze_status answer(gz_range_job *job, const graze_joint_range *ranges, const graze_range_options *options,
                           graze_range_result *result) {
    if (!job->models || job->count == 0)
        return gz_fail(job->context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "there are no models");
    for (size_t m = 0; m < job->count; m++)
        if (!job->models[m]) return gz_fail(job->context, GRAZE_ERR_INVALID_ARGUMENT, m, "model %zu is NULL", m);
    graze_status status = read_options(job, options);
    if (status == GRAZE_OK) status = run(job, ranges);
    result->pairs = job->pairs;
    result->poses = job->poses;
    result->pair_count = job->pair_count;
    result->values = job->values;
    for (size_t i = 0; status == GRAZE_OK && i < job->pair_count; i++) result->cells += job->pairs[i].cells;
    if (status != GRAZE_OK) {
        graze_range_release(job->context, result);
        *result = graze_default_range_result();
    }
    close_job(job);
    return status;
}

/* With `write`: the certificate, too. */
static graze_status call(graze_context *context, const graze_model *const *models, size_t count,
                         const graze_joint_range *ranges, const graze_range_options *options, graze_write *write,
                         void *user, graze_range_result *result) {
    if (!result || gz_sized_check(NULL, "range result", result, RESULT_LEAST) != GRAZE_OK)
        return GRAZE_ERR_INVALID_ARGUMENT;
    graze_range_result found = graze_default_range_result();
    gz_sized_write(result, &found, sizeof found);
    if (!context) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_fp_environment env;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    gz_range_job job = {.context = context, .models = models, .count = count, .write = write, .user = user};
    status = answer(&job, ranges, options, &found);
    gz_sized_write(result, &found, sizeof found);
    return gz_context_leave(context, &env, status);
}

graze_status graze_articulated_range(graze_context *context, const graze_model *const *models, size_t count,
                                     const graze_joint_range *ranges, const graze_range_options *options,
                                     graze_range_result *result) {
    return call(context, models, count, ranges, options, NULL, NULL, result);
}

graze_status graze_range_certificate(graze_context *context, const graze_model *const *models, size_t count,
                                     const graze_joint_range *ranges, const graze_range_options *options,
                                     graze_write *write, void *user, graze_range_result *result) {
    graze_status status = call(context, models, count, ranges, options, write, user, result);
    return status == GRAZE_OK && !write ? GRAZE_ERR_INVALID_ARGUMENT : status;
}
