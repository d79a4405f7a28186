#include "sim/world.h"

#include "sim/energy/vector.h"

#include "app/app.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- vertices ---- */

/* Arrays of n items have room for the next power of two, so that many bodies are added without copying all each time.
 */
static size_t room_for(size_t n) {
    size_t room = 1;
    while (room < n) room *= 2;
    return room;
}

static void *extend(void *old, size_t count, size_t more, size_t size) {
    if (old && count + more <= room_for(count)) return old;
    char *all = app_allocate(room_for(count + more), size);
    if (count) memcpy(all, old, count * size);
    free(old);
    return all;
}

uint32_t sim_world_add(sim_world *world, size_t more) {
    size_t n = world->count;
    world->x = extend(world->x, n, more, sizeof *world->x);
    world->v = extend(world->v, n, more, sizeof *world->v);
    world->rest = extend(world->rest, n, more, sizeof *world->rest);
    world->mass = extend(world->mass, n, more, sizeof *world->mass);
    world->role = extend(world->role, n, more, sizeof *world->role);
    world->body = extend(world->body, n, more, sizeof *world->body);
    world->motion = extend(world->motion, n, more, sizeof *world->motion);
    world->count += more;
    return (uint32_t)n;
}

/* ---- outside and inside ---- */

/* Vertices of no element lie outside, too: they are points. */
static bool *find_outside(const sim_world *world) {
    bool *outside = app_allocate(world->count, sizeof *outside);
    for (size_t i = 0; i < world->count; i++) outside[i] = true;
    for (size_t e = 0; e < world->elements.count; e++)
        for (int k = 0; k <= world->elements.items[e].dimension; k++)
            outside[world->elements.items[e].vertex[k]] = false;
    for (size_t f = 0; f < world->faces.count; f++)
        for (int k = 0; k < 3; k++) outside[world->faces.items[f].v[k]] = true;
    return outside;
}

/* The new place of each vertex. */
static uint32_t *order_vertices(sim_world *world) {
    bool *outside = find_outside(world);
    uint32_t *place = app_allocate(world->count, sizeof *place);
    uint32_t next = 0;
    for (int pass = 1; pass >= 0; pass--) {
        for (size_t i = 0; i < world->count; i++)
            if (outside[i] == (pass == 1)) place[i] = next++;
        if (pass == 1) world->outside = next;
    }
    free(outside);
    return place;
}

static void renumber(uint32_t *ids, int n, const uint32_t *place) {
    for (int k = 0; k < n; k++) ids[k] = place[ids[k]];
}

static void renumber_all(sim_world *world, const uint32_t *place) {
    for (size_t i = 0; i < world->elements.count; i++)
        renumber(world->elements.items[i].vertex, world->elements.items[i].dimension + 1, place);
    for (size_t i = 0; i < world->hinges.count; i++) renumber(world->hinges.items[i].vertex, 4, place);
    for (size_t i = 0; i < world->strings.count; i++) renumber(world->strings.items[i].vertex, 2, place);
    for (size_t i = 0; i < world->faces.count; i++) renumber(world->faces.items[i].v, 3, place);
    for (size_t i = 0; i < world->edges.count; i++) renumber(world->edges.items[i].v, 2, place);
}

/* items[place[i]] = items[i], items of `size` bytes */
static void move_items(void *items, size_t count, size_t size, const uint32_t *place) {
    char *copy = app_allocate(count, size);
    memcpy(copy, items, count * size);
    for (size_t i = 0; i < count; i++) memcpy((char *)items + place[i] * size, copy + i * size, size);
    free(copy);
}

static void outside_first(sim_world *world) {
    uint32_t *place = order_vertices(world);
    renumber_all(world, place);
    move_items(world->x, world->count, sizeof *world->x, place);
    move_items(world->v, world->count, sizeof *world->v, place);
    move_items(world->rest, world->count, sizeof *world->rest, place);
    move_items(world->mass, world->count, sizeof *world->mass, place);
    move_items(world->role, world->count, sizeof *world->role, place);
    move_items(world->body, world->count, sizeof *world->body, place);
    move_items(world->motion, world->count, sizeof *world->motion, place);
    free(place);
}

/* ---- the meshes ---- */

static void check(graze_context *context, graze_status status) {
    if (status != GRAZE_OK) app_fail_status(status, context, "sim");
}

/* Bodies are groups. An obstacle is a body without a free vertex: obstacles do not feel each other or themselves. */
static void separate_obstacles(sim_world *world) {
    size_t count = world->bodies.count;
    uint8_t *pairs = world->body_pairs = app_allocate(count * count, 1);
    bool *yields = app_allocate(count, sizeof *yields);
    for (size_t v = 0; v < world->count; v++) yields[world->body[v]] |= world->role[v] == SIM_FREE;
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < count; b++) pairs[a * count + b] = yields[a] || yields[b];
    free(yields);
    graze_mesh *meshes[2] = {&world->mesh, &world->solid};
    for (int i = 0; i < 2; i++) {
        meshes[i]->groups = world->body;
        meshes[i]->group_count = (uint32_t)count;
        meshes[i]->group_pairs = pairs;
    }
}

