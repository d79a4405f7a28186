/* Worlds: the door of batches and poses. */
#include "articulated/door.h"
#include "articulated/world/pose.h"
#include "articulated/world/world.h"

#include "base/sizes.h"

#include <string.h>

#define MOTION_LEAST GZ_SIZE_UP_TO(graze_body_motion, joints)

/* ---- motions ---- */

static const graze_body_motion *motion_at(const graze_body_motion *motions, size_t i) {
    return (const graze_body_motion *)(const void *)((const char *)motions + i * motions->struct_size);
}

graze_body_motion gz_body_motion_at(const graze_body_motion *motions, size_t index) {
    graze_body_motion motion = graze_default_body_motion();
    gz_sized_read(NULL, "body motion", &motion, sizeof motion, MOTION_LEAST, motion_at(motions, index));
    motion.struct_size = sizeof motion;
    return motion;
}

static graze_status check_motion(graze_context *context, const graze_world *world, const graze_body_motion *motion,
                                 size_t index, gz_pieces written) {
    graze_body_motion whole = graze_default_body_motion();
    if (gz_sized_read(context, "body motion", &whole, sizeof whole, MOTION_LEAST, motion) != GRAZE_OK)
        return GRAZE_ERR_INVALID_ARGUMENT;
    if (motion->body >= world->body_count)
        return gz_fail(context, GRAZE_ERR_BAD_INDEX, index, "motion %zu: the world has no body %u", index,
                       motion->body);
    if (!motion->joints) return GRAZE_OK;
    graze_motion joints;
    graze_status status = gz_motion_read(context, motion->joints, 0, &joints);
    if (status != GRAZE_OK) return status;
    return gz_motion_apart(context, written, &world->bodies[motion->body]->model, &joints);
}

graze_status gz_world_motions_check(graze_context *context, const graze_world *world, const graze_body_motion *motions,
                                    size_t count, gz_pieces written) {
    graze_status status = GRAZE_OK;
    if (!world || (count && !motions))
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "no world, or no motions");
    if (count && gz_sized_check(context, "body motion", motions, MOTION_LEAST) != GRAZE_OK)
        return GRAZE_ERR_INVALID_ARGUMENT;
    if (count)
        status = gz_apart_check(context, "the result", written, "motions",
                                gz_bytes_at(motions, count * motions->struct_size));
    for (size_t i = 0; i < count && status == GRAZE_OK; i++)
        status = check_motion(context, world, motion_at(motions, i), i, written);
    return status;
}

/* Everything that a call is given. */
graze_status gz_world_check(graze_context *context, const graze_world *world, const graze_body_motion *motions,
                            size_t count, gz_pieces written, const graze_articulated_options *given,
                            graze_articulated_options *options) {
    graze_status status = gz_articulated_options_read(context, given, options);
    if (status != GRAZE_OK) return status;
    if (options->link_pairs)
        return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "a world has its pairs, and takes no link_pairs");
    return gz_world_motions_check(context, world, motions, count, written);
}

gz_motions gz_world_motions(gz_search *search, const graze_body_motion *motions, size_t first, size_t count) {
    const graze_world *world = search->world;
    graze_motion *spread = search->motions;
    for (uint32_t i = 0; i < world->motion_count; i++) spread[i] = graze_default_motion();
    for (size_t i = first; i < first + count; i++) {
        const graze_body_motion *motion = motion_at(motions, i);
        uint32_t place = world->motions[motion->body];
        if (place != UINT32_MAX && motion->joints) spread[place] = gz_motion_at(gz_motions_from(motion->joints, 0), 0);
    }
    return (gz_motions){(const char *)spread, sizeof *spread};
}

graze_status gz_world_of_models(graze_context *context, const graze_world *world, const char *call) {
    if (!world->mixed) return GRAZE_OK;
    return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "%s is only for worlds of models and static bodies",
                   call);
}

/* ---- one motion ---- */

