#include "sim/reader/body.h"

#include "sim/energy/vector.h"

#include "app/app.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char problem[120];

static const char *wrong(const char *what, size_t index) {
    snprintf(problem, sizeof problem, "%s %zu of its shape is inverted or flat", what, index);
    return problem;
}

/* ---- vertices ---- */

static void turn_about(double x[3], int axis, double degrees) {
    double angle = degrees / 180 * acos(-1.0), c = cos(angle), s = sin(angle);
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    double p = x[i], q = x[j];
    if (degrees == 0) return;
    x[i] = c * p - s * q;
    x[j] = s * p + c * q;
}

void sim_body_place(const sim_body_options *options, const sim_vector *point, double out[3]) {
    for (int c = 0; c < 3; c++) out[c] = point->c[c] * options->scale[c];
    for (int k = 0; k < 3; k++) {
        int axis = options->z_first ? 2 - k : k;
        turn_about(out, axis, options->rotation[axis]);
    }
    for (int c = 0; c < 3; c++) out[c] += options->position[c];
}

typedef struct box {
    double low[3], high[3];
} box;

static const box nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void join(box *b, const double x[3]) {
    for (int c = 0; c < 3; c++) {
        b->low[c] = fmin(b->low[c], x[c]);
        b->high[c] = fmax(b->high[c], x[c]);
    }
}

static box box_of(const sim_shape *shape) {
    box b = nothing;
    for (size_t i = 0; i < shape->points.count; i++) join(&b, shape->points.items[i].c);
    return b;
}

/* The handle's box, given in parts of this one. */
static box relative_box(box b, const sim_handle *handle) {
    box out;
    for (int c = 0; c < 3; c++) {
        out.low[c] = b.low[c] + handle->low[c] * (b.high[c] - b.low[c]);
        out.high[c] = b.low[c] + handle->high[c] * (b.high[c] - b.low[c]);
    }
    return out;
}

static bool is_inside(const double x[3], const double low[3], const double high[3]) {
    for (int c = 0; c < 3; c++)
        if (x[c] < low[c] || x[c] > high[c]) return false;
    return true;
}

static void hold(sim_world *world, uint32_t vertex, const sim_handle *handle, uint32_t motion) {
    world->role[vertex] = handle->moves ? SIM_MOVED : SIM_FIXED;
    world->motion[vertex] = motion;
    memset(world->v[vertex], 0, sizeof world->v[vertex]);
}

static void centre_motion(sim_world *world, uint32_t motion, const box *around) {
    sim_motion *m = &world->motions.items[motion];
    for (int c = 0; m->centred && c < 3; c++) m->centre[c] = 0.5 * (around->low[c] + around->high[c]);
}

static uint32_t add_vertices(sim_world *world, const sim_shape *shape, const sim_body_options *options) {
    uint32_t first = sim_world_add(world, shape->points.count), body = (uint32_t)world->bodies.count - 1;
    for (uint32_t i = first; i < world->count; i++) {
        sim_body_place(options, &shape->points.items[i - first], world->x[i]);
        memcpy(world->rest[i], world->x[i], sizeof world->x[i]);
        memcpy(world->v[i], options->velocity, sizeof world->v[i]);
        world->body[i] = body;
        if (options->obstacle) world->role[i] = SIM_FIXED;
        if (options->obstacle) memset(world->v[i], 0, sizeof world->v[i]);
    }
    for (size_t h = 0; h < options->handles.count; h++) {
        const sim_handle *handle = &options->handles.items[h];
        uint32_t motion = (uint32_t)world->motions.count;
        SIM_PUSH(&world->motions, handle->motion);
        box b = handle->relative ? relative_box(box_of(shape), handle) : (box){{0}, {0}}, held = nothing;
        for (uint32_t i = first; i < world->count; i++) {
            if (handle->relative ? !is_inside(shape->points.items[i - first].c, b.low, b.high)
                                 : !is_inside(world->x[i], handle->low, handle->high))
                continue;
            hold(world, i, handle, motion);
            join(&held, world->x[i]);
        }
        centre_motion(world, motion, &held);
    }
    return first;
}

void sim_body_hold(sim_world *world, const sim_handle *handles, size_t count) {
    box all = nothing;
    for (size_t i = 0; i < world->count; i++)
        if (world->role[i] == SIM_FREE) join(&all, world->x[i]);
    for (size_t h = 0; h < count; h++) {
        uint32_t motion = (uint32_t)world->motions.count;
        SIM_PUSH(&world->motions, handles[h].motion);
        centre_motion(world, motion, &all);
        box part = relative_box(all, &handles[h]);
        for (uint32_t i = 0; i < world->count; i++)
            if (world->role[i] == SIM_FREE && is_inside(world->x[i], part.low, part.high))
                hold(world, i, &handles[h], motion);
    }
}

/* ---- elements ---- */

static void add_mass(sim_world *world, const uint32_t *vertex, int n, double mass) {
    for (int k = 0; k < n; k++) world->mass[vertex[k]] += mass / n;
}

