#include "sim/solver/system.h"

#include "sim/energy/vector.h"

#include "app/app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void sim_system_begin(sim_system *system, sim_world *world, graze_context *context) {
    size_t n = world->count;
    *system = (sim_system){.world = world, .context = context, .factor = sim_factor_new()};
    system->contacts = graze_default_contact_list();
    system->start = app_allocate(n, sizeof *system->start);
    system->aim = app_allocate(n, sizeof *system->aim);
    system->contacts_at = app_allocate(n, sizeof *system->contacts_at);
    system->held = app_allocate(n, sizeof *system->held);
    system->rubbed = app_allocate(n, sizeof *system->rubbed);
    system->rubbed_before = app_allocate(n, sizeof *system->rubbed_before);
    system->gradient = app_allocate(3 * n, sizeof *system->gradient);
    system->direction = app_allocate(3 * n, sizeof *system->direction);
}

void sim_system_end(sim_system *system) {
    sim_factor_free(system->factor);
    graze_contacts_release(system->context, &system->contacts);
    void *all[] = {system->start,           system->aim,
                   system->contacts_at,     system->held,
                   system->rubbed,          system->rubbed_before,
                   system->gradient,        system->direction,
                   system->frictions.items, system->constraints.items,
                   system->slots,           system->triplets.row,
                   system->triplets.column, system->triplets.value};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    *system = (sim_system){0};
}

/* ---- contacts ---- */

/* The contacts within reach at x. */
static void find_contacts(sim_system *system, double (*x)[3]) {
    sim_world *world = system->world;
    size_t bytes = world->count * sizeof *x;
    if (system->by_constraints) graze_contacts_release(system->context, &system->contacts);
    if (system->by_constraints || (system->contacts_known && memcmp(x, system->contacts_at, bytes) == 0)) return;
    graze_proximity_result near = graze_default_proximity_result();
    const double(*at)[3] = (const double(*)[3])x, (*rest)[3] = (const double(*)[3])world->rest;
    graze_contacts_release(system->context, &system->contacts);
    graze_status status = graze_proximity(system->context, &world->mesh, at, world->settings.reach, NULL, &near);
    if (status == GRAZE_OK)
        status = graze_contacts_make(system->context, near.pairs, near.pair_count, rest, at, world->mesh.vertex_count,
                                     0, &system->contacts);
    if (status != GRAZE_OK) app_fail_status(status, system->context, "sim");
    system->near = near.pair_count;
    system->nearest = INFINITY;
    for (size_t i = 0; i < near.pair_count; i++) system->nearest = fmin(system->nearest, near.pairs[i].distance.value);
    graze_proximity_release(system->context, &near);
    memcpy(system->contacts_at, x, bytes);
    system->contacts_known = true;
}

static graze_potential_options potential_of(const sim_world *world) {
    graze_potential_options options = graze_default_potential_options();
    options.distance = world->settings.reach;
    options.slip = world->settings.slip * world->settings.time_step;
    return options;
}

/* ---- friction ---- */

static void take_frictions(sim_system *system, double (*x)[3]) {
    const sim_settings *s = &system->world->settings;
    system->frictions.count = 0;
    if (!(s->friction > 0)) return;
    find_contacts(system, x);
    graze_potential_options options = potential_of(system->world);
    options.stiffness = system->stiffness;
    for (size_t i = 0; i < system->contacts.count; i++) {
        const graze_contact *contact = &system->contacts.contacts[i];
        double at[4][3];
        graze_friction friction;
        sim_gather(x, contact->vertices, sim_rows(contact->kind), at);
        graze_friction_make(contact, (const double(*)[3])at, &options, s->friction, &friction);
        if (friction.force > 0) SIM_PUSH(&system->frictions, friction);
    }
}

static void share_forces(sim_system *system) {
    double *shares = system->rubbed_before;
    system->rubbed_before = system->rubbed;
    system->rubbed = shares;
    memset(shares, 0, system->world->count * sizeof *shares);
    for (size_t i = 0; i < system->frictions.count; i++) {
        const graze_friction *friction = &system->frictions.items[i];
        for (int k = 0; k < sim_rows(friction->kind); k++)
            shares[friction->vertices[k]] += fabs(friction->weights[k]) * friction->force;
    }
}

