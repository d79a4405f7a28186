#include "sim/solver/active.h"

#include "sim/energy/vector.h"

#include "app/app.h"

#include <math.h>
#include <string.h>

/* ---- the active set ---- */

static sim_constraint *find_constraint(const sim_system *system, graze_pair pair) {
    for (size_t i = 0; i < system->constraints.count; i++) {
        graze_pair known = system->constraints.items[i].pair;
        if (known.kind == pair.kind && known.a == pair.a && known.b == pair.b) return &system->constraints.items[i];
    }
    return NULL;
}

/* Normal and contact points by the closest points at the time of the contact, where the method gave none. */
static void look_closer(const sim_stepper *stepper, double toi, sim_constraint *constraint) {
    const sim_world *world = stepper->system.world;
    double x[4][3];
    graze_distance_result d;
    for (int i = 0; i < constraint->rows; i++) {
        uint32_t v = constraint->vertex[i / 3];
        x[i / 3][i % 3] = (1 - toi) * stepper->system.start[v][i % 3] + toi * world->x[v][i % 3];
    }
    graze_distance(constraint->pair.kind, (const double(*)[3])x, &d);
    memcpy(constraint->weight, d.weights, sizeof d.weights);
    for (int c = 0; c < 3; c++) constraint->normal[c] = d.value > 0 ? d.vector[c] / d.value : c == 1;
}

static sim_constraint make_constraint(const sim_stepper *stepper, const graze_pair_result *found, double offset,
                                      double stiffness) {
    const sim_system *system = &stepper->system;
    const graze_result *r = &found->result;
    sim_constraint constraint = {.pair = found->pair, .offset = offset, .stiffness = stiffness};
    graze_stencil stencil;
    graze_pair_stencil(&system->world->mesh, found->pair, r->u, r->v, &stencil);
    constraint.rows = 3 * (int)stencil.count;
    memcpy(constraint.vertex, stencil.vertices, sizeof constraint.vertex);
    memcpy(constraint.weight, stencil.weights, sizeof constraint.weight);
    memcpy(constraint.normal, r->normal, sizeof constraint.normal);
    double length = sim_dot(constraint.normal, constraint.normal);
    if (!(length > 0.5) || !isfinite(r->u + r->v)) look_closer(stepper, r->toi, &constraint);
    return constraint;
}

/* A pair that touches although its constraint is kept has turned: it is looked at anew. */
static bool has_turned(const sim_system *system, const sim_constraint *constraint) {
    double x[4][3];
    sim_gather(system->world->x, constraint->vertex, constraint->rows / 3, x);
    return sim_constraint_gap(constraint, x) >= 0.9 * constraint->offset;
}

/* Adds what touches between the start of the step and the present positions; how many are new or have turned. */
static size_t activate(sim_stepper *stepper, double offset, double stiffness) {
    sim_system *system = &stepper->system;
    graze_pair_result *pairs;
    size_t count, before = system->constraints.count, turned = 0;
    sim_filter_active(&stepper->filter, system->start, system->world->x, offset, &pairs, &count);
    for (size_t i = 0; i < count; i++) {
        sim_constraint made = make_constraint(stepper, &pairs[i], offset, stiffness);
        sim_constraint *known = find_constraint(system, pairs[i].pair);
        if (!known) {
            SIM_PUSH(&system->constraints, made);
        } else if (has_turned(system, known) && pairs[i].result.toi > 0) {
            made.multiplier = known->multiplier;
            *known = made;
            turned++;
        }
    }
    graze_active_set_release(stepper->filter.context, pairs, count);
    return system->constraints.count - before + turned;
}

/* Multipliers become the forces that act; how far any gap is from what it should be. */
static double update_multipliers(sim_system *system) {
    double worst = 0;
    for (size_t i = 0; i < system->constraints.count; i++) {
        sim_constraint *constraint = &system->constraints.items[i];
        double x[4][3];
        sim_gather(system->world->x, constraint->vertex, constraint->rows / 3, x);
        worst = fmax(worst, sim_constraint_update(constraint, x) / constraint->stiffness);
    }
    return worst;
}

/* ---- the step ---- */

static double mean_mass(const sim_world *world) {
    double sum = 0;
    for (size_t i = 0; i < world->count; i++) sum += world->mass[i];
    return sum / (double)world->count;
}

static uint64_t pushing(const sim_system *system) {
    uint64_t count = 0;
    for (size_t i = 0; i < system->constraints.count; i++) count += system->constraints.items[i].multiplier > 0;
    return count;
}

void sim_active_step(sim_stepper *stepper, double offset, sim_report *report) {
    enum { ROUNDS = 30 };
    sim_system *system = &stepper->system;
    double stiffness = 1e4 * mean_mass(system->world), error = INFINITY;
    bool settled = false;
    system->constraints.count = 0;
    sim_stepper_aim(stepper);
    system->by_constraints = true;
    stepper->unfiltered = true;
    for (int round = 0; round < ROUNDS && !settled; round++) {
        bool at_rest = sim_stepper_minimise(stepper, report);
        size_t added = activate(stepper, offset, stiffness);
        error = update_multipliers(system);
        settled = at_rest && added == 0 && error < 0.1 * offset;
    }
    report->unconverged += !settled;
    report->contacts = pushing(system);
    stepper->unfiltered = system->by_constraints = false;
    sim_stepper_arrive(stepper, report);
}
