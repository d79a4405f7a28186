/* Plans: pieces between knots as motions of a world, solved a block at a time until one is not clear. */
#include "articulated/world/plan.h"

#include "articulated/door.h"
#include "articulated/world/spline.h"
#include "articulated/world/world.h"

#include "base/sizes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PATH_LEAST GZ_SIZE_UP_TO(graze_path, control)
#define RESULT_LEAST GZ_SIZE_UP_TO(graze_plan_result, contact)

enum { BLOCK = GZ_PLAN_BLOCK };

static const graze_path path_defaults = {.degree = 1};
static const graze_plan_result result_defaults = {
    .verdict = GRAZE_UNRESOLVED, .time = -INFINITY, .time_upper = INFINITY, .segment = SIZE_MAX};

void graze_init_path(graze_path *path, size_t size) { gz_sized_init(path, size, &path_defaults, sizeof path_defaults); }

void graze_init_plan_result(graze_plan_result *result, size_t size) {
    gz_sized_init(result, size, &result_defaults, sizeof result_defaults);
}

typedef gz_plan plan;

/* ---- what is given ---- */

static size_t values_of(const plan *p, size_t path) {
    return graze_model_values(&p->world->bodies[p->paths[path].body]->model);
}

static graze_status refuse(const plan *p, size_t path, const char *why) {
    return gz_fail(p->context, GRAZE_ERR_INVALID_ARGUMENT, path, "path %zu: %s", path, why);
}

static graze_status check_path(const plan *p, size_t i, gz_pieces written) {
    const graze_path *path = &p->paths[i];
    if (path->body >= p->world->body_count)
        return gz_fail(p->context, GRAZE_ERR_BAD_INDEX, i, "path %zu: the world has no body %u", i, path->body);
    const char *fault = gz_spline_fault(path);
    if (fault) return refuse(p, i, fault);
    if (gz_spline_begin(path) != gz_spline_begin(p->paths) || gz_spline_end(path) != gz_spline_end(p->paths))
        return refuse(p, i, "it begins or ends at another time than the first");
    for (size_t k = 0; k < i; k++)
        if (p->paths[k].body == path->body) return refuse(p, i, "another path moves its body, too");
    size_t knots = path->count + path->degree + 1, values = path->count * values_of(p, i);
    if (gz_apart_check(p->context, "the result", written, "knots",
                       gz_bytes_at(path->knots, knots * sizeof *path->knots)) != GRAZE_OK)
        return GRAZE_ERR_INVALID_ARGUMENT;
    return gz_apart_check(p->context, "the result", written, "control points",
                          gz_bytes_at(path->control, values * sizeof *path->control));
}

static graze_status read_paths(plan *p, const graze_path *given, gz_pieces written) {
    static const gz_sized_kind kind = {"path", sizeof *given, PATH_LEAST};
    graze_status status = GRAZE_OK;
    for (size_t i = 0; i < p->count && status == GRAZE_OK; i++) {
        p->paths[i] = path_defaults;
        status = gz_sized_read_at(p->context, &kind, i, &p->paths[i], given, i);
        if (status == GRAZE_OK) status = check_path(p, i, written);
    }
    if (status != GRAZE_OK) return status;
    return gz_apart_check(p->context, "the result", written, "paths",
                          gz_bytes_at(given, p->count * given->struct_size));
}

static graze_status read_options(plan *p, const graze_articulated_options *given) {
    graze_status status = gz_articulated_options_read(p->context, given, &p->options);
    if (status != GRAZE_OK) return status;
    if (p->options.mode == GRAZE_ARTICULATED_ALL)
        return gz_fail(p->context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "a plan has a first contact, and no list of all");
    if (p->options.t_max != 1)
        return gz_fail(p->context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "a plan ends with its knots, not at a t_max");
    return GRAZE_OK;
}

/* ---- pieces ---- */