double sim_system_lag_friction(sim_system *system, double (*x)[3]) {
    double change = 0, all = 0;
    take_frictions(system, x);
    share_forces(system);
    for (size_t i = 0; i < system->world->count; i++) {
        change += fabs(system->rubbed[i] - system->rubbed_before[i]);
        all += fmax(system->rubbed[i], system->rubbed_before[i]);
    }
    return all > 0 ? change / all : 0;
}

static double slide(const sim_system *system, const graze_friction *friction) {
    double motion[3] = {0};
    for (int i = 0; i < 3 * sim_rows(friction->kind); i++)
        motion[i % 3] += friction->weights[i / 3] * system->direction[3 * friction->vertices[i / 3] + i % 3];
    return hypot(sim_dot(friction->tangents[0], motion), sim_dot(friction->tangents[1], motion));
}

double sim_system_slide(const sim_system *system) {
    double most = 0;
    for (size_t i = 0; i < system->frictions.count; i++) most = fmax(most, slide(system, &system->frictions.items[i]));
    return most / system->world->settings.time_step;
}

/* ---- terms ---- */

/* The terms are numbered: elements, hinges, strings, constraints, friction, contacts. */
typedef struct terms {
    sim_system *system;
    double (*x)[3];
    sim_order order;
    graze_potential_options potential;
    size_t first_hinge, first_string, first_constraint, first_friction, first_contact, count;
} terms;

static terms list_terms(sim_system *system, double (*x)[3], sim_order order) {
    const sim_world *world = system->world;
    terms t = {.system = system, .x = x, .order = order, .potential = potential_of(world)};
    t.first_hinge = world->elements.count;
    t.first_string = t.first_hinge + world->hinges.count;
    t.first_constraint = t.first_string + world->strings.count;
    t.first_friction = t.first_constraint + system->constraints.count;
    t.first_contact = t.first_friction + system->frictions.count;
    t.count = t.first_contact + system->contacts.count;
    return t;
}

/* Evaluates term i, tells what to multiply it by, and returns its vertices. */
static const uint32_t *evaluate(const terms *t, size_t i, sim_term *term, double *factor) {
    const sim_system *system = t->system;
    const sim_world *world = system->world;
    const sim_settings *s = &world->settings;
    double x[4][3], h2 = s->time_step * s->time_step;
    *factor = h2;
    if (i < t->first_hinge) {
        const sim_element *e = &world->elements.items[i];
        sim_gather(t->x, e->vertex, e->dimension + 1, x);
        sim_element_term(e, x, t->order, term);
        return e->vertex;
    }
    if (i < t->first_string) {
        const sim_hinge *hinge = &world->hinges.items[i - t->first_hinge];
        sim_gather(t->x, hinge->vertex, 4, x);
        sim_hinge_term(hinge, x, t->order, term);
        return hinge->vertex;
    }
    if (i < t->first_constraint) {
        const sim_string *string = &world->strings.items[i - t->first_string];
        sim_gather(t->x, string->vertex, 2, x);
        sim_string_term(string, x, t->order, term);
        return string->vertex;
    }
    if (i < t->first_friction) {
        const sim_constraint *constraint = &system->constraints.items[i - t->first_constraint];
        sim_gather(t->x, constraint->vertex, constraint->rows / 3, x);
        sim_constraint_term(constraint, x, t->order, term);
        *factor = 1;
        return constraint->vertex;
    }
    if (i < t->first_contact) {
        const graze_friction *friction = &system->frictions.items[i - t->first_friction];
        double x0[4][3];
        int rows = sim_rows(friction->kind);
        sim_gather(t->x, friction->vertices, rows, x);
        sim_gather(system->start, friction->vertices, rows, x0);
        graze_friction_term(friction, (const double(*)[3])x0, (const double(*)[3])x, &t->potential, t->order, term);
        *factor = 1;
        return friction->vertices;
    }
    const graze_contact *contact = &system->contacts.contacts[i - t->first_contact];
    sim_gather(t->x, contact->vertices, sim_rows(contact->kind), x);
    graze_contact_term(contact, (const double(*)[3])x, &t->potential, t->order, term);
    *factor = system->stiffness;
    return contact->vertices;
}

