/* Ranges of motion: the box of joint values of each pair of links is cut until all of it is clear, or a pose touches.
 */
#include "graze/range.h"

#include "articulated/certificate/writer.h"
#include "articulated/door.h"
#include "articulated/range/hunt.h"
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

enum { POSES = 3 }; /* of each pair: a pose, and the ends of a cell */

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

static graze_status bad_range(const gz_range_job *job, size_t i, const char *why) {
    return gz_fail(job->context, GRAZE_ERR_INVALID_ARGUMENT, i, "range %zu: %s", i, why);
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
            return gz_fail(job->context, GRAZE_ERR_UNSUPPORTED, i,
                           "range %zu: spherical, planar and free joints have to stand", i);
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

/* ---- poses ---- */

static double range_at(const graze_joint_range *range, double part) {
    double x = range->lower + part * (range->upper - range->lower);
    return fmin(fmax(x, range->lower), range->upper);
}

static void follow(const gz_range_job *job, double *values) {
    for (size_t i = 0; i < job->values; i++)
        if (job->ranges[i].follows >= 0)
            values[i] = job->ranges[i].multiplier * values[job->ranges[i].follows] + job->ranges[i].offset;
}

/* All values: those between the links from a point of their cell, the others as they stand. */
static void pose_of(const gz_range_job *job, const gz_range_links *links, const double *point, double *values) {
    memcpy(values, job->stand, job->values * sizeof *values);
    for (int v = 0; v < links->variables; v++) values[links->values[v]] = point[v];
    follow(job, values);
}

graze_verdict gz_range_ask(const gz_range_job *job, gz_range_worker *worker, const gz_range_links *links,
                           const double *values) {
    size_t all = job->scene.count;
    graze_articulated_options options = graze_default_articulated_options();
    options.mode = GRAZE_ARTICULATED_ANY;
    options.min_separation = job->options.min_separation;
    options.check_inside = 1;
    options.link_pairs = worker->table;
    for (size_t m = 0; m < job->count; m++) {
        worker->motions[m] = graze_default_motion();
        worker->motions[m].from = worker->motions[m].to = values + job->first_value[m];
    }
    worker->table[links->a * all + links->b] = worker->table[links->b * all + links->a] = 1;
    graze_articulated_result found = graze_default_articulated_result();
    graze_articulated_options read;
    graze_status status = gz_articulated_options_read(job->context, &options, &read);
    if (status == GRAZE_OK) status = gz_search_reopen(&worker->search, job->context, job->models, job->count, &read);
    if (status == GRAZE_OK) status = gz_articulated_solve(&worker->search, gz_motions_from(worker->motions, 0), &found);
    worker->table[links->a * all + links->b] = worker->table[links->b * all + links->a] = 0;
    if (status != GRAZE_OK) worker->status = status;
    bool proven = found.verdict != GRAZE_HIT || found.contact.proven || found.contact.inside;
    return status == GRAZE_OK && proven ? found.verdict : GRAZE_UNRESOLVED;
}

/* ---- the joints between two links ---- */

static int variable_of(const gz_range_job *job, gz_range_links *links, size_t value) {
    if (job->ranges[value].lower == job->ranges[value].upper) return -1;
    for (int v = 0; v < links->variables; v++)
        if (links->values[v] == value) return v;
    if (links->variables == GZ_MOST_VARIABLES) return -2;
    links->values[links->variables] = value;
    return links->variables++;
}

static bool add_joint(const gz_range_job *job, gz_range_links *links, int side, uint32_t link) {
    const gz_scene_link *at = gz_scene_at(&job->scene, link);
    size_t first = job->first_value[at->model];
    gz_range_joint joint = {.link = link, .variable = -1, .multiplier = 1, .stand = job->stand + first};
    if (gz_joint_values(at->link->joint) == 1) {
        size_t value = first + at->link->first_value;
        const graze_joint_range *range = &job->ranges[value];
        if (range->follows >= 0) {
            joint.follows = true;
            joint.multiplier = range->multiplier;
            joint.offset = range->offset;
            value = (size_t)range->follows;
        }
        joint.variable = variable_of(job, links, value);
    }
    if (joint.variable == -2 || links->joint_count[side] == GZ_MOST_JOINTS) return false;
    links->joints[side][links->joint_count[side]++] = joint;
    return true;
}

/* False with more joints than there is room for. */
static bool find_joints(const gz_range_job *job, gz_range_links *links) {
    int32_t ancestor = gz_scene_ancestor(&job->scene, links->a, links->b);
    for (int side = 0; side < 2; side++) {
        for (int32_t i = (int32_t)(side ? links->b : links->a); i != ancestor;
             i = gz_scene_at(&job->scene, (uint32_t)i)->parent)
            if (!add_joint(job, links, side, (uint32_t)i)) return false;
        size_t count = links->joint_count[side];
        for (size_t k = 0; k < count / 2; k++) { /* from the top down */
            gz_range_joint kept = links->joints[side][k];
            links->joints[side][k] = links->joints[side][count - 1 - k];
            links->joints[side][count - 1 - k] = kept;
        }
    }
    return true;
}

bool gz_range_links_find(const gz_range_job *job, gz_range_worker *worker, uint32_t a, uint32_t b,
                         gz_range_links *links) {
    *links = (gz_range_links){.scene = &job->scene, .a = a, .b = b};
    memcpy(links->ends, worker->ends, sizeof links->ends);
    double paddings = gz_scene_at(&job->scene, a)->link->padding + gz_scene_at(&job->scene, b)->link->padding;
    links->contact = (job->options.min_separation + paddings) * GZ_REACH_UP;
    return find_joints(job, links);
}

/* ---- cells ---- */

typedef struct pair_search {
    const gz_range_job *job;
    gz_range_worker *worker;
    gz_range_links links;
    graze_range_pair *pair;
    double *pose;
    gz_range_proof *proof;
} pair_search;

/* True when the links are proven to touch there; then the pair is settled. */
static bool settle_at(void *user, const double *point) {
    pair_search *s = user;
    pose_of(s->job, &s->links, point, s->pose);
    if (gz_range_ask(s->job, s->worker, &s->links, s->pose) != GRAZE_HIT) return false;
    s->pair->verdict = GRAZE_HIT;
    return true;
}

/* The largest part that is left, and the pose in the middle of it. */
static void name_cell(pair_search *s, const double *lower, const double *upper) {
    double middle[GZ_MOST_VARIABLES];
    size_t values = s->job->values;
    for (int v = 0; v < s->links.variables; v++)
        middle[v] = fmin(fmax(lower[v] + 0.5 * (upper[v] - lower[v]), lower[v]), upper[v]);
    pose_of(s->job, &s->links, lower, s->pose + values);
    pose_of(s->job, &s->links, upper, s->pose + 2 * values);
    pose_of(s->job, &s->links, middle, s->pose);
    s->pair->lower = s->pose + values;
    s->pair->upper = s->pose + 2 * values;
}

static void limits_of(const pair_search *s, double *lower, double *upper) {
    for (int v = 0; v < s->links.variables; v++) {
        lower[v] = s->job->ranges[s->links.values[v]].lower;
        upper[v] = s->job->ranges[s->links.values[v]].upper;
    }
}

static void name_whole(pair_search *s) {
    double lower[GZ_MOST_VARIABLES], upper[GZ_MOST_VARIABLES];
    limits_of(s, lower, upper);
    name_cell(s, lower, upper);
}

static void search_cells(pair_search *s) {
    double lower[GZ_MOST_VARIABLES], upper[GZ_MOST_VARIABLES];
    limits_of(s, lower, upper);
    const graze_range_options *options = &s->job->options;
    gz_range_search search = {lower, upper, options->max_cells, options->least_share, s->job->write, settle_at, s};
    if (gz_range_hunt(s->job->context, &s->links, &search, options->samples)) return;
    gz_range_prove(s->job->context, &s->links, &search, s->proof);
    s->pair->cells = s->proof->cells;
    if (s->proof->failed) s->worker->status = GRAZE_ERR_OUT_OF_MEMORY;
    if (s->proof->open > 0 && !s->proof->touched) name_cell(s, s->proof->lower, s->proof->upper);
}

/* ---- pairs ---- */

/* No surfaces meet anywhere: then one pose says whether one link is inside the other everywhere. */
static void settle_clear(pair_search *s) {
    double point[GZ_MOST_VARIABLES];
    for (int v = 0; v < s->links.variables; v++) point[v] = range_at(&s->job->ranges[s->links.values[v]], 0.5);
    pose_of(s->job, &s->links, point, s->pose);
    s->pair->verdict = gz_range_ask(s->job, s->worker, &s->links, s->pose);
    if (s->pair->verdict != GRAZE_UNRESOLVED) return;
    s->pair->reason = GRAZE_REASON_PRECISION;
    s->pair->unresolved = 1;
    name_whole(s);
}

static void search_pair(const gz_range_job *job, gz_range_worker *worker, size_t index) {
    graze_range_pair *pair = &job->pairs[index];
    gz_range_proof unwritten = {0};
    pair_search s = {.job = job, .worker = worker, .pair = pair, .pose = job->poses + index * POSES * job->values};
    s.proof = job->proofs ? &job->proofs[index] : &unwritten;
    bool fits = gz_range_links_find(job, worker, pair->link_a, pair->link_b, &s.links);
    const gz_scene_link *a = gz_scene_at(&job->scene, s.links.a), *b = gz_scene_at(&job->scene, s.links.b);
    *pair = (graze_range_pair){.model_a = a->model,
                               .link_a = a->index,
                               .model_b = b->model,
                               .link_b = b->index,
                               .verdict = GRAZE_UNRESOLVED,
                               .reason = GRAZE_REASON_BUDGET,
                               .unresolved = 1,
                               .pose = s.pose};
    memcpy(s.pose, job->stand, job->values * sizeof *s.pose);
    if (!fits) {
        name_whole(&s);
        return;
    }
    pair->unresolved = 0;
    search_cells(&s);
    if (pair->verdict != GRAZE_HIT && s.proof->open == 0) settle_clear(&s);
    if (pair->verdict == GRAZE_UNRESOLVED && s.proof->open > 0) {
        pair->unresolved = s.proof->open;
        if (s.proof->cancelled) pair->reason = GRAZE_REASON_CANCELLED;
    }
    if (pair->verdict != GRAZE_UNRESOLVED) pair->reason = GRAZE_REASON_NONE;
}

static void search_pairs(void *state, size_t begin, size_t end, uint32_t worker) {
    const gz_range_job *job = state;
    for (size_t i = begin; i < end; i++) search_pair(job, &job->workers[worker], i);
}

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
    job->poses = gz_allocate_array(job->context, POSES * job->pair_count * job->values, sizeof *job->poses);
    if (job->write) job->proofs = gz_allocate_array(job->context, job->pair_count, sizeof *job->proofs);
    if (!job->pairs || !job->poses || (job->write && !job->proofs)) return GRAZE_ERR_OUT_OF_MEMORY;
    for (size_t i = 0; i < job->pair_count && job->proofs; i++) job->proofs[i] = (gz_range_proof){0};
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
    gz_release(context, result->poses, POSES * result->pair_count * result->values * sizeof *result->poses);
    result->pairs = NULL;
    result->poses = NULL;
    result->pair_count = 0;
}

static void take_stand(gz_range_job *job) {
    for (size_t i = 0; i < job->values; i++)
        job->stand[i] = job->ranges[i].follows >= 0 ? 0 : range_at(&job->ranges[i], 0.5);
    follow(job, job->stand);
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
    gz_parallel(job->context, job->pair_count, 1, search_pairs, job);
    for (uint32_t i = 0; i < job->context->threads; i++)
        if (job->workers[i].status != GRAZE_OK) status = job->workers[i].status;
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
