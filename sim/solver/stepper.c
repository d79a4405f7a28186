#include "sim/solver/stepper.h"

#include "sim/energy/vector.h"

#include "app/app.h"
#include "app/outputs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- stiffness of the barrier ---- */

/* The second derivative of the logarithmic barrier by the squared distance. */
static double barrier_curvature(double square, double reach_square) {
    double part = reach_square / square - 1;
    return 2 * log(reach_square / square) + part * (4 + part);
}

/* A barrier that is stiff enough to hold the mean mass at 1e-8 of the scene's size, and no more than a hundred times
   that. */
static void bound_stiffness(sim_stepper *stepper) {
    const sim_world *world = stepper->system.world;
    double mass = 0, size = world->diagonal * world->diagonal;
    size_t count = 0;
    for (size_t i = 0; i < world->count; i++)
        if (world->role[i] == SIM_FREE) {
            mass += world->mass[i];
            count++;
        }
    double curvature = barrier_curvature(1e-16 * size, world->settings.reach * world->settings.reach);
    stepper->least_stiffness = 1e11 * (count ? mass / (double)count : 1) / (4e-16 * size * curvature);
    stepper->most_stiffness = 100 * stepper->least_stiffness;
}

/* The stiffness at which barrier and everything else balance best at x. */
static void choose_stiffness(sim_stepper *stepper, double (*x)[3]) {
    sim_system *system = &stepper->system;
    size_t n = 3 * system->world->count;
    sim_system_gradient(system, x, SIM_BARRIER);
    double *barrier = app_allocate(n, sizeof *barrier), along = 0, square = 0;
    memcpy(barrier, system->gradient, n * sizeof *barrier);
    sim_system_gradient(system, x, SIM_ALL_BUT_BARRIER);
    for (size_t i = 0; i < n; i++) {
        along -= barrier[i] * system->gradient[i];
        square += barrier[i] * barrier[i];
    }
    free(barrier);
    double best = square > 0 ? along / square : 0;
    system->stiffness = fmin(fmax(best, stepper->least_stiffness), stepper->most_stiffness);
}

/* Doubles it when a pair that is very close comes closer still. */
static void adapt_stiffness(sim_stepper *stepper, double before) {
    sim_system *system = &stepper->system;
    double close = 1e-9 * system->world->diagonal;
    if (before < close * close && system->least_square < before && system->stiffness < stepper->most_stiffness)
        system->stiffness *= 2;
}

/* ---- the step ---- */

void sim_stepper_begin(sim_stepper *stepper, sim_world *world, graze_context *ccd, graze_context *contacts) {
    *stepper = (sim_stepper){0};
    sim_system_begin(&stepper->system, world, contacts);
    sim_filter_begin(&stepper->filter, ccd, world);
    sim_obstacles_begin(&stepper->obstacles, world, ccd);
    stepper->system.obstacles = &stepper->obstacles;
    stepper->trial = app_allocate(world->count, sizeof *stepper->trial);
    stepper->far = app_allocate(world->count, sizeof *stepper->far);
    stepper->factor = app_allocate(world->count, sizeof *stepper->factor);
    bound_stiffness(stepper);
}

void sim_stepper_end(sim_stepper *stepper) {
    sim_system_end(&stepper->system);
    sim_filter_end(&stepper->filter);
    sim_obstacles_end(&stepper->obstacles);
    free(stepper->trial);
    free(stepper->far);
    free(stepper->factor);
}

void sim_stepper_aim(sim_stepper *stepper) {
    sim_system *system = &stepper->system;
    sim_world *world = system->world;
    const sim_settings *s = &world->settings;
    double h = s->time_step;
    memcpy(system->start, world->x, world->count * sizeof *world->x);
    system->pull = 0;
    sim_obstacles_aim(&stepper->obstacles);
    for (uint32_t i = 0; i < world->count; i++) {
        double *to = system->aim[i];
        for (int c = 0; c < 3; c++)
            to[c] = world->x[i][c] + h * (world->v[i][c] + h * (s->gravity[c] - s->attraction * world->x[i][c]));
        if (world->role[i] == SIM_MOVED) sim_world_target(world, i, world->time + h, to);
        if (world->role[i] == SIM_FIXED) memcpy(to, world->x[i], sizeof world->x[i]);
        system->held[i] = world->role[i] == SIM_FIXED ||
                          (world->role[i] == SIM_MOVED && memcmp(to, world->x[i], 3 * sizeof *to) == 0);
        if (world->role[i] == SIM_MOVED && !system->held[i]) system->pull = 1e6;
    }
}

