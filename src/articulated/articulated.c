/* Articulated models: the door of steps and batches. */
#include "articulated/door.h"

#include "base/overlap.h"
#include "base/sizes.h"

#include <math.h>
#include <string.h>

#define DEFAULT_CHECKS 20000000u
#define PATHS_AT_ONCE 4 /* of a batch, for one worker */

static const graze_articulated_options option_defaults = {.t_max = 1};
static const graze_articulated_result closed = {.toi_upper = INFINITY, .contact_size = sizeof(graze_link_contact)};
#define OPTIONS_LEAST GZ_SIZE_UP_TO(graze_articulated_options, interval_arithmetic)
#define RESULT_LEAST GZ_SIZE_UP_TO(graze_articulated_result, pairs_close)

void graze_init_articulated_options(graze_articulated_options *options, size_t size) {
    gz_sized_init(options, size, &option_defaults, sizeof option_defaults);
}

void graze_init_articulated_result(graze_articulated_result *result, size_t size) {
    gz_sized_init(result, size, &closed, sizeof closed);
}

/* ---- what is asked ---- */

graze_status gz_articulated_options_read(graze_context *context, const graze_articulated_options *given,
                                         graze_articulated_options *options) {
    *options = graze_default_articulated_options();
    graze_status status = GRAZE_OK;
    if (given) status = gz_sized_read(context, "articulated options", options, sizeof *options, OPTIONS_LEAST, given);
    if (status == GRAZE_OK)
        status = gz_range_check(context, options->min_separation, GRAZE_MAX_COORDINATE, options->t_max);
    if (status != GRAZE_OK) return status;
    if ((unsigned)options->mode > GRAZE_ARTICULATED_ALL || !(options->tolerance >= 0 && isfinite(options->tolerance)))
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "mode or tolerance is outside its range");
    if (options->max_checks == 0) options->max_checks = DEFAULT_CHECKS;
    return GRAZE_OK;
}

static graze_status check_models(graze_context *context, const graze_model *const *models, size_t count,
                                 const graze_motion *motions) {
    if (!models || !motions || count == 0)
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "no models, or no motions");
    for (size_t i = 0; i < count; i++)
        if (!models[i]) return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, i, "model %zu is NULL", i);
    return GRAZE_OK;
}

graze_status gz_articulated_options_check(graze_context *context, const graze_model *const *models, size_t count,
                                          const graze_motion *motions, const graze_articulated_options *given,
                                          graze_articulated_options *options) {
    graze_status status = gz_articulated_options_read(context, given, options);
    return status == GRAZE_OK ? check_models(context, models, count, motions) : status;
}

graze_status gz_motion_apart(graze_context *context, gz_pieces written, const graze_model *model,
                             const graze_motion *motion) {
    size_t values = graze_model_values(model), links = graze_model_links(model);
    gz_pieces read[] = {gz_bytes_at(motion->from, values * sizeof *motion->from),
                        gz_bytes_at(motion->to, values * sizeof *motion->to),
                        gz_bytes_at(motion->turns, links * sizeof *motion->turns),
                        gz_bytes_at(motion->cubic, values * sizeof *motion->cubic),
                        gz_bytes_at(motion->screws, links),
                        gz_bytes_at(motion->bezier, values * (motion->degree + (size_t)1) * sizeof(double)),
                        gz_bytes_at(motion->bezier_error, values * sizeof(double)),
                        gz_bytes_at(motion->rotvecs, links)};
    for (size_t k = 0; k < sizeof read / sizeof *read; k++)
        if (gz_apart_check(context, "the result", written, "the values of a motion", read[k]) != GRAZE_OK)
            return GRAZE_ERR_INVALID_ARGUMENT;
    return GRAZE_OK;
}

graze_status gz_motions_check(graze_context *context, const graze_model *const *models, size_t count,
                              const graze_motion *motions, size_t paths, gz_pieces written,
                              const graze_articulated_options *given, graze_articulated_options *options) {
    graze_status status = gz_articulated_options_check(context, models, count, motions, given, options);
    if (status != GRAZE_OK) return status;
    status = gz_apart_check(context, "the result", written, "motions", gz_motion_bytes(motions, paths * count));
    for (size_t i = 0; i < paths * count && status == GRAZE_OK; i++) {
        graze_motion motion;
        status = gz_motion_read(context, motions, i, &motion);
        if (status == GRAZE_OK) status = gz_motion_apart(context, written, models[i % count], &motion);
    }
    return status;
}

/* ---- what is answered ---- */

