/* Least distances in a world that moves: the door. */
#include "graze/clearance.h"

#include "articulated/clearance/clear_gradient.h"
#include "articulated/distance/gradient.h"
#include "articulated/door.h"
#include "articulated/world/pieces.h"
#include "articulated/world/pose.h"
#include "articulated/world/world.h"

#include "base/sizes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_TOLERANCE 0x1p-20 /* of the links' size */
#define DEFAULT_CHECKS 10000000
#define ANOTHER_TIME 0x1p-5 /* of a segment: what is nearer is the same minimum */
#define AS_CLOSE 0x1p-20    /* of the links' size */

static const graze_clearance_options option_defaults = {.most = 1, .distance = INFINITY};
static const graze_clearance_result closed = {.pair_size = sizeof(graze_link_clearance)};

#define OPTIONS_LEAST GZ_SIZE_UP_TO(graze_clearance_options, gradients)
#define RESULT_LEAST GZ_SIZE_UP_TO(graze_clearance_result, checks)

void graze_init_clearance_options(graze_clearance_options *options, size_t size) {
    gz_sized_init(options, size, &option_defaults, sizeof option_defaults);
}

void graze_init_clearance_result(graze_clearance_result *result, size_t size) {
    gz_sized_init(result, size, &closed, sizeof closed);
}

typedef struct job {
    graze_context *context;
    const graze_world *world;
    const graze_body_motion *motions; /* of all segments; NULL: those of the plan */
    gz_plan *plan;
    double *bezier; /* of one piece of it, and its motions */
    graze_motion *piece;
    graze_body_motion *bodies;
    size_t count, segments;
    graze_clearance_options options;
    gz_search *search;
    gz_motions moved;  /* of the segment that the search has begun */
    gz_frames *frames; /* two for each worker: of windows, of single times */
    gz_clear_pair *pairs;
    size_t pair_count, pair_room;
    double cut;
    size_t segment;
    size_t *first, value_count; /* of each body's values */
    double *room;               /* a pose, and twice as many numbers */
} job;

/* ---- what is given ---- */

static graze_status read_options(graze_context *context, const graze_clearance_options *given,
                                 graze_clearance_options *options) {
    *options = option_defaults;
    options->struct_size = sizeof *options;
    if (given) {
        graze_status status =
            gz_sized_read(context, "clearance options", options, sizeof *options, OPTIONS_LEAST, given);
        if (status != GRAZE_OK) return status;
    }
    if (!(options->distance >= 0) || !(options->tolerance >= 0) || isinf(options->tolerance))
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX,
                       "distance or tolerance is negative, or not a number");
    if (options->max_checks == 0) options->max_checks = DEFAULT_CHECKS;
    return gz_range_check(context, options->min_separation, GRAZE_MAX_COORDINATE, 1);
}

/* ---- segments ---- */

static void move_along_plan(job *j, size_t piece) {
    gz_plan_motions(j->plan, piece, j->bezier, j->piece);
    for (size_t i = 0; i < j->count; i++) {
        j->bodies[i] = graze_default_body_motion();
        j->bodies[i].body = j->plan->paths[i].body;
        j->bodies[i].joints = &j->piece[i];
    }
}

static graze_status begin(job *j, size_t segment) {
    const graze_body_motion *motions = j->motions;
    size_t first = segment * j->count;
    if (j->plan) {
        move_along_plan(j, segment);
        motions = j->bodies;
        first = 0;
    }
    j->segment = segment;
    j->moved = gz_world_motions(j->search, motions, first, j->count);
    graze_status status = gz_search_begin(j->search, j->moved);
    for (uint32_t i = 0; i < 2 * j->context->threads; i++) gz_frames_forget(&j->frames[i]);
    return status;
}

/* So many pairs have a distance below it at one time: no other needs to be known better. */
static graze_status lower_cut(job *j, double t) {
    gz_gap_list list;
    graze_status status = gz_gap_list_find(&list, j->search, t, j->options.most, INFINITY);
    if (status == GRAZE_OK && list.count == j->options.most)
        j->cut = fmin(j->cut, nextafter(list.gaps[list.count - 1].gap.upper, INFINITY));
    gz_gap_list_close(&list);
    return status;
}