graze_status gz_world_step_models(graze_context *context, const graze_world *world, const graze_body_motion *motions,
                                  size_t count, const graze_articulated_options *options,
                                  graze_articulated_result *result) {
    gz_search *search = gz_kept_search(context);
    if (!search) return GRAZE_ERR_OUT_OF_MEMORY;
    graze_status status = gz_search_reopen_world(search, context, world, options);
    return status == GRAZE_OK ? gz_articulated_solve(search, gz_world_motions(search, motions, 0, count), result)
                              : status;
}

/* ---- one pose ---- */

gz_motions gz_world_stand(gz_search *search, const graze_body_motion *pose, size_t count) {
    gz_motions motions = gz_world_motions(search, pose, 0, count);
    for (uint32_t i = 0; i < search->world->motion_count; i++) {
        graze_motion still = graze_default_motion();
        still.from = still.to = search->motions[i].from;
        search->motions[i] = still;
    }
    return motions;
}

static graze_status stand(graze_context *context, const graze_world *world, const graze_body_motion *pose, size_t count,
                          const graze_articulated_options *options, graze_articulated_result *result) {
    gz_search *search = gz_kept_search(context);
    if (!search) return GRAZE_ERR_OUT_OF_MEMORY;
    graze_status status = gz_search_reopen_world(search, context, world, options);
    if (status != GRAZE_OK) return status;
    return gz_articulated_answer(search, gz_search_pose(search, gz_world_stand(search, pose, count)), result);
}

graze_status graze_world_valid(graze_context *context, const graze_world *world, const graze_body_motion *pose,
                               size_t count, const graze_articulated_options *given, graze_articulated_result *result) {
    if (gz_result_open(result) != GRAZE_OK || !context) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_fp_environment env;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    graze_articulated_options options;
    graze_articulated_result found = graze_default_articulated_result();
    status = gz_world_check(context, world, pose, count, gz_bytes_at(result, result->struct_size), given, &options);
    if (status == GRAZE_OK) status = gz_world_of_models(context, world, "graze_world_valid");
    if (!given) options.check_inside = 1;
    if (status == GRAZE_OK) status = stand(context, world, pose, count, &options, &found);
    gz_sized_write(result, &found, sizeof found);
    return gz_context_leave(context, &env, status);
}

/* ---- many motions ---- */

typedef struct world_paths {
    gz_paths paths;
    graze_context *context;
    const graze_world *world;
    const graze_body_motion *motions;
    size_t count;
} world_paths;

static graze_status open_world(const gz_paths *paths, gz_search *search) {
    const world_paths *job = (const world_paths *)paths;
    return gz_search_reopen_world(search, job->context, job->world, &paths->options);
}

static graze_status solve_world(const gz_paths *paths, gz_search *search, size_t path,
                                graze_articulated_result *result) {
    const world_paths *job = (const world_paths *)paths;
    return gz_articulated_solve(search, gz_world_motions(search, job->motions, path * job->count, job->count), result);
}

graze_status gz_world_run(graze_context *context, const graze_world *world, const graze_body_motion *motions,
                          size_t count, const gz_paths *opened, const graze_articulated_options *options) {
    world_paths job = {.paths = *opened, .context = context, .world = world, .motions = motions, .count = count};
    job.paths.open = open_world;
    job.paths.solve = solve_world;
    gz_pieces written = gz_bytes_at(opened->results, opened->paths * opened->stride);
    graze_status status =
        gz_world_check(context, world, motions, count * opened->paths, written, options, &job.paths.options);
    if (status == GRAZE_OK) status = gz_world_of_models(context, world, "a batch of motions");
    return status == GRAZE_OK ? gz_paths_run(context, &job.paths) : status;
}

graze_status graze_world_batch(graze_context *context, const graze_world *world, const graze_body_motion *motions,
                               size_t count, size_t paths, const graze_articulated_options *options,
                               graze_articulated_result *results) {
    gz_paths opened = {0};
    if (gz_paths_open(&opened, results, paths) != GRAZE_OK || !context) return GRAZE_ERR_INVALID_ARGUMENT;
    if (paths == 0) return GRAZE_OK;
    gz_fp_environment env;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    return gz_context_leave(context, &env, gz_world_run(context, world, motions, count, &opened, options));
}
