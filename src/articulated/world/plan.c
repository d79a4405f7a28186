/* Plans: pieces between knots as motions of a world, solved a block at a time until one is not clear. */
#include "articulated/door.h"
#include "articulated/world/pieces.h"
#include "articulated/world/world.h"

#include "base/sizes.h"

#include <math.h>

#define RESULT_LEAST GZ_SIZE_UP_TO(graze_plan_result, contact)

enum { BLOCK = 64 }; /* pieces that are solved together */

static const graze_plan_result result_defaults = {
    .verdict = GRAZE_UNRESOLVED, .time = -INFINITY, .time_upper = INFINITY, .segment = SIZE_MAX};

void graze_init_plan_result(graze_plan_result *result, size_t size) {
    gz_sized_init(result, size, &result_defaults, sizeof result_defaults);
}

typedef struct plan {
    gz_plan cut;
    const graze_world *world;
    graze_articulated_options options;
    double *bezier; /* of the pieces of a block */
    graze_motion *motions;
    graze_body_motion *bodies;
    graze_articulated_result *results;
} plan;

/* ---- what is given ---- */

static size_t body_values(const void *of, size_t body) {
    const graze_world *world = of;
    return graze_model_values(&world->bodies[body]->model);
}

static graze_status read_options(plan *p, const graze_articulated_options *given) {
    graze_status status = gz_articulated_options_read(p->cut.context, given, &p->options);
    if (status != GRAZE_OK) return status;
    if (p->options.mode == GRAZE_ARTICULATED_ALL)
        return gz_fail(p->cut.context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "mode all is not possible for a plan");
    if (p->options.t_max != 1)
        return gz_fail(p->cut.context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "a plan ends with its knots, not at a t_max");
    return GRAZE_OK;
}

/* Piece `piece` as the motions of number `place` of a block. */
static void make_motions(plan *p, size_t piece, size_t place) {
    size_t first = place * p->cut.count;
    gz_plan_motions(&p->cut, piece, p->bezier + place * p->cut.bezier_size, p->motions + first);
    for (size_t i = 0; i < p->cut.count; i++) {
        p->bodies[first + i] = graze_default_body_motion();
        p->bodies[first + i].body = p->cut.paths[i].body;
        p->bodies[first + i].joints = &p->motions[first + i];
    }
}

/* ---- the answer ---- */

static void fill(const plan *p, size_t piece, const graze_articulated_result *found, graze_plan_result *result) {
    result->verdict = found->verdict;
    result->reason = found->reason;
    result->toi = found->toi;
    result->time = gz_spline_seconds(p->cut.times + piece, found->toi, -1);
    if (found->verdict == GRAZE_HIT && found->toi_upper <= 1)
        result->time_upper = gz_spline_seconds(p->cut.times + piece, found->toi_upper, 1);
    result->segment = piece;
    result->has_contact = found->has_contact;
    if (found->has_contact) result->contact = found->contact;
}

/* Pieces [first, end): the result is that of the first one that is not clear. */
static graze_status solve_block(plan *p, size_t first, size_t end, graze_plan_result *result) {
    graze_articulated_options options = p->options;
    options.check_inside = options.check_inside && first == 0;
    for (size_t k = first; k < end; k++) make_motions(p, k, k - first);
    gz_paths opened = {0};
    p->results[0] = graze_default_articulated_result();
    graze_status status = gz_paths_open(&opened, p->results, end - first);
    if (status == GRAZE_OK) status = gz_world_run(p->cut.context, p->world, p->bodies, p->cut.count, &opened, &options);
    for (size_t k = first; k < end && status == GRAZE_OK && result->segment == SIZE_MAX; k++) {
        result->checks += p->results[k - first].checks;
        if (p->results[k - first].verdict != GRAZE_CLEAR) fill(p, k, &p->results[k - first], result);
    }
    return status;
}

static graze_status solve(plan *p, graze_plan_result *result) {
    graze_status status = GRAZE_OK;
    size_t next = 0;
    while (next < p->cut.pieces && status == GRAZE_OK && result->segment == SIZE_MAX) {
        size_t end = next + (next == 0 ? 1 : BLOCK); /* the first alone: what is inside of what is asked once */
        if (end > p->cut.pieces) end = p->cut.pieces;
        status = solve_block(p, next, end, result);
        next = end;
    }
    result->segments = p->cut.pieces;
    if (status != GRAZE_OK || result->segment != SIZE_MAX) return status;
    result->verdict = GRAZE_CLEAR;
    result->segment = p->cut.pieces;
    result->toi = 1;
    result->time = p->cut.times[p->cut.pieces];
    return GRAZE_OK;
}

/* ---- memory ---- */

static graze_status open_plan(plan *p) {
    graze_context *context = p->cut.context;
    p->bezier = gz_allocate_array(context, BLOCK * p->cut.bezier_size, sizeof *p->bezier);
    p->motions = gz_allocate_array(context, BLOCK * p->cut.count, sizeof *p->motions);
    p->bodies = gz_allocate_array(context, BLOCK * p->cut.count, sizeof *p->bodies);
    p->results = gz_allocate_array(context, BLOCK, sizeof *p->results);
    return p->bezier && p->motions && p->bodies && p->results ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY;
}

static void close_plan(plan *p) {
    graze_context *context = p->cut.context;
    gz_release(context, p->bezier, BLOCK * p->cut.bezier_size * sizeof *p->bezier);
    gz_release(context, p->motions, BLOCK * p->cut.count * sizeof *p->motions);
    gz_release(context, p->bodies, BLOCK * p->cut.count * sizeof *p->bodies);
    gz_release(context, p->results, BLOCK * sizeof *p->results);
    gz_plan_close(&p->cut);
}

static graze_status run(graze_context *context, const graze_world *world, const graze_path *paths, size_t count,
                        const graze_articulated_options *options, gz_pieces written, graze_plan_result *result) {
    if (!world || !paths || count == 0)
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "no world, or no paths");
    if (count > world->body_count)
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "more paths than bodies");
    gz_plan_bodies bodies = {world, world->body_count, body_values};
    plan p = {.cut = {.context = context, .bodies = bodies, .count = count}, .world = world};
    graze_status status = read_options(&p, options);
    if (status != GRAZE_OK) return status;
    status = gz_plan_open(&p.cut, paths, written);
    if (status == GRAZE_OK) status = open_plan(&p);
    if (status == GRAZE_OK) status = solve(&p, result);
    close_plan(&p);
    return status;
}

graze_status graze_world_plan(graze_context *context, const graze_world *world, const graze_path *paths, size_t count,
                              const graze_articulated_options *options, graze_plan_result *result) {
    if (!result || gz_sized_check(NULL, "plan result", result, RESULT_LEAST) != GRAZE_OK)
        return GRAZE_ERR_INVALID_ARGUMENT;
    graze_plan_result found = result_defaults;
    gz_sized_write(result, &found, sizeof found);
    if (!context) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_fp_environment env;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    status = run(context, world, paths, count, options, gz_bytes_at(result, result->struct_size), &found);
    if (status != GRAZE_OK) found = result_defaults;
    gz_sized_write(result, &found, sizeof found);
    return gz_context_leave(context, &env, status);
}
