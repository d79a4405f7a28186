/* Algorithms built on steps: the active set and the line search of Tight Inclusion's paper (Algorithms 3 and 4). */
#include "base/sizes.h"
#include "step/kept_pairs.h"
#include "step/least_distance.h"
#include "step/step.h"
#include "step/step_to.h"

#include <string.h>

double graze_step_back(double toi, double fraction) {
    if (!(toi > 0) || isnan(fraction)) return 0;
    if (fraction < 0) fraction = 0;
    if (fraction > 1) fraction = 1;
    double kept = toi * (1 - fraction);
    double below = nextafter(toi, 0);
    return kept < below ? kept : below;
}

/* ---- active set ---- */

graze_status graze_active_set(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                              const double (*x1)[3], const graze_step_options *options, graze_pair_result **pairs,
                              size_t *count) {
    if (pairs) *pairs = NULL;
    if (count) *count = 0;
    if (!context || !pairs || !count) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_fp_environment env;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    graze_step_options all;
    graze_step_result result = graze_default_step_result();
    status = gz_step_options_read(context, options, &all);
    if (status == GRAZE_OK) status = gz_step_on_host(context, &all);
    all.mode = GRAZE_STEP_ALL;
    if (status == GRAZE_OK) status = gz_step_run(context, mesh, x0, x1, &all, &result);
    /* there is no verdict to say it in, and a part of the set would hide contacts */
    if (status == GRAZE_OK && atomic_load(&context->cancelled))
        status = gz_fail(context, GRAZE_ERR_CANCELLED, UINT64_MAX, "cancelled, or past the deadline");
    if (status == GRAZE_OK) {
        *pairs = result.pairs;
        *count = result.pair_count;
    } else {
        graze_step_release(context, &result);
    }
    return gz_context_leave(context, &env, status);
}

void graze_active_set_release(graze_context *context, graze_pair_result *pairs, size_t count) {
    (void)count;
    gz_pairs_release(context, pairs);
}

/* ---- line search ---- */

static const graze_line_search_options search_defaults = {
    .separation_fraction = 0.2,
    .tolerance = 1e-6,
    .shrink = 0.5,
    .max_steps = 60,
};
static const graze_line_search_result no_step = {0};
#define OPTIONS_LEAST GZ_SIZE_UP_TO(graze_line_search_options, max_steps)
#define RESULT_LEAST GZ_SIZE_UP_TO(graze_line_search_result, has_pair)

void graze_init_line_search_options(graze_line_search_options *options, size_t size) {
    gz_sized_init(options, size, &search_defaults, sizeof search_defaults);
}

void graze_init_line_search_result(graze_line_search_result *result, size_t size) {
    gz_sized_init(result, size, &no_step, sizeof no_step);
}

/* The part kept of the way to the first contact when a separation cannot be (seed of the zero-toi strategy: 0.8). */
#define KEPT_WITHOUT_SEPARATION 0.8

/* The separation to ask for (lines 5 to 10 of Algorithm 4): max(p·d, δ) for the least start distance d, p halved until
   what is left of d covers the tolerance of the narrow phase and the error of the distance. 0 when nothing does. */
static double valid_separation(double distance, double fraction, double tolerance, double slack) {
    if (isinf(distance)) return 0;
    double separation = fmax(fraction * distance, tolerance);
    for (int i = 0; i < 60 && !(distance - separation > slack); i++) {
        fraction /= 2;
        separation = fraction * distance;
    }
    return distance - separation > slack ? separation : 0;
}

static graze_status find_separation(gz_step_call *call, const graze_line_search_options *options, double *separation,
                                    double *least) {
    double own = call->question.separation;
    gz_nearest nearest;
    graze_status status = gz_find_nearest(call, own, INFINITY, &nearest);
    if (status != GRAZE_OK) return status;
    /* closest points in plain floating point err by a few u of the coordinates; 2^-40 is generous */
    double slack = call->narrow.tolerance + 0x1p-40 * gz_largest_start(call);
    double wanted = valid_separation(nearest.least - own, options->separation_fraction, options->tolerance, slack);
    /* growing the boxes brings in pairs that were no candidates before, perhaps closer ones */
    if (wanted > 0) {
        status = gz_find_nearest_again(call, own + wanted, &nearest);
        wanted = valid_separation(nearest.least - own, options->separation_fraction, fmin(options->tolerance, wanted),
                                  slack);
    }
    *separation = own + wanted;
    *least = nearest.least;
    return status;
}

static bool search_options_valid(const graze_line_search_options *o) {
    return o->separation_fraction > 0 && o->separation_fraction < 1 && o->tolerance >= 0 &&
           o->tolerance <= GRAZE_MAX_COORDINATE && o->shrink > 0 && o->shrink < 1;
}

/* The largest step that leaves the separation, and the pair that limits it. */
static graze_status free_step(gz_step_call *call, const double (*x0)[3], const double (*x1)[3],
                              const graze_line_search_options *options, graze_line_search_result *result) {
    double own = call->question.separation, separation;
    graze_status status = find_separation(call, options, &separation, &result->distance);
    if (status != GRAZE_OK) return status;
    graze_options narrow = call->narrow;
    graze_step_options step = call->options;
    graze_step_result found;
    narrow.min_separation = separation;
    step.narrow = &narrow;
    step.mode = GRAZE_STEP_EARLIEST;
    status = gz_step_run(call->context, call->mesh, x0, x1, &step, &found);
    if (status != GRAZE_OK) return status;
    result->alpha_free = found.toi;
    if ((found.toi == 0 || separation == own) && found.verdict != GRAZE_CLEAR) {
        narrow.min_separation = own;
        status = gz_step_run(call->context, call->mesh, x0, x1, &step, &found);
        if (status != GRAZE_OK) return status;
        result->alpha_free =
            found.verdict == GRAZE_CLEAR ? found.toi : graze_step_back(found.toi, 1 - KEPT_WITHOUT_SEPARATION);
    }
    result->has_pair = found.has_pair;
    if (found.has_pair) result->limiting = found.limiting.pair;
    return GRAZE_OK;
}