static void conclude(gz_search *search, graze_articulated_result *result) {
    result->verdict = GRAZE_CLEAR;
    result->toi = search->options.t_max;
    if (search->found != SIZE_MAX) {
        result->contact = gz_contact_of(search, search->found);
        result->has_contact = 1;
        result->verdict = result->contact.verdict;
        result->reason = result->contact.reason;
        result->toi = search->done ? 0 : result->contact.toi;
        result->toi_upper = result->contact.toi_upper;
    }
    if (search->reason != GRAZE_REASON_NONE && search->ended_at < search->limit && !search->done) {
        result->verdict = GRAZE_UNRESOLVED;
        result->reason = search->reason;
        result->toi = search->ended_at;
        result->toi_upper = INFINITY;
        result->has_contact = 0;
        memset(&result->contact, 0, sizeof result->contact);
    }
    result->checks = search->checks;
    result->pairs_tested = search->pairs_tested;
    result->pairs_near = search->pair_count;
    for (size_t i = 0; i < search->pair_count; i++) result->pairs_close += search->pairs[i].close;
}

static bool has_contact(const gz_pair_state *state) {
    return state->touch.verdict == GRAZE_HIT || state->touch.reason != GRAZE_REASON_NONE;
}

static graze_status list_contacts(gz_search *search, graze_articulated_result *result) {
    size_t count = 0;
    for (size_t i = 0; i < search->pair_count; i++) count += has_contact(&search->pairs[i]);
    if (count == 0) return GRAZE_OK;
    result->contacts = gz_allocate_array(search->scene.context, count, sizeof *result->contacts);
    if (!result->contacts) return GRAZE_ERR_OUT_OF_MEMORY;
    for (size_t i = 0; i < search->pair_count; i++)
        if (has_contact(&search->pairs[i])) result->contacts[result->contact_count++] = gz_contact_of(search, i);
    return GRAZE_OK;
}

graze_status gz_articulated_answer(gz_search *search, graze_status status, graze_articulated_result *result) {
    if (status == GRAZE_OK) conclude(search, result);
    if (status == GRAZE_OK && search->options.mode == GRAZE_ARTICULATED_ALL) status = list_contacts(search, result);
    if (status != GRAZE_OK) {
        graze_articulated_release(search->scene.context, result);
        *result = graze_default_articulated_result();
    }
    return status;
}

graze_status gz_articulated_solve(gz_search *search, gz_motions motions, graze_articulated_result *result) {
    return gz_articulated_answer(search, gz_search_run(search, motions), result);
}

/* ---- one motion ---- */

static void destroy_search(graze_context *context, void *object) {
    gz_search_close(object);
    gz_release(context, object, sizeof(gz_search));
}

gz_search *gz_kept_search(graze_context *context) {
    if (!context->articulated.object) {
        gz_search *made = gz_allocate(context, sizeof *made);
        if (!made) return NULL;
        *made = (gz_search){.scene = {.context = context}};
        context->articulated = (gz_kept){.object = made, .destroy = destroy_search};
    }
    return context->articulated.object;
}

static graze_status step(graze_context *context, const graze_model *const *models, size_t count,
                         const graze_motion *motions, gz_pieces written, const graze_articulated_options *given,
                         graze_articulated_result *result) {
    graze_articulated_options options;
    graze_status status = gz_motions_check(context, models, count, motions, 1, written, given, &options);
    if (status != GRAZE_OK) return status;
    gz_search *search = gz_kept_search(context);
    if (!search) return GRAZE_ERR_OUT_OF_MEMORY;
    status = gz_search_reopen(search, context, models, count, &options);
    return status == GRAZE_OK ? gz_articulated_solve(search, gz_motions_from(motions, 0), result) : status;
}

graze_status gz_result_open(graze_articulated_result *result) {
    if (!result || gz_sized_check(NULL, "articulated result", result, RESULT_LEAST) != GRAZE_OK)
        return GRAZE_ERR_INVALID_ARGUMENT;
    gz_sized_write(result, &closed, sizeof closed);
    return GRAZE_OK;
}

graze_status graze_articulated_step(graze_context *context, const graze_model *const *models, size_t count,
                                    const graze_motion *motions, const graze_articulated_options *options,
                                    graze_articulated_result *result) {
    if (gz_result_open(result) != GRAZE_OK || !context) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_fp_environment env;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    graze_articulated_result found = graze_default_articulated_result();
    gz_pieces written = gz_bytes_at(result, result->struct_size);
    status = step(context, models, count, motions, written, options, &found);
    gz_sized_write(result, &found, sizeof found);
    return gz_context_leave(context, &env, status);
}

void graze_articulated_release(graze_context *context, graze_articulated_result *result) {
    if (!result || result->struct_size < RESULT_LEAST) return;
    gz_release(context, result->contacts, result->contact_count * sizeof *result->contacts);
    result->contacts = NULL;
    result->contact_count = 0;
}

/* ---- many motions ---- */

static graze_articulated_result *result_at(const gz_paths *job, size_t path) {
    return (graze_articulated_result *)(void *)(job->results + path * job->stride);
}