static int before(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The distinct knots of all paths from beginning to end. */
static void find_times(plan *p) {
    size_t count = 0, kept = 1;
    double begin = gz_spline_begin(p->paths), end = gz_spline_end(p->paths);
    for (size_t i = 0; i < p->count; i++)
        for (size_t k = 0; k <= p->paths[i].count + p->paths[i].degree; k++) {
            double t = p->paths[i].knots[k];
            if (t >= begin && t <= end) p->times[count++] = t;
        }
    qsort(p->times, count, sizeof *p->times, before);
    for (size_t k = 1; k < count; k++)
        if (p->times[k] > p->times[kept - 1]) p->times[kept++] = p->times[k];
    p->pieces = kept - 1;
}

/* Piece `piece` as the motions of number `place` of a block. */
static void make_motions(plan *p, size_t piece, size_t place) {
    double *next = p->bezier[place], begin = p->times[piece], end = p->times[piece + 1];
    for (size_t i = 0; i < p->count; i++) {
        const graze_path *path = &p->paths[i];
        size_t values = values_of(p, i), span = gz_spline_span(path, begin), row = path->degree + 1;
        graze_motion *motion = &p->motions[place * p->count + i];
        *motion = graze_default_motion();
        motion->degree = path->degree;
        motion->bezier = next;
        motion->bezier_error = next + values * row;
        for (size_t v = 0; v < values; v++)
            next[values * row + v] = gz_spline_piece(path, span, v, values, begin, end, next + v * row);
        next += values * (row + 1);
        p->bodies[place * p->count + i] = graze_default_body_motion();
        p->bodies[place * p->count + i].body = path->body;
        p->bodies[place * p->count + i].joints = motion;
    }
}

/* ---- the answer ---- */

static void fill(const plan *p, size_t piece, const graze_articulated_result *found, graze_plan_result *result) {
    result->verdict = found->verdict;
    result->reason = found->reason;
    result->toi = found->toi;
    result->time = gz_spline_seconds(p->times + piece, found->toi, -1);
    if (found->verdict == GRAZE_HIT && found->toi_upper <= 1)
        result->time_upper = gz_spline_seconds(p->times + piece, found->toi_upper, 1);
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
    if (status == GRAZE_OK) status = gz_world_run(p->context, p->world, p->bodies, p->count, &opened, &options);
    for (size_t k = first; k < end && status == GRAZE_OK && result->segment == SIZE_MAX; k++) {
        result->checks += p->results[k - first].checks;
        if (p->results[k - first].verdict != GRAZE_CLEAR) fill(p, k, &p->results[k - first], result);
    }
    return status;
}

static graze_status solve(plan *p, graze_plan_result *result) {
    graze_status status = GRAZE_OK;
    size_t next = 0;
    while (next < p->pieces && status == GRAZE_OK && result->segment == SIZE_MAX) {
        size_t end = next + (next == 0 ? 1 : BLOCK); /* the first alone: what is inside of what is asked once */
        if (end > p->pieces) end = p->pieces;
        status = solve_block(p, next, end, result);
        next = end;
    }
    result->segments = p->pieces;
    if (status != GRAZE_OK || result->segment != SIZE_MAX) return status;
    result->verdict = GRAZE_CLEAR;
    result->segment = p->pieces;
    result->toi = 1;
    result->time = p->times[p->pieces];
    return GRAZE_OK;
}

/* ---- memory ---- */

static graze_status open_plan(plan *p) {
    for (size_t i = 0; i < p->count; i++) {
        p->knots += p->paths[i].count + p->paths[i].degree + 1;
        p->bezier_size += values_of(p, i) * (p->paths[i].degree + 2);
    }
    p->times = gz_allocate_array(p->context, p->knots, sizeof *p->times);
    p->bezier[0] = gz_allocate_array(p->context, BLOCK * p->bezier_size, sizeof **p->bezier);
    p->motions = gz_allocate_array(p->context, BLOCK * p->count, sizeof *p->motions);
    p->bodies = gz_allocate_array(p->context, BLOCK * p->count, sizeof *p->bodies);
    p->results = gz_allocate_array(p->context, BLOCK, sizeof *p->results);
    if (!p->times || !p->bezier[0] || !p->motions || !p->bodies || !p->results) return GRAZE_ERR_OUT_OF_MEMORY;
    for (size_t k = 1; k < BLOCK; k++) p->bezier[k] = p->bezier[k - 1] + p->bezier_size;
    return GRAZE_OK;
}

void gz_plan_close(gz_plan *p) {
    gz_release(p->context, p->paths, p->count * sizeof *p->paths);
    gz_release(p->context, p->times, p->knots * sizeof *p->times);
    gz_release(p->context, p->bezier[0], BLOCK * p->bezier_size * sizeof **p->bezier);
    gz_release(p->context, p->motions, BLOCK * p->count * sizeof *p->motions);
    gz_release(p->context, p->bodies, BLOCK * p->count * sizeof *p->bodies);
    gz_release(p->context, p->results, BLOCK * sizeof *p->results);
}

graze_status gz_plan_open(gz_plan *p, const graze_path *paths, gz_pieces written) {
    if (!p->world || !paths || p->count == 0)
        return gz_fail(p->context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "no world, or no paths");
    if (p->count > p->world->body_count)
        return gz_fail(p->context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "more paths than bodies");
    p->paths = gz_allocate_array(p->context, p->count, sizeof *p->paths);
    graze_status status = p->paths ? read_paths(p, paths, written) : GRAZE_ERR_OUT_OF_MEMORY;
    if (status == GRAZE_OK) status = open_plan(p);
    if (status == GRAZE_OK) find_times(p);
    return status;
}

const graze_body_motion *gz_plan_motions(gz_plan *p, size_t piece, size_t place) {
    make_motions(p, piece, place);
    return p->bodies + place * p->count;
}

static graze_status run(graze_context *context, const graze_world *world, const graze_path *paths, size_t count,
                        const graze_articulated_options *options, gz_pieces written, graze_plan_result *result) {
    plan p = {.context = context, .world = world, .count = count};
    graze_status status = read_options(&p, options);
    if (status == GRAZE_OK) status = gz_plan_open(&p, paths, written);
    if (status == GRAZE_OK) status = solve(&p, result);
    gz_plan_close(&p);
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