/* Positions become those of the trial. */
static void take_trial(sim_stepper *stepper) {
    sim_world *world = stepper->system.world;
    if (stepper->proof) sim_proof_move(stepper->proof, world->x, stepper->trial);
    double(*old)[3] = world->x;
    world->x = stepper->trial;
    stepper->trial = old;
    sim_obstacles_accept(&stepper->obstacles);
}

/* Rest of the way of the moved vertices, as a part of the whole. */
static double way_left(const sim_system *system) {
    const sim_world *world = system->world;
    double left = 0, whole = 0;
    for (size_t i = 0; i < world->count; i++) {
        double d[3];
        if (world->role[i] != SIM_MOVED) continue;
        sim_minus(system->aim[i], world->x[i], d);
        left += sim_dot(d, d);
        sim_minus(system->aim[i], system->start[i], d);
        whole += sim_dot(d, d);
    }
    return whole > 0 ? sqrt(left / whole) : 0;
}

/* Takes obstacles the rest of their ways, where nothing is in it. */
static void finish_obstacles(sim_stepper *stepper) {
    sim_world *world = stepper->system.world;
    if (!sim_obstacles_finish(&stepper->obstacles, world->x, stepper->trial)) return;
    if (!stepper->unfiltered && !sim_filter_proves(&stepper->filter, world->x, stepper->trial)) return;
    take_trial(stepper);
}

/* Moved vertices that have all but arrived are held where they are, and whole obstacles where they belong; if they came
   to rest before, they are pulled harder. */
static void lead_obstacles(sim_stepper *stepper, bool at_rest) {
    sim_system *system = &stepper->system;
    if (system->pull == 0) return;
    if (way_left(system) < 1e-3) {
        system->pull = 0;
        for (size_t i = 0; i < system->world->count; i++) system->held[i] |= system->world->role[i] == SIM_MOVED;
        finish_obstacles(stepper);
    } else if (at_rest) {
        system->pull *= 4;
    }
}

/* ---- Newton's method ---- */

static double largest_speed(const sim_system *system) {
    double most = 0;
    for (size_t i = 0; i < 3 * system->world->count; i++) most = fmax(most, fabs(system->direction[i]));
    return most / system->world->settings.time_step;
}

static void go(sim_stepper *stepper, double (*x0)[3], const double *factor, double part, double (*out)[3]) {
    const sim_world *world = stepper->system.world;
    const double *direction = stepper->system.direction;
    for (size_t i = 0; i < world->count; i++)
        for (int c = 0; c < 3; c++) {
            double way = (factor ? factor[i] : 1) * part;
            out[i][c] = way == 0 ? x0[i][c] : x0[i][c] + way * direction[3 * i + c];
        }
    sim_obstacles_go(&stepper->obstacles, x0, factor, part, out);
}

/* Goes as far as the filter allows, or less until the energy is lower than `before` and the motion as rounded is proven
   free. False when no step is, after so many halvings. */
static bool try_steps(sim_stepper *stepper, double before, int halvings) {
    sim_system *system = &stepper->system;
    sim_world *world = system->world;
    double part = 1;
    for (int i = 0; i < halvings; i++, part /= 2) {
        go(stepper, world->x, stepper->factor, part, stepper->trial);
        if (!(sim_system_energy(system, stepper->trial) < before)) continue;
        if (!stepper->unfiltered && !sim_filter_proves(&stepper->filter, world->x, stepper->trial)) continue;
        take_trial(stepper);
        return true;
    }
    return false;
}