/* Free edges as triangles with two equal corners: the exact check of faces decides them like any other. */
static void make_solid(sim_world *world, graze_context *context) {
    size_t own = world->faces.count, count = own + world->edges.count;
    world->solid_faces = app_allocate(count + 1, sizeof *world->solid_faces);
    if (own) memcpy(world->solid_faces, world->faces.items, own * sizeof *world->solid_faces);
    for (size_t i = 0; i < world->edges.count; i++) {
        const uint32_t *e = world->edges.items[i].v;
        world->solid_faces[own + i] = (sim_face){{e[0], e[1], e[1]}};
    }
    world->solid = graze_default_mesh();
    check(context, graze_mesh_from_faces(context, (uint32_t)world->outside, (const uint32_t(*)[3])world->solid_faces,
                                         (uint32_t)count, &world->solid));
}

static void measure(sim_world *world) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, d[3];
    for (size_t i = 0; i < world->count; i++)
        for (int c = 0; c < 3 && world->role[i] == SIM_FREE; c++) {
            low[c] = fmin(low[c], world->x[i][c]);
            high[c] = fmax(high[c], world->x[i][c]);
        }
    sim_minus(high, low, d);
    world->diagonal = sqrt(sim_dot(d, d));
}

void sim_world_close(sim_world *world, graze_context *context) {
    outside_first(world);
    measure(world);
    world->mesh = graze_default_mesh();
    check(context, graze_mesh_from_parts(context, (uint32_t)world->outside, (const uint32_t(*)[3])world->faces.items,
                                         (uint32_t)world->faces.count, (const uint32_t(*)[2])world->edges.items,
                                         (uint32_t)world->edges.count, NULL, 0, &world->mesh));
    make_solid(world, context);
    separate_obstacles(world);
}

void sim_world_free(sim_world *world, graze_context *context) {
    graze_mesh_release(context, &world->mesh);
    graze_mesh_release(context, &world->solid);
    void *all[] = {world->x,
                   world->v,
                   world->rest,
                   world->mass,
                   world->role,
                   world->body,
                   world->motion,
                   world->bodies.items,
                   world->motions.items,
                   world->elements.items,
                   world->hinges.items,
                   world->strings.items,
                   world->faces.items,
                   world->edges.items,
                   world->body_pairs,
                   world->solid_faces};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    *world = (sim_world){0};
}

/* ---- motion of obstacles ---- */

/* Rodrigues' formula. */
static void turn(const double spin[3], double time, double x[3]) {
    double speed = sqrt(sim_dot(spin, spin));
    if (speed == 0) return;
    double axis[3], across[3], angle = speed * time;
    for (int c = 0; c < 3; c++) axis[c] = spin[c] / speed;
    sim_cross(axis, x, across);
    double along = sim_dot(axis, x) * (1 - cos(angle));
    for (int c = 0; c < 3; c++) x[c] = x[c] * cos(angle) + across[c] * sin(angle) + axis[c] * along;
}

void sim_world_target(const sim_world *world, uint32_t vertex, double time, double out[3]) {
    const sim_motion *motion = &world->motions.items[world->motion[vertex]];
    if (time > motion->until) time = motion->until;
    sim_minus(world->rest[vertex], motion->centre, out);
    turn(motion->spin, time, out);
    for (int c = 0; c < 3; c++) out[c] += motion->centre[c] + time * motion->velocity[c];
}

/* ---- checks and sums ---- */

static const char *body_of(const sim_world *world, uint32_t face) {
    return world->bodies.items[world->body[world->solid.faces[face][0]]].name;
}

size_t sim_world_intersections(const sim_world *world, graze_context *context, double (*x)[3], char *first,
                               size_t room) {
    graze_pair *pairs;
    size_t count;
    if (world->solid.face_count == 0) return 0;
    check(context, graze_static_intersections(context, &world->solid, (const double(*)[3])x, NULL, &pairs, &count));
    if (count && first)
        snprintf(first, room, "%s (face %u) and %s (face %u)", body_of(world, pairs[0].a), (unsigned)pairs[0].a,
                 body_of(world, pairs[0].b), (unsigned)pairs[0].b);
    graze_pairs_release(context, pairs, count);
    return count;
}

double sim_world_kinetic(const sim_world *world) {
    double sum = 0;
    for (size_t i = 0; i < world->count; i++)
        if (world->role[i] == SIM_FREE) sum += 0.5 * world->mass[i] * sim_dot(world->v[i], world->v[i]);
    return sum;
}

double sim_world_elastic(const sim_world *world) {
    double sum = 0, x[4][3];
    sim_term term;
    for (size_t i = 0; i < world->elements.count; i++) {
        const sim_element *e = &world->elements.items[i];
        sim_gather(world->x, e->vertex, e->dimension + 1, x);
        sim_element_term(e, x, GRAZE_ORDER_VALUE, &term);
        sum += term.value;
    }
    for (size_t i = 0; i < world->hinges.count; i++) {
        sim_gather(world->x, world->hinges.items[i].vertex, 4, x);
        sim_hinge_term(&world->hinges.items[i], x, GRAZE_ORDER_VALUE, &term);
        sum += term.value;
    }
    for (size_t i = 0; i < world->strings.count; i++) {
        sim_gather(world->x, world->strings.items[i].vertex, 2, x);
        sim_string_term(&world->strings.items[i], x, GRAZE_ORDER_VALUE, &term);
        sum += term.value;
    }
    return sum;
}