static graze_status find_cut(job *j) {
    graze_status status = GRAZE_OK;
    j->cut = j->options.distance < INFINITY ? nextafter(j->options.distance, INFINITY) : INFINITY;
    for (size_t s = 0; s < j->segments && status == GRAZE_OK && j->options.most; s++) {
        status = begin(j, s);
        for (int k = 0; k <= 4 && status == GRAZE_OK && !gz_cancelled(j->context); k++) status = lower_cut(j, 0.25 * k);
    }
    return status;
}

/* ---- pairs ---- */

static double size_of(const gz_scene *scene, const gz_link_pair *pair) {
    return fmax(gz_scene_at(scene, pair->a)->link->radius, gz_scene_at(scene, pair->b)->link->radius);
}

static bool add_pair(job *j, const gz_link_pair *pair) {
    const gz_scene *scene = &j->search->scene;
    if (!gz_grow(j->context, (void **)&j->pairs, &j->pair_room, j->pair_count + 1, sizeof *j->pairs)) return false;
    bool swap = gz_scene_before(scene, pair->b, pair->a);
    gz_clear_pair made = {.pair = *pair, .lower = INFINITY, .upper = INFINITY};
    made.first = swap ? pair->b : pair->a;
    made.second = swap ? pair->a : pair->b;
    made.tolerance = j->options.tolerance > 0 ? j->options.tolerance : DEFAULT_TOLERANCE * size_of(scene, pair);
    j->pairs[j->pair_count++] = made;
    return true;
}

static graze_status list_pairs(job *j) {
    const gz_scene *scene = &j->search->scene;
    uint32_t still = (uint32_t)scene->still_count, end = (uint32_t)scene->count;
    for (uint32_t a = still; a < end; a++)
        for (uint32_t b = 0; b < end; b++) {
            gz_link_pair pair;
            if ((b >= still && b <= a) || !gz_search_pair(j->search, a, b, &pair)) continue;
            if (!add_pair(j, &pair)) return GRAZE_ERR_OUT_OF_MEMORY;
        }
    return GRAZE_OK;
}

static gz_clear_job part_of(const job *j, uint32_t worker, double begin, double end) {
    return (gz_clear_job){&j->frames[2 * worker], &j->frames[2 * worker + 1], j->segment, begin, end, j->cut,
                          j->options.max_checks};
}

static void add_segment(void *state, size_t begin, size_t end, uint32_t worker) {
    job *j = state;
    gz_clear_job part = part_of(j, worker, 0, 1);
    for (size_t i = begin; i < end; i++) gz_clear_pair_add(&j->pairs[i], &part);
}

static graze_status measure(job *j) {
    graze_status status = GRAZE_OK;
    for (size_t s = 0; s < j->segments && status == GRAZE_OK; s++) {
        status = begin(j, s);
        if (status == GRAZE_OK) gz_parallel(j->context, j->pair_count, 1, add_segment, j);
    }
    return status;
}

/* ---- the list ---- */

/* The order of answers: by distance, then by links. */
typedef struct place {
    double upper;
    uint32_t links[4];
    const gz_clear_pair *pair;
} place;

static int by_distance(const void *a, const void *b) {
    const place *x = a, *y = b;
    if (x->upper != y->upper) return x->upper < y->upper ? -1 : 1;
    for (int k = 0; k < 4; k++)
        if (x->links[k] != y->links[k]) return x->links[k] < y->links[k] ? -1 : 1;
    return 0;
}

static place place_of(const gz_scene *scene, const gz_clear_pair *pair) {
    const gz_scene_link *a = gz_scene_at(scene, pair->first), *b = gz_scene_at(scene, pair->second);
    return (place){pair->upper, {a->model, a->index, b->model, b->index}, pair};
}