/* Positions under trial: as the step wants them, and as the energy does. */
typedef struct trial {
    char *x;
    double (*packed)[3];
} trial;

static bool open_trial(const gz_step_call *call, double (*given)[3], trial *t) {
    size_t count = call->mesh->vertex_count, stride = call->positions.stride, packed = sizeof *t->packed;
    char *room = gz_reserve(call->context, call->workspace, GZ_SLOT_TRIAL_POSITIONS, count, stride + packed);
    if (!room) return false;
    t->x = given ? (char *)given : room + count * packed;
    t->packed = stride == packed ? (double(*)[3])(void *)t->x : (double(*)[3])(void *)room;
    return true;
}

static void move_to(const gz_step_call *call, const trial *t, double alpha) {
    gz_positions_between(&call->positions, call->mesh->vertex_count, alpha, t->x, call->positions.stride);
    for (uint32_t v = 0; (char *)t->packed != t->x && v < call->mesh->vertex_count; v++)
        memcpy(t->packed[v], t->x + call->positions.stride * v, sizeof t->packed[v]);
}

/* A search without an energy counts as one that is always lower: NaN. */
static graze_status ask_energy(const gz_step_call *call, graze_energy *energy, void *user, const trial *t,
                               graze_line_search_result *result, double *value) {
    *value = NAN;
    if (!energy) return GRAZE_OK;
    *value = energy(user, (const double(*)[3])t->packed);
    result->energy_calls++;
    if (*value != -INFINITY) return GRAZE_OK;
    return gz_fail(call->context, GRAZE_ERR_CALLBACK, UINT64_MAX, "the energy could not be computed: it is -infinity");
}

/* Lines 20 to 25: shorter steps until the energy is lower than at the start, and the motion to the rounded positions is
   proven free. */
static graze_status backtrack(const gz_step_call *call, graze_energy *energy, void *user,
                              const graze_line_search_options *options, graze_line_search_result *result) {
    trial t;
    if (!open_trial(call, options->x, &t)) return GRAZE_ERR_OUT_OF_MEMORY;
    move_to(call, &t, 0);
    double start, value, alpha = result->alpha_free;
    graze_status status = ask_energy(call, energy, user, &t, result, &start);
    if (status != GRAZE_OK) return status;
    result->energy = start;
    for (uint32_t step = 0; step <= options->max_steps && alpha > 0; step++, alpha *= options->shrink) {
        bool clear;
        move_to(call, &t, alpha);
        status = ask_energy(call, energy, user, &t, result, &value);
        if (status != GRAZE_OK) return status;
        if (energy && !(isfinite(value) && value < start)) continue;
        status = gz_step_is_clear(call, (const double(*)[3])(void *)t.x, &clear);
        if (status != GRAZE_OK) return status;
        if (!clear) continue;
        result->alpha = alpha;
        result->energy = value;
        return GRAZE_OK;
    }
    move_to(call, &t, 0);
    return GRAZE_OK;
}

static graze_status line_search(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                                const double (*x1)[3], graze_energy *energy, void *user,
                                const graze_line_search_options *given, graze_line_search_result *result) {
    graze_line_search_options options = search_defaults;
    graze_status status = GRAZE_OK;
    if (given) status = gz_sized_read(context, "line search options", &options, sizeof options, OPTIONS_LEAST, given);
    if (status != GRAZE_OK) return status;
    if (!search_options_valid(&options))
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX,
                       "line search options: a fraction is not in (0, 1), or the tolerance is negative or not finite");
    gz_step_call call;
    status = gz_step_open_whole(context, mesh, x0, x1, options.step, &call);
    if (status == GRAZE_OK && call.options.relative_separation > 0)
        status = gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX,
                         "relative_separation: a line search keeps a distance of its own (separation_fraction)");
    if (status == GRAZE_OK) status = gz_step_check_target(&call, "x", (const double(*)[3])options.x);
    if (status == GRAZE_OK) status = free_step(&call, x0, x1, &options, result);
    if (status != GRAZE_OK) return status;
    return backtrack(&call, energy, user, &options, result);
}

graze_status graze_line_search(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                               const double (*x1)[3], graze_energy *energy, void *user,
                               const graze_line_search_options *options, graze_line_search_result *result) {
    if (!result || gz_sized_check(NULL, "line search result", result, RESULT_LEAST) != GRAZE_OK)
        return GRAZE_ERR_INVALID_ARGUMENT;
    gz_sized_write(result, &no_step, sizeof no_step);
    if (!context) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_fp_environment env;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    graze_line_search_result found = no_step;
    status = line_search(context, mesh, x0, x1, energy, user, options, &found);
    if (status == GRAZE_OK) gz_sized_write(result, &found, sizeof found);
    return gz_context_leave(context, &env, status);
}
