#include "sim/solver/filter.h"

#include "sim/energy/term.h"

#include "app/app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of each pair's start distance, what has to be left. */
static const double kept_distance = 0.2;
/* Of the way to the first contact, what is taken when no separation can be kept. */
static const double kept_way = 0.8;

bool sim_filter_find(const char *name, sim_filter_kind *kind) {
    static const char *const names[] = {"global", "relative", "vertex"};
    for (int i = 0; i < 3; i++)
        if (strcmp(name, names[i]) == 0) {
            *kind = (sim_filter_kind)i;
            return true;
        }
    return false;
}

void sim_filter_begin(sim_filter *filter, graze_context *context, const sim_world *world) {
    *filter = (sim_filter){.context = context, .world = world, .narrow = graze_default_options(), .separates = true};
    filter->vertex_toi = app_allocate(world->count, sizeof *filter->vertex_toi);
}

void sim_filter_method(sim_filter *filter, graze_method method, double tolerance) {
    const graze_method_info *info = graze_method_get(method);
    const graze_query apart = {{{0, 0, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                               {{0, 0, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    graze_result result;
    if (!info->gives_toi) app_fail("sim: --method: %s gives no time of impact", info->name);
    filter->narrow.method = method;
    filter->narrow.tolerance = tolerance;
    graze_options options = filter->narrow;
    options.min_separation = 0x1p-10;
    filter->separates = graze_ccd(GRAZE_VF, &apart, &options, &result) == GRAZE_OK;
}

void sim_filter_end(sim_filter *filter) {
    free(filter->vertex_toi);
    *filter = (sim_filter){0};
}

static graze_step_options step_options(const sim_filter *filter) {
    graze_step_options options = graze_default_step_options();
    options.narrow = &filter->narrow;
    options.broad = filter->broad;
    return options;
}

static void check(const sim_filter *filter, graze_status status) {
    if (status != GRAZE_OK) app_fail_status(status, filter->context, "sim: collision detection");
}

/* ---- one step length ---- */

typedef const double (*points)[3]; /* as the library takes them */

static graze_step_result first_contact(sim_filter *filter, double (*x0)[3], double (*x1)[3], double relative) {
    graze_step_options options = step_options(filter);
    options.relative_separation = relative;
    graze_step_result result = graze_default_step_result();
    check(filter, graze_step(filter->context, &filter->world->mesh, (points)x0, (points)x1, &options, &result));
    return result;
}

/* For a method that knows no separation: a part of the way to the first contact that it finds. */
static double bare_step(sim_filter *filter, double (*x0)[3], double (*x1)[3]) {
    graze_step_result result = first_contact(filter, x0, x1, 0);
    return result.verdict == GRAZE_CLEAR ? 1 : graze_step_back(result.toi, 1 - kept_way);
}

static double global_step(sim_filter *filter, double (*x0)[3], double (*x1)[3]) {
    if (!filter->separates) return bare_step(filter, x0, x1);
    graze_step_options step = step_options(filter);
    graze_line_search_options options = graze_default_line_search_options();
    graze_line_search_result result = graze_default_line_search_result();
    options.step = &step;
    check(filter, graze_line_search(filter->context, &filter->world->mesh, (points)x0, (points)x1, NULL, NULL, &options,
                                    &result));
    return result.alpha;
}

/* Every pair keeps a part of its own start distance; where that is no step at all, a part of the way to contact is
   gone. */
static double relative_step(sim_filter *filter, double (*x0)[3], double (*x1)[3]) {
    if (!filter->separates) return bare_step(filter, x0, x1);
    graze_step_result result = first_contact(filter, x0, x1, kept_distance);
    return result.verdict == GRAZE_CLEAR || result.toi > 0 ? result.toi : bare_step(filter, x0, x1);
}

/* ---- one for each vertex ---- */

static double vertex_steps(sim_filter *filter, double (*x0)[3], double (*x1)[3], double *factor) {
    graze_step_options options = step_options(filter);
    graze_step_result result = graze_default_step_result();
    double least = 1;
    options.mode = GRAZE_STEP_VERTICES;
    options.vertex_toi = filter->vertex_toi;
    check(filter, graze_step(filter->context, &filter->world->mesh, (points)x0, (points)x1, &options, &result));
    for (size_t i = 0; i < filter->world->outside; i++) {
        double toi = filter->vertex_toi[i];
        factor[i] = toi < 1 ? graze_step_back(toi, 1 - kept_way) : 1;
        least = fmin(least, factor[i]);
    }
    graze_step_release(filter->context, &result);
    return least;
}

/* ---- the door ---- */

static void record(const sim_filter *filter, double (*x0)[3], double (*x1)[3]) {
    if (!filter->record) return;
    size_t n = filter->world->outside;
    if (fwrite(x0, sizeof *x0, n, filter->record) != n || fwrite(x1, sizeof *x1, n, filter->record) != n)
        app_fail("sim: cannot write the record of the calls");
}

double sim_filter_step(sim_filter *filter, double (*x0)[3], double (*x1)[3], double *factor) {
    double least, began = app_seconds();
    for (size_t i = 0; i < filter->world->count; i++) factor[i] = 1;
    if (filter->kind == SIM_FILTER_VERTEX) {
        least = vertex_steps(filter, x0, x1, factor);
    } else {
        least = filter->kind == SIM_FILTER_GLOBAL ? global_step(filter, x0, x1) : relative_step(filter, x0, x1);
        for (size_t i = 0; i < filter->world->count; i++) factor[i] = least;
    }
    filter->seconds += app_seconds() - began;
    filter->calls++;
    filter->zero += least == 0;
    record(filter, x0, x1);
    return least;
}

void sim_filter_active(sim_filter *filter, double (*x0)[3], double (*x1)[3], double separation,
                       graze_pair_result **pairs, size_t *count) {
    graze_options narrow = filter->narrow;
    graze_step_options options = step_options(filter);
    double began = app_seconds();
    if (filter->separates) narrow.min_separation = separation;
    options.narrow = &narrow;
    check(filter,
          graze_active_set(filter->context, &filter->world->mesh, (points)x0, (points)x1, &options, pairs, count));
    filter->seconds += app_seconds() - began;
    filter->calls++;
    record(filter, x0, x1);
}

bool sim_filter_proves(sim_filter *filter, double (*x0)[3], double (*x)[3]) {
    double began = app_seconds();
    graze_step_result result = first_contact(filter, x0, x, 0);
    filter->seconds += app_seconds() - began;
    return result.verdict == GRAZE_CLEAR;
}