enum { TRIANGLE = SIM_TERM * (SIM_TERM + 1) / 2, BLOCK = 64, WORTH_THREADS = 64 };

/* Unknown that coordinate c of a vertex is, and how far that one moves it. */
static int unknown_of(const sim_system *system, uint32_t vertex, int c, double *slope) {
    const sim_obstacles *o = system->obstacles;
    uint32_t owner = o ? o->owner[vertex] : SIM_NO_OBSTACLE;
    *slope = owner == SIM_NO_OBSTACLE ? 1 : o->slope[vertex][c];
    return owner == SIM_NO_OBSTACLE ? 3 * (int)vertex + c : 3 * (int)o->list.items[owner].vertices[0];
}

/* The lower triangle of a term, at its own place; what is held or not there becomes a zero at (0, 0). Two coordinates
   of one unknown meet twice. */
static void put_triplets(const terms *t, size_t i, const sim_term *term, double factor, const uint32_t *vertex) {
    sim_triplets *out = &t->system->triplets;
    const bool *held = t->system->held;
    size_t at = i * TRIANGLE;
    memset(&out->row[at], 0, TRIANGLE * sizeof *out->row);
    memset(&out->column[at], 0, TRIANGLE * sizeof *out->column);
    memset(&out->value[at], 0, TRIANGLE * sizeof *out->value);
    for (int r = 0; r < term->rows; r++)
        for (int c = 0; c <= r; c++) {
            uint32_t a = vertex[r / 3], b = vertex[c / 3];
            double slope_a, slope_b;
            int row = unknown_of(t->system, a, r % 3, &slope_a), column = unknown_of(t->system, b, c % 3, &slope_b);
            if (held[a] || held[b]) continue;
            out->row[at] = row > column ? row : column;
            out->column[at] = row > column ? column : row;
            out->value[at++] = factor * term->hessian[r][c] * slope_a * slope_b * (row == column && r != c ? 2 : 1);
        }
}

static void evaluate_block(void *state, size_t block) {
    const terms *t = state;
    sim_system *system = t->system;
    size_t end = (block + 1) * BLOCK < t->count ? (block + 1) * BLOCK : t->count;
    for (size_t i = block * BLOCK; i < end; i++) {
        sim_term term;
        double factor;
        const uint32_t *vertex = evaluate(t, i, &term, &factor);
        sim_slot *slot = &system->slots[i];
        *slot = (sim_slot){.value = factor * term.value, .vertex = vertex, .rows = term.rows};
        for (int k = 0; k < term.rows; k++) slot->slope[k] = factor * term.gradient[k];
        if (t->order >= GRAZE_ORDER_HESSIAN) put_triplets(t, i, &term, factor, vertex);
    }
}

static void *resize(void *old, size_t count, size_t size) {
    free(old);
    return app_allocate(count, size);
}

static void make_room(sim_system *system, size_t count) {
    if (count <= system->term_room) return;
    size_t room = system->term_room = count + count / 2 + 64;
    sim_triplets *t = &system->triplets;
    t->room = room * TRIANGLE + 6 * system->world->count;
    system->slots = resize(system->slots, room, sizeof *system->slots);
    t->row = resize(t->row, t->room, sizeof *t->row);
    t->column = resize(t->column, t->room, sizeof *t->column);
    t->value = resize(t->value, t->room, sizeof *t->value);
}

/* All terms, each into its own slot: the number of threads does not show. */
static terms evaluate_all(sim_system *system, double (*x)[3], sim_order order) {
    find_contacts(system, x);
    terms t = list_terms(system, x, order);
    make_room(system, t.count);
    size_t blocks = (t.count + BLOCK - 1) / BLOCK;
    if (blocks >= WORTH_THREADS && graze_context_threads(system->context) > 1)
        graze_pool_for(NULL, blocks, evaluate_block, &t);
    else
        for (size_t i = 0; i < blocks; i++) evaluate_block(&t, i);
    return t;
}

/* ---- energy ---- */

/* m·(x − aim)²/2, of moved vertices times the pull. */
static double weight(const sim_system *system, size_t vertex) {
    const sim_world *world = system->world;
    return world->mass[vertex] * (world->role[vertex] == SIM_FREE ? 1 : system->pull);
}