static void shift(uint32_t *out, const uint32_t *ids, int n, uint32_t first) {
    for (int k = 0; k < n; k++) out[k] = ids[k] + first;
}

static bool add_element(sim_world *world, const sim_body_options *options, int dimension, const uint32_t *vertex) {
    sim_element element;
    if (!sim_element_make(&element, dimension, vertex, (const double(*)[3])world->rest, options->thickness))
        return false;
    sim_element_material(&element, options->young, options->poisson);
    SIM_PUSH(&world->elements, element);
    add_mass(world, vertex, dimension + 1, options->density * element.volume);
    return true;
}

/* A side of a face, and the corner that faces it. */
typedef struct side {
    uint32_t low, high, opposite;
} side;

static int compare_sides(const void *left, const void *right) {
    const side *a = left, *b = right;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return a->opposite < b->opposite ? -1 : a->opposite > b->opposite;
}

/* A hinge for every two faces that share an edge. */
static void add_hinges(sim_world *world, const sim_shape *shape, const sim_body_options *options, uint32_t first) {
    size_t count = 3 * shape->faces.count;
    side *sides = app_allocate(count + 1, sizeof *sides);
    for (size_t i = 0; i < count; i++) {
        const uint32_t *f = shape->faces.items[i / 3].v;
        uint32_t a = f[i % 3] + first, b = f[(i + 1) % 3] + first;
        sides[i] = (side){a < b ? a : b, a < b ? b : a, f[(i + 2) % 3] + first};
    }
    qsort(sides, count, sizeof *sides, compare_sides);
    for (size_t i = 1; i < count; i++) {
        const side *s = &sides[i], *before = s - 1;
        sim_hinge hinge;
        if (s->low != before->low || s->high != before->high) continue;
        const uint32_t vertex[4] = {s->low, s->high, before->opposite, s->opposite};
        if (sim_hinge_make(&hinge, vertex, (const double(*)[3])world->rest, options->bending))
            SIM_PUSH(&world->hinges, hinge);
    }
    free(sides);
}

static const char *add_cloth(sim_world *world, const sim_shape *shape, const sim_body_options *options,
                             uint32_t first) {
    for (size_t i = 0; i < shape->faces.count; i++) {
        uint32_t vertex[3];
        shift(vertex, shape->faces.items[i].v, 3, first);
        if (!add_element(world, options, 2, vertex)) return wrong("face", i);
    }
    add_hinges(world, shape, options, first);
    return NULL;
}

static const char *add_solid(sim_world *world, const sim_shape *shape, const sim_body_options *options,
                             uint32_t first) {
    for (size_t i = 0; i < shape->tetrahedra.count; i++) {
        uint32_t vertex[4];
        shift(vertex, shape->tetrahedra.items[i].v, 4, first);
        if (!add_element(world, options, 3, vertex)) return wrong("tetrahedron", i);
    }
    return NULL;
}

static const char *add_strings(sim_world *world, const sim_shape *shape, const sim_body_options *options,
                               uint32_t first) {
    double section = options->thickness * options->thickness;
    for (size_t i = 0; i < shape->edges.count; i++) {
        uint32_t vertex[2];
        sim_string string;
        shift(vertex, shape->edges.items[i].v, 2, first);
        if (!sim_string_make(&string, vertex, (const double(*)[3])world->rest, options->young * section))
            return wrong("edge", i);
        SIM_PUSH(&world->strings, string);
        add_mass(world, vertex, 2, options->density * section * string.length);
    }
    return NULL;
}

static void add_surface(sim_world *world, const sim_shape *shape, uint32_t first) {
    for (size_t i = 0; i < shape->faces.count; i++) {
        sim_face face;
        shift(face.v, shape->faces.items[i].v, 3, first);
        SIM_PUSH(&world->faces, face);
    }
    for (size_t i = 0; i < shape->edges.count; i++) {
        sim_edge edge;
        shift(edge.v, shape->edges.items[i].v, 2, first);
        SIM_PUSH(&world->edges, edge);
    }
}

const char *sim_body_add(sim_world *world, const sim_shape *shape, const sim_body_options *options) {
    sim_body body = {{0}};
    snprintf(body.name, sizeof body.name, "%s", options->name);
    SIM_PUSH(&world->bodies, body);
    uint32_t first = add_vertices(world, shape, options);
    const char *fault = NULL;
    add_surface(world, shape, first);
    if (options->obstacle) return NULL;
    if (shape->tetrahedra.count)
        fault = add_solid(world, shape, options, first);
    else if (shape->faces.count)
        fault = add_cloth(world, shape, options, first);
    if (!fault) fault = add_strings(world, shape, options, first);
    double grain = options->density * options->thickness * options->thickness * options->thickness;
    for (uint32_t i = first; i < world->count; i++)
        if (world->mass[i] == 0) world->mass[i] = grain; /* a point */
    return fault;
}