/* Those that are to be listed, sorted; of all others the result has a bound. */
static place *sort_pairs(const job *j, size_t *count, graze_clearance_result *result) {
    place *places = gz_allocate_array(j->context, j->pair_count + 1, sizeof *places);
    *count = 0;
    result->lower = INFINITY;
    if (!places) return NULL;
    for (size_t i = 0; i < j->pair_count; i++) {
        result->checks += j->pairs[i].checks;
        if (j->pairs[i].lower < j->cut && j->pairs[i].upper < INFINITY)
            places[(*count)++] = place_of(&j->search->scene, &j->pairs[i]);
        else
            result->lower = fmin(result->lower, j->pairs[i].lower);
    }
    if (*count) qsort(places, *count, sizeof *places, by_distance);
    for (; j->options.most && *count > j->options.most; --*count)
        result->lower = fmin(result->lower, places[*count - 1].pair->lower);
    return places;
}

/* At the time of the least distance found. */
static graze_link_clearance public_pair(gz_frames *frames, const gz_clear_pair *pair) {
    const gz_scene_link *a = gz_scene_at(frames->scene, pair->first), *b = gz_scene_at(frames->scene, pair->second);
    graze_link_clearance made = {.lower = pair->lower, .upper = pair->upper, .time = pair->time};
    made.segment = pair->segment;
    made.body_a = a->model;
    made.link_a = a->index;
    made.body_b = b->model;
    made.link_b = b->index;
    gz_frames_window(frames, pair->time, pair->time);
    gz_listed_gap listed = {pair->first, pair->second, pair->pair, gz_links_gap(frames, &pair->pair, INFINITY)};
    bool swap = pair->first != pair->pair.a;
    made.face_a = swap ? listed.gap.faces.b : listed.gap.faces.a;
    made.face_b = swap ? listed.gap.faces.a : listed.gap.faces.b;
    gz_world_points points = gz_points_in_world(frames, &listed);
    gz_vec3 normal = gz_gap_normal(frames, &listed);
    memcpy(made.point_a, points.a.c, sizeof made.point_a);
    memcpy(made.point_b, points.b.c, sizeof made.point_b);
    memcpy(made.normal, normal.c, sizeof made.normal);
    return made;
}

/* ---- gradients ---- */

/* The part [from, to] of segment s is at least as far apart as another minimum would have to be. */
static bool is_farther(job *j, const gz_clear_pair *pair, size_t s, double from, double to, graze_status *status) {
    if (*status != GRAZE_OK || !(from < to)) return true;
    *status = begin(j, s);
    gz_clear_job part = part_of(j, 0, from, to);
    uint64_t checks = 0;
    double beyond = pair->upper + AS_CLOSE * size_of(&j->search->scene, &pair->pair);
    return *status == GRAZE_OK && gz_clear_pair_is_beyond(pair, &part, beyond, &checks);
}

/* Everywhere but near the time of the minimum, on the segments before and after its own, too. */
static bool is_only_time(job *j, const gz_clear_pair *pair, graze_status *status) {
    bool only = true;
    for (size_t s = 0; s < j->segments && only && *status == GRAZE_OK; s++) {
        double t = pair->time + (double)pair->segment - (double)s, from = t - ANOTHER_TIME, to = t + ANOTHER_TIME;
        only = is_farther(j, pair, s, 0, fmin(1, from), status) && is_farther(j, pair, s, fmax(0, to), 1, status);
    }
    return only;
}

static graze_status derive(job *j, const gz_clear_pair *pair, double *gradient) {
    graze_status status = GRAZE_OK;
    bool only = is_only_time(j, pair, &status);
    for (size_t i = 0; i < j->value_count; i++) gradient[i] = NAN;
    if (status != GRAZE_OK || !only) return status;
    status = begin(j, pair->segment);
    if (status == GRAZE_OK) status = gz_clear_check_gradients(j->search, j->moved);
    if (status != GRAZE_OK) return status;
    memset(j->room, 0, j->value_count * sizeof *j->room);
    gz_clear_values_at(j->search, j->moved, j->first, pair->time, j->room);
    return gz_clear_gradient(j->search, pair, j->first, j->value_count, j->room, gradient, j->room + j->value_count);
}