static void batch_range(void *state, size_t begin, size_t end, uint32_t worker) {
    const gz_paths *job = state;
    for (size_t p = begin; p < end; p++) {
        graze_articulated_result found = graze_default_articulated_result();
        job->statuses[p] = job->solve(job, &job->searches[worker], p, &found);
        gz_sized_write(result_at(job, p), &found, sizeof found);
    }
}

static graze_status first_failure(const graze_status *statuses, size_t paths, size_t *index) {
    for (size_t p = 0; p < paths; p++)
        if (statuses[p] != GRAZE_OK) {
            *index = p;
            return statuses[p];
        }
    return GRAZE_OK;
}

/* All or nothing: a path that cannot be answered leaves every result closed. */
static graze_status finish_batch(const gz_paths *job, graze_context *context) {
    size_t index = 0;
    graze_status status = first_failure(job->statuses, job->paths, &index);
    if (status == GRAZE_OK) return GRAZE_OK;
    for (size_t p = 0; p < job->paths; p++) gz_sized_write(result_at(job, p), &closed, sizeof closed);
    return gz_fail(context, status, index, "path %zu: %s", index, graze_status_name(status));
}

static graze_status run_batch(graze_context *context, gz_paths *job) {
    uint32_t opened = 0;
    graze_status status = GRAZE_OK;
    for (; opened < context->threads && status == GRAZE_OK; opened++) {
        job->searches[opened] = (gz_search){.scene = {.context = context}};
        status = job->open(job, &job->searches[opened]);
    }
    if (status == GRAZE_OK) {
        gz_parallel(context, job->paths, PATHS_AT_ONCE, batch_range, job);
        status = finish_batch(job, context);
    }
    for (uint32_t i = 0; i < opened; i++) gz_search_close(&job->searches[i]);
    return status;
}

graze_status gz_paths_run(graze_context *context, gz_paths *job) {
    if (job->options.mode == GRAZE_ARTICULATED_ALL)
        return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "mode all is not possible in a batch");
    uint32_t threads = context->threads;
    job->searches = gz_allocate_array(context, threads, sizeof *job->searches);
    job->statuses = gz_allocate_array(context, job->paths, sizeof *job->statuses);
    graze_status status = GRAZE_ERR_OUT_OF_MEMORY;
    if (job->searches && job->statuses) status = run_batch(context, job);
    gz_release(context, job->searches, threads * sizeof *job->searches);
    gz_release(context, job->statuses, job->paths * sizeof *job->statuses);
    return status;
}

graze_status gz_paths_open(gz_paths *job, graze_articulated_result *results, size_t paths) {
    if (!results) return GRAZE_ERR_INVALID_ARGUMENT;
    if (paths == 0) return GRAZE_OK; /* no result that could have a size */
    if (gz_sized_check(NULL, "articulated result", results, RESULT_LEAST) != GRAZE_OK)
        return GRAZE_ERR_INVALID_ARGUMENT;
    job->results = (char *)results;
    job->stride = results->struct_size;
    job->paths = paths;
    for (size_t p = 0; p < paths; p++) {
        result_at(job, p)->struct_size = job->stride;
        gz_sized_write(result_at(job, p), &closed, sizeof closed);
    }
    return GRAZE_OK;
}

typedef struct model_paths {
    gz_paths paths;
    graze_context *context;
    const graze_model *const *models;
    size_t count;
    const graze_motion *motions;
} model_paths;

static graze_status open_models(const gz_paths *paths, gz_search *search) {
    const model_paths *job = (const model_paths *)paths;
    return gz_search_reopen(search, job->context, job->models, job->count, &paths->options);
}

static graze_status solve_models(const gz_paths *paths, gz_search *search, size_t path,
                                 graze_articulated_result *result) {
    const model_paths *job = (const model_paths *)paths;
    return gz_articulated_solve(search, gz_motions_from(job->motions, path * job->count), result);
}

graze_status graze_articulated_batch(graze_context *context, const graze_model *const *models, size_t count,
                                     const graze_motion *motions, size_t paths,
                                     const graze_articulated_options *options, graze_articulated_result *results) {
    model_paths job = {.paths = {.open = open_models, .solve = solve_models},
                       .context = context,
                       .models = models,
                       .count = count,
                       .motions = motions};
    if (gz_paths_open(&job.paths, results, paths) != GRAZE_OK || !context) return GRAZE_ERR_INVALID_ARGUMENT;
    if (paths == 0) return GRAZE_OK;
    gz_fp_environment env;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    gz_pieces written = gz_bytes_at(results, paths * job.paths.stride);
    status = gz_motions_check(context, models, count, motions, paths, written, options, &job.paths.options);
    if (status == GRAZE_OK) status = gz_paths_run(context, &job.paths);
    return gz_context_leave(context, &env, status);
}
