/* A state of a world to step to: motions that are rounded first and proven then. */
#include "world/motion_to.h"
#include "world/world_step.h"

#include "base/sizes.h"

static const graze_world_moved moved_defaults = {.motions = NULL};

#define MOVED_LEAST GZ_SIZE_UP_TO(graze_world_moved, owned)

/* Parts of toi to keep, try by try: first less what a rounding error may need, then ever less. From there on halves. */
static const double kept_parts[] = {1, 1 - 0x1p-40, 1 - 0x1p-30, 1 - 0x1p-20, 1 - 0x1p-12, 1 - 0x1p-7, 0.875};
#define PARTS (sizeof kept_parts / sizeof *kept_parts)
#define MOST_TRIES 64

void graze_init_world_moved(graze_world_moved *moved, size_t size) {
    gz_sized_init(moved, size, &moved_defaults, sizeof moved_defaults);
}

/* The motions of a call from their start to a state that is proven, by a step of their own each. */
typedef struct trial {
    graze_context *context;
    const graze_world *world;
    size_t count;
    graze_articulated_options options;
    gz_motions_to *to;
} trial;

static graze_status ask(const trial *job, const graze_body_motion *motions, graze_articulated_result *result) {
    *result = graze_default_articulated_result();
    return gz_world_answer(job->context, job->world, motions, job->count, &job->options, result);
}

/* The step of that answer is clear, and so is the next one as long as it stands. What came near may be within the
   rounding of the pose that the next one starts with. */
static graze_status starts_free(const trial *job, const graze_articulated_result *step, bool *is_free) {
    graze_articulated_result rest;
    *is_free = step->verdict == GRAZE_CLEAR;
    if (!*is_free || step->pairs_near == 0) return GRAZE_OK;
    graze_status status = ask(job, gz_motions_to_rest(job->to), &rest);
    *is_free = status == GRAZE_OK && rest.verdict == GRAZE_CLEAR;
    return status;
}

static graze_status is_clear(const trial *job, bool *clear) {
    graze_articulated_result step;
    graze_status status = ask(job, gz_motions_to_list(job->to), &step);
    *clear = false;
    return status == GRAZE_OK ? starts_free(job, &step, clear) : status;
}

static graze_status find_state(trial *job, double toi, double *found) {
    double alpha = toi;
    *found = 0;
    for (size_t try = 0; alpha > 0 && try < MOST_TRIES; try++) {
        bool clear, moved = gz_motions_to_set(job->to, alpha);
        if (!moved) break;
        graze_status status = is_clear(job, &clear);
        if (status != GRAZE_OK) return status;
        if (clear) {
            *found = alpha;
            return GRAZE_OK;
        }
        if (gz_cancelled(job->context)) break;
        alpha = try + 1 < PARTS ? toi * kept_parts[try + 1] : 0.5 * alpha;
    }
    gz_motions_to_set(job->to, 0);
    return GRAZE_OK;
}

static graze_status open_trial(trial *job, const graze_body_motion *motions) {
    const char *why = NULL;
    job->to = gz_motions_to_open(job->context, job->world, motions, job->count, &why);
    if (!job->to) return GRAZE_ERR_OUT_OF_MEMORY;
    return why ? gz_fail(job->context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "%s", why) : GRAZE_OK;
}

/* The step that was asked about, then one that is proven. */
static graze_status step_to(trial *job, const graze_body_motion *motions, graze_world_moved *moved,
                            graze_articulated_result *result) {
    graze_status status = gz_world_answer(job->context, job->world, motions, job->count, &job->options, result);
    if (status == GRAZE_OK) status = open_trial(job, motions);
    if (status != GRAZE_OK) return status;
    bool whole = false; /* the motions that were asked about are those to take */
    job->options.t_max = 1;
    gz_motions_to_set(job->to, 1);
    if (result->toi == 1 && gz_motions_to_are_whole(job->to)) status = starts_free(job, result, &whole);
    moved->alpha = 1;
    return status != GRAZE_OK || whole ? status : find_state(job, result->toi, &moved->alpha);
}

static graze_status answer(trial *job, const graze_body_motion *motions, gz_pieces written,
                           const graze_articulated_options *given, graze_world_moved *moved,
                           graze_articulated_result *result) {
    graze_status status = gz_world_check(job->context, job->world, motions, job->count, written, given, &job->options);
    if (status != GRAZE_OK) return status;
    job->options.mode = GRAZE_ARTICULATED_EARLIEST;
    status = step_to(job, motions, moved, result);
    if (status == GRAZE_OK) {
        moved->motions = gz_motions_to_list(job->to);
        moved->count = job->count;
        moved->owned = job->to;
        return status;
    }
    gz_motions_to_close(job->context, job->to);
    graze_articulated_release(job->context, result);
    *result = graze_default_articulated_result();
    *moved = graze_default_world_moved();
    return status;
}

graze_status graze_world_step_to(graze_context *context, const graze_world *world, const graze_body_motion *motions,
                                 size_t count, const graze_articulated_options *given, graze_world_moved *moved,
                                 graze_articulated_result *result) {
    if (result && gz_result_open(result) != GRAZE_OK) return GRAZE_ERR_INVALID_ARGUMENT;
    if (!context || !moved || gz_sized_check(NULL, "world moved", moved, MOVED_LEAST) != GRAZE_OK)
        return GRAZE_ERR_INVALID_ARGUMENT;
    graze_world_moved made = graze_default_world_moved();
    graze_articulated_result found = graze_default_articulated_result();
    gz_fp_environment env;
    gz_sized_write(moved, &made, sizeof made);
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    trial job = {.context = context, .world = world, .count = count};
    gz_pieces written = result ? gz_bytes_at(result, result->struct_size) : gz_bytes_at(NULL, 0);
    status = answer(&job, motions, written, given, &made, &found);
    gz_sized_write(moved, &made, sizeof made);
    if (result) gz_sized_write(result, &found, sizeof found);
    return gz_context_leave(context, &env, status);
}

void graze_world_moved_release(graze_context *context, graze_world_moved *moved) {
    if (!moved) return;
    gz_motions_to_close(context, moved->owned);
    moved->owned = NULL;
    moved->motions = NULL;
    moved->count = 0;
}