static graze_status check_gradients(job *j) {
    graze_status status = GRAZE_OK;
    for (size_t s = 0; s < j->segments && status == GRAZE_OK; s++) {
        status = begin(j, s);
        if (status == GRAZE_OK) status = gz_clear_check_gradients(j->search, j->moved);
    }
    return status;
}

/* ---- the answer ---- */

static graze_status write_pairs(job *j, const place *places, size_t count, graze_clearance_result *result) {
    graze_status status = GRAZE_OK;
    if (count == 0) return GRAZE_OK;
    result->pairs = gz_allocate_array(j->context, count, sizeof *result->pairs);
    bool gradients = j->options.gradients && j->value_count;
    if (gradients) result->gradients = gz_allocate_array(j->context, count * j->value_count, sizeof *result->gradients);
    result->pair_count = count;
    if (!result->pairs || (gradients && !result->gradients)) return GRAZE_ERR_OUT_OF_MEMORY;
    for (size_t i = 0; i < count && status == GRAZE_OK; i++) {
        status = begin(j, places[i].pair->segment);
        if (status == GRAZE_OK) result->pairs[i] = public_pair(&j->frames[0], places[i].pair);
        if (status == GRAZE_OK && gradients) status = derive(j, places[i].pair, result->gradients + i * j->value_count);
    }
    return status;
}

static graze_status answer(job *j, graze_clearance_result *result) {
    size_t count;
    place *places = sort_pairs(j, &count, result);
    if (!places) return GRAZE_ERR_OUT_OF_MEMORY;
    result->pairs_tested = j->pair_count;
    result->segments = j->segments;
    result->value_count = j->value_count;
    graze_status status = write_pairs(j, places, count, result);
    gz_release(j->context, places, (j->pair_count + 1) * sizeof *places);
    return status;
}

void graze_clearance_release(graze_context *context, graze_clearance_result *result) {
    if (!result || result->struct_size < RESULT_LEAST) return;
    gz_release(context, result->pairs, result->pair_count * sizeof *result->pairs);
    if (result->gradients)
        gz_release(context, result->gradients, result->pair_count * result->value_count * sizeof *result->gradients);
    result->pairs = NULL;
    result->gradients = NULL;
    result->pair_count = 0;
}

/* ---- memory ---- */

static graze_status open_job(job *j) {
    graze_articulated_options asked = graze_default_articulated_options();
    uint32_t frames = 2 * j->context->threads;
    asked.min_separation = j->options.min_separation;
    j->search = gz_kept_search(j->context);
    j->frames = gz_allocate_array(j->context, frames, sizeof *j->frames);
    j->first = gz_allocate_array(j->context, j->world->body_count, sizeof *j->first);
    for (uint32_t i = 0; j->frames && i < frames; i++) j->frames[i] = (gz_frames){0};
    if (!j->search || !j->frames || !j->first) return GRAZE_ERR_OUT_OF_MEMORY;
    for (size_t m = 0; m < j->world->body_count; m++) {
        j->first[m] = j->value_count;
        j->value_count += j->world->bodies[m]->model.values;
    }
    j->room = gz_allocate_array(j->context, 3 * j->value_count + 1, sizeof *j->room);
    graze_status status =
        j->room ? gz_search_reopen_world(j->search, j->context, j->world, &asked) : GRAZE_ERR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < frames && status == GRAZE_OK; i++)
        status = gz_frames_open(&j->frames[i], &j->search->scene);
    return status;
}

static void close_job(job *j) {
    uint32_t frames = 2 * j->context->threads;
    for (uint32_t i = 0; j->frames && i < frames; i++) gz_frames_close(&j->frames[i]);
    gz_release(j->context, j->frames, frames * sizeof *j->frames);
    gz_release(j->context, j->first, j->world->body_count * sizeof *j->first);
    gz_release(j->context, j->room, (3 * j->value_count + 1) * sizeof *j->room);
    gz_release(j->context, j->pairs, j->pair_room * sizeof *j->pairs);
}