/* Steps of different lengths may lead uphill however short they are; one length for all does not. */
static bool descend(sim_stepper *stepper) {
    enum { FEW = 3, MANY = 40 };
    sim_system *system = &stepper->system;
    sim_filter *filter = &stepper->filter;
    double(*x)[3] = system->world->x, before = sim_system_energy(system, x);
    go(stepper, x, NULL, 1, stepper->far);
    if (stepper->unfiltered) {
        for (size_t i = 0; i < system->world->count; i++) stepper->factor[i] = 1;
        return try_steps(stepper, before, MANY);
    }
    sim_filter_step(filter, x, stepper->far, stepper->factor);
    if (filter->kind != SIM_FILTER_VERTEX) return try_steps(stepper, before, MANY);
    if (try_steps(stepper, before, FEW)) return true;
    filter->kind = SIM_FILTER_GLOBAL;
    sim_filter_step(filter, x, stepper->far, stepper->factor);
    filter->kind = SIM_FILTER_VERTEX;
    return try_steps(stepper, before, MANY);
}

/* Friction is stiff where things stick: Newton's first steps are short there, however far it is to where they end. So a
   step that is no longer than the tolerance says nothing until what slides has settled too, to a small part of the
   speed over which friction grows. */
static bool is_at_rest(const sim_system *system, double speed) {
    const sim_settings *s = &system->world->settings;
    return speed < s->tolerance && sim_system_slide(system) < 0.05 * s->slip;
}

bool sim_stepper_minimise(sim_stepper *stepper, sim_report *report) {
    sim_system *system = &stepper->system;
    const sim_settings *s = &system->world->settings;
    double before = INFINITY;
    for (uint32_t i = 0; i < s->max_iterations && !app_is_stopped(); i++) {
        sim_system_newton(system, system->world->x);
        report->iterations++;
        adapt_stiffness(stepper, before);
        before = system->least_square;
        double speed = largest_speed(system);
        bool at_rest = i > 0 && is_at_rest(system, speed); /* a slow start is a start */
        if (at_rest && system->pull == 0) return true;
        bool moved = descend(stepper);
        if (!moved && system->pull == 0) return speed < 10 * s->tolerance;
        lead_obstacles(stepper, at_rest || !moved);
    }
    return false;
}

/* Begins where the velocities lead, if the energy is lower there: what slides goes on sliding, and Newton's method need
   not find its way out of sticking again. */
static void glide(sim_stepper *stepper) {
    enum { FEW = 2 };
    sim_system *system = &stepper->system;
    const sim_world *world = system->world;
    if (system->frictions.count == 0) return;
    for (size_t i = 0; i < world->count; i++)
        for (int c = 0; c < 3; c++)
            system->direction[3 * i + c] = system->held[i] ? 0 : world->settings.time_step * world->v[i][c];
    sim_obstacles_rest(&stepper->obstacles);
    double before = sim_system_energy(system, world->x);
    go(stepper, world->x, NULL, 1, stepper->far);
    sim_filter_step(&stepper->filter, world->x, stepper->far, stepper->factor);
    try_steps(stepper, before, FEW);
}

/* With the normal forces and tangents of the start, then with those that came of it, until they hardly change; returns
   whether it came to rest. */
static bool settle(sim_stepper *stepper, sim_report *report) {
    enum { ROUNDS = 4 };
    sim_system *system = &stepper->system;
    glide(stepper);
    bool at_rest = sim_stepper_minimise(stepper, report);
    for (int round = 1; round < ROUNDS && at_rest && sim_system_lag_friction(system, system->world->x) > 0.1; round++)
        at_rest = sim_stepper_minimise(stepper, report);
    return at_rest;
}

void sim_stepper_arrive(sim_stepper *stepper, sim_report *report) {
    sim_system *system = &stepper->system;
    sim_world *world = system->world;
    report->late += system->pull > 0;
    for (size_t i = 0; i < world->count; i++)
        for (int c = 0; c < 3; c++) world->v[i][c] = (world->x[i][c] - system->start[i][c]) / world->settings.time_step;
    world->time += world->settings.time_step;
}

void sim_stepper_step(sim_stepper *stepper, sim_report *report) {
    sim_system *system = &stepper->system;
    sim_world *world = system->world;
    sim_stepper_aim(stepper);
    choose_stiffness(stepper, world->x);
    sim_system_lag_friction(system, world->x);
    lead_obstacles(stepper, false);
    report->unconverged += !settle(stepper, report);
    report->contacts = system->active;
    if (system->least_square < report->closest * report->closest) report->closest = sqrt(system->least_square);
    sim_stepper_arrive(stepper, report);
}