double sim_system_energy(sim_system *system, double (*x)[3]) {
    terms t = evaluate_all(system, x, GRAZE_ORDER_VALUE);
    double sum = 0;
    for (size_t i = 0; i < system->world->count; i++) {
        double d[3];
        if (system->held[i]) continue;
        sim_minus(x[i], system->aim[i], d);
        sum += weight(system, i) / 2 * sim_dot(d, d);
    }
    for (size_t i = 0; i < t.count; i++) sum += system->slots[i].value;
    return sum;
}

/* ---- gradient and direction ---- */

static void sum_gradient(sim_system *system, const terms *t, double (*x)[3], sim_part part) {
    double *g = system->gradient;
    size_t n = system->world->count;
    memset(g, 0, 3 * n * sizeof *g);
    for (size_t i = 0; i < n && part != SIM_BARRIER; i++)
        for (int c = 0; c < 3; c++) g[3 * i + c] = weight(system, i) * (x[i][c] - system->aim[i][c]);
    size_t first = part == SIM_BARRIER ? t->first_contact : 0;
    size_t end = part == SIM_ALL_BUT_BARRIER ? t->first_contact : t->count;
    for (size_t i = first; i < end; i++) {
        const sim_slot *slot = &system->slots[i];
        for (int k = 0; k < slot->rows; k++) g[3 * slot->vertex[k / 3] + k % 3] += slot->slope[k];
    }
    for (size_t i = 0; i < n; i++)
        if (system->held[i]) g[3 * i] = g[3 * i + 1] = g[3 * i + 2] = 0;
    if (system->obstacles) sim_obstacles_reduce(system->obstacles, g);
}

void sim_system_gradient(sim_system *system, double (*x)[3], sim_part part) {
    double stiffness = system->stiffness;
    if (part == SIM_BARRIER) system->stiffness = 1;
    terms t = evaluate_all(system, x, GRAZE_ORDER_GRADIENT);
    system->stiffness = stiffness;
    sum_gradient(system, &t, x, part);
}

/* Masses on the diagonal; 1 where a vertex is held, and for places that are no unknowns. */
static void put_masses(sim_system *system, size_t at) {
    sim_triplets *t = &system->triplets;
    const sim_obstacles *o = system->obstacles;
    size_t n = 3 * system->world->count, spare = at;
    at += o ? n : 0;
    for (size_t i = 0; i < n; i++, at++) {
        double slope;
        t->row[at] = t->column[at] = unknown_of(system, (uint32_t)(i / 3), (int)(i % 3), &slope);
        t->value[at] = system->held[i / 3] ? 1 : weight(system, i / 3) * slope * slope;
        if (!o) continue;
        t->row[spare] = t->column[spare] = (int)i;
        t->value[spare++] = o->owner[i / 3] != SIM_NO_OBSTACLE ? 1e-12 : 0;
        if (t->row[at] != (int)i) t->value[spare - 1] = 1;
    }
    t->count = at;
}

void sim_system_newton(sim_system *system, double (*x)[3]) {
    size_t n = 3 * system->world->count;
    if (system->obstacles) sim_obstacles_look(system->obstacles);
    terms t = evaluate_all(system, x, GRAZE_ORDER_PROJECTED);
    sum_gradient(system, &t, x, SIM_ALL);
    system->active = system->contacts.count ? system->near : 0;
    system->least_square = system->active ? system->nearest * system->nearest : INFINITY;
    put_masses(system, t.count * TRIANGLE);
    double began = app_seconds();
    /* every term is positive and so are the masses: only rounding can make the sum fail */
    if (!sim_factor_solve(system->factor, n, &system->triplets, system->gradient, system->direction)) {
        for (size_t i = 0; i < n; i++) system->triplets.value[system->triplets.count - n + i] *= 1 + 1e-3;
        if (!sim_factor_solve(system->factor, n, &system->triplets, system->gradient, system->direction))
            memcpy(system->direction, system->gradient, n * sizeof *system->direction);
    }
    system->seconds_solve += app_seconds() - began;
    for (size_t i = 0; i < n; i++) system->direction[i] = -system->direction[i];
    if (system->obstacles) sim_obstacles_expand(system->obstacles, system->direction);
}