static graze_status run(job *j, graze_clearance_result *result) {
    graze_status status = open_job(j);
    if (status == GRAZE_OK && j->options.gradients) status = check_gradients(j);
    if (status == GRAZE_OK) status = begin(j, 0);
    if (status == GRAZE_OK) status = list_pairs(j);
    if (status == GRAZE_OK) status = find_cut(j);
    if (status == GRAZE_OK) status = measure(j);
    if (status == GRAZE_OK) status = answer(j, result);
    close_job(j);
    if (status != GRAZE_OK) graze_clearance_release(j->context, result);
    return status;
}

/* ---- the calls ---- */

static graze_status run_motions(job *j, gz_pieces written, graze_clearance_result *found) {
    if (j->segments == 0) return gz_fail(j->context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "no segments");
    graze_status status = gz_world_motions_check(j->context, j->world, j->motions, j->count * j->segments, written);
    if (status == GRAZE_OK) status = gz_world_of_models(j->context, j->world, "graze_world_clearance");
    return status == GRAZE_OK ? run(j, found) : status;
}

static size_t body_values(const void *of, size_t body) {
    const graze_world *world = of;
    return graze_model_values(&world->bodies[body]->model);
}

static graze_status open_pieces(job *j) {
    j->bezier = gz_allocate_array(j->context, j->plan->bezier_size, sizeof *j->bezier);
    j->piece = gz_allocate_array(j->context, j->count, sizeof *j->piece);
    j->bodies = gz_allocate_array(j->context, j->count, sizeof *j->bodies);
    j->segments = j->plan->pieces;
    return j->bezier && j->piece && j->bodies ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY;
}

static graze_status run_plan(job *j, const graze_path *paths, gz_pieces written, graze_clearance_result *found) {
    if (!j->world || j->count == 0 || j->count > j->world->body_count)
        return gz_fail(j->context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "no world, no paths, or too many");
    gz_plan plan = {.context = j->context, .bodies = {j->world, j->world->body_count, body_values}, .count = j->count};
    j->plan = &plan;
    graze_status status = gz_world_of_models(j->context, j->world, "graze_world_plan_clearance");
    if (status == GRAZE_OK) status = gz_plan_open(&plan, paths, written);
    if (status == GRAZE_OK) status = open_pieces(j);
    if (status == GRAZE_OK) status = run(j, found);
    gz_release(j->context, j->bezier, plan.bezier_size * sizeof *j->bezier);
    gz_release(j->context, j->piece, j->count * sizeof *j->piece);
    gz_release(j->context, j->bodies, j->count * sizeof *j->bodies);
    gz_plan_close(&plan);
    return status;
}

/* With motions or, where these are NULL, with paths. */
static graze_status solve(job *j, const graze_path *paths, const graze_clearance_options *given,
                          graze_clearance_result *result) {
    if (!result || gz_sized_check(NULL, "clearance result", result, RESULT_LEAST) != GRAZE_OK)
        return GRAZE_ERR_INVALID_ARGUMENT;
    gz_sized_write(result, &closed, sizeof closed);
    if (!j->context) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_fp_environment env;
    graze_status status = gz_context_enter(j->context, &env);
    if (status != GRAZE_OK) return status;
    graze_clearance_result found = graze_default_clearance_result();
    gz_pieces written = gz_bytes_at(result, result->struct_size);
    status = read_options(j->context, given, &j->options);
    if (status == GRAZE_OK) status = paths ? run_plan(j, paths, written, &found) : run_motions(j, written, &found);
    if (status == GRAZE_OK) gz_sized_write(result, &found, sizeof found);
    return gz_context_leave(j->context, &env, status);
}

graze_status graze_world_clearance(graze_context *context, const graze_world *world, const graze_body_motion *motions,
                                   size_t count, size_t segments, const graze_clearance_options *options,
                                   graze_clearance_result *result) {
    job j = {.context = context, .world = world, .motions = motions, .count = count, .segments = segments};
    return solve(&j, NULL, options, result);
}

graze_status graze_world_plan_clearance(graze_context *context, const graze_world *world, const graze_path *paths,
                                        size_t count, const graze_clearance_options *options,
                                        graze_clearance_result *result) {
    static const graze_path none = {0};
    job j = {.context = context, .world = world, .count = paths ? count : 0};
    return solve(&j, paths ? paths : &none, options, result);
}
