#include "sim/reader/scene.h"

#include "sim/reader/body.h"
#include "sim/reader/json.h"
#include "sim/reader/msh.h"
#include "sim/reader/path.h"

#include "app/app.h"
#include "app/folders.h"
#include "io/mesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    sim_scene *scene;
    double refine; /* factor of all cells */
} reader;

enum { MOST_CELLS = 2000, MOST_BODIES = 10000 }; /* each two bodies have an entry in a table */

static void refine(const reader *r, uint32_t *cells, int n) {
    for (int k = 0; k < n; k++) {
        double scaled = floor(cells[k] * r->refine + 0.5);
        cells[k] = scaled < 1 ? 1 : scaled > MOST_CELLS ? MOST_CELLS : (uint32_t)scaled;
    }
}

/* A short file must not ask for more than a machine has. */
static void check_points(const sim_json *at, double points) {
    if (points > 1e7) sim_json_fail(at, "is %.3g vertices; at most 10 million are made", points);
}

/* ---- shapes ---- */

static void read_box(const reader *r, const sim_json *at, sim_shape *shape) {
    double size[3] = {1, 1, 1};
    uint32_t cells[3] = {1, 1, 1};
    sim_json_object(at, "kind size cells");
    sim_json_vector(at, "size", 3, size);
    sim_json_counts(at, "cells", 3, 1, MOST_CELLS, cells);
    refine(r, cells, 3);
    check_points(at, (cells[0] + 1.0) * (cells[1] + 1.0) * (cells[2] + 1.0));
    sim_shape_box(shape, size, cells);
}

static void read_ball(const reader *r, const sim_json *at, sim_shape *shape) {
    double size[3] = {1, 1, 1}, bumps = 0;
    uint32_t cells = 3;
    sim_json_object(at, "kind size cells bumps");
    sim_json_vector(at, "size", 3, size);
    sim_json_count(at, "cells", 1, MOST_CELLS, &cells);
    sim_json_number(at, "bumps", 0, 1, &bumps);
    refine(r, &cells, 1);
    check_points(at, 5.0 * cells * cells * cells);
    sim_shape_ball(shape, size, cells, bumps);
}

static void read_torus(const reader *r, const sim_json *at, sim_shape *shape) {
    double radius = 1, tube = 0.3;
    uint32_t cells[2] = {16, 6};
    sim_json_object(at, "kind radius tube cells");
    sim_json_number(at, "radius", 1e-9, 1e9, &radius);
    sim_json_number(at, "tube", 1e-9, 1e9, &tube);
    sim_json_counts(at, "cells", 2, 3, MOST_CELLS, cells);
    refine(r, cells, 2);
    for (int k = 0; k < 2; k++)
        if (cells[k] < 3) cells[k] = 3;
    sim_shape_torus(shape, radius, tube, cells[0], cells[1]);
}

static void read_sheet(const reader *r, const sim_json *at, sim_shape *shape) {
    double size[2] = {1, 1};
    uint32_t cells[2] = {10, 10};
    sim_json_object(at, "kind size cells");
    sim_json_vector(at, "size", 2, size);
    sim_json_counts(at, "cells", 2, 1, MOST_CELLS, cells);
    refine(r, cells, 2);
    sim_shape_sheet(shape, size, cells);
}

static void read_lathe(const reader *r, const sim_json *at, sim_shape *shape) {
    uint32_t cells = 16;
    sim_json_object(at, "kind profile cells");
    sim_json profile = sim_json_need(at, "profile");
    size_t count = sim_json_length(&profile);
    double(*points)[2] = app_allocate(count + 1, sizeof *points);
    if (count < 2) sim_json_fail(&profile, "must have two points or more");
    for (size_t i = 0; i < count; i++) {
        sim_json point = sim_json_at(&profile, i);
        sim_json_read_vector(&point, 2, points[i]);
        if (points[i][0] < 0) sim_json_fail(&point, "the radius is negative");
    }
    sim_json_count(at, "cells", 3, MOST_CELLS, &cells);
    refine(r, &cells, 1);
    check_points(at, (double)count * cells);
    sim_shape_lathe(shape, (const double(*)[2])points, count, cells < 3 ? 3 : cells);
    free(points);
}

static void read_line(const reader *r, const sim_json *at, sim_shape *shape) {
    double from[3], to[3];
    uint32_t cells = 1;
    sim_json_object(at, "kind from to cells");
    sim_json ends[2] = {sim_json_need(at, "from"), sim_json_need(at, "to")};
    sim_json_read_vector(&ends[0], 3, from);
    sim_json_read_vector(&ends[1], 3, to);
    sim_json_count(at, "cells", 1, MOST_CELLS, &cells);
    refine(r, &cells, 1);
    sim_shape_line(shape, from, to, cells);
}

/* Reads rows of `n` ids into items of a list that are nothing but those. */
#define READ_IDS(at, key, n, list, type)                                                                               \
    do {                                                                                                               \
        sim_json rows_ = sim_json_get(at, key);                                                                        \
        for (size_t i_ = 0; rows_.node && i_ < sim_json_length(&rows_); i_++) {                                        \
            sim_json row_ = sim_json_at(&rows_, i_);                                                                   \
            type item_;                                                                                                \
            sim_json_read_counts(&row_, n, 0, (uint32_t)shape->points.count - 1, item_.v);                             \
            SIM_PUSH(list, item_);                                                                                     \
        }                                                                                                              \
    } while (0)

static void read_explicit(const reader *r, const sim_json *at, sim_shape *shape) {
    (void)r;
    sim_json_object(at, "kind vertices tetrahedra faces edges");
    sim_json points = sim_json_need(at, "vertices");
    if (sim_json_length(&points) == 0) sim_json_fail(&points, "is empty");
    for (size_t i = 0; i < sim_json_length(&points); i++) {
        sim_json row = sim_json_at(&points, i);
        sim_vector point;
        sim_json_read_vector(&row, 3, point.c);
        SIM_PUSH(&shape->points, point);
    }
    READ_IDS(at, "tetrahedra", 4, &shape->tetrahedra, sim_tetrahedron);
    if (shape->tetrahedra.count) sim_shape_skin(shape);
    READ_IDS(at, "faces", 3, &shape->faces, sim_face);
    READ_IDS(at, "edges", 2, &shape->edges, sim_edge);
}

/* A path that is not absolute counts from the scene's folder. */
static char *path_beside(const char *file, const char *path) {
    const char *slash = strrchr(file, '/');
    if (*path == '/' || !slash) return app_text("%s", path);
    return app_text("%.*s%s", (int)(slash + 1 - file), file, path);
}

static bool read_surface(const char *path, sim_shape *shape, io_error *error) {
    io_mesh mesh;
    if (!io_read_regular_mesh(path, &mesh, error)) return false;
    for (size_t i = 0; i < mesh.vertex_count; i++)
        SIM_PUSH(&shape->points, (sim_vector){{mesh.positions[i][0], mesh.positions[i][1], mesh.positions[i][2]}});
    for (size_t i = 0; i < mesh.face_count; i++)
        SIM_PUSH(&shape->faces, (sim_face){{mesh.faces[i][0], mesh.faces[i][1], mesh.faces[i][2]}});
    for (size_t i = 0; i < mesh.edge_count; i++)
        SIM_PUSH(&shape->edges, (sim_edge){{mesh.edges[i][0], mesh.edges[i][1]}});
    io_free_mesh(&mesh);
    return true;
}

/* A solid from an MSH file, or a surface from any file that the other commands read. */
static void read_file(const reader *r, const sim_json *at, sim_shape *shape) {
    (void)r;
    bool surface = false;
    sim_json_object(at, "kind path surface");
    sim_json name = sim_json_need(at, "path");
    char *path = path_beside(at->tree->name, sim_json_text(at, "path"));
    io_error error;
    sim_json_flag(at, "surface", &surface);
    bool solid = sim_ends_with(path, ".msh") && !surface;
    if (!(solid ? sim_read_msh : read_surface)(path, shape, &error)) sim_json_fail(&name, "%s", error.message);
    free(path);
}

typedef void read_shape_kind(const reader *r, const sim_json *at, sim_shape *shape);

static void read_shape(const reader *r, const sim_json *at, sim_shape *shape) {
    static const struct {
        const char *kind;
        read_shape_kind *read;
    } kinds[] = {{"box", read_box},     {"ball", read_ball}, {"torus", read_torus},       {"sheet", read_sheet},
                 {"lathe", read_lathe}, {"line", read_line}, {"explicit", read_explicit}, {"file", read_file}};
    if (at->node->kind != IO_JSON_OBJECT) sim_json_fail(at, "must be an object");
    sim_json kind = sim_json_need(at, "kind");
    const char *name = sim_json_text(at, "kind");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(name, kinds[i].kind) == 0) {
            kinds[i].read(r, at, shape);
            return;
        }
    sim_json_fail(&kind, "there is no shape '%s'; there are: box, ball, torus, sheet, lathe, line, explicit, file",
                  name);
}

/* ---- bodies ---- */

static sim_motion read_motion(const sim_json *at) {
    sim_motion motion = {.until = INFINITY};
    sim_json_object(at, "velocity spin centre centred until");
    sim_json_flag(at, "centred", &motion.centred);
    sim_json_vector(at, "velocity", 3, motion.velocity);
    if (sim_json_vector(at, "spin", 3, motion.spin))
        for (int c = 0; c < 3; c++) motion.spin[c] *= acos(-1.0) / 180;
    sim_json_vector(at, "centre", 3, motion.centre);
    sim_json_number(at, "until", 0, 1e12, &motion.until);
    return motion;
}

static const sim_handle everywhere = {
    {-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}, false, false, {{0}, {0}, {0}, 0, false}};

static sim_handle read_handle(const sim_json *at, const char *keys) {
    sim_handle handle = everywhere;
    sim_json_object(at, keys);
    sim_json_flag(at, "relative", &handle.relative);
    sim_json_vector(at, "min", 3, handle.low);
    sim_json_vector(at, "max", 3, handle.high);
    sim_json motion = sim_json_get(at, "motion");
    handle.moves = motion.node != NULL;
    if (handle.moves) handle.motion = read_motion(&motion);
    return handle;
}

static void read_handles(const sim_json *body, sim_body_options *options) {
    sim_json list = sim_json_get(body, "handles");
    for (size_t i = 0; list.node && i < sim_json_length(&list); i++) {
        sim_json at = sim_json_at(&list, i);
        SIM_PUSH(&options->handles, read_handle(&at, "min max relative motion"));
    }
    sim_json motion = sim_json_get(body, "motion");
    if (!motion.node) return;
    if (!options->obstacle) sim_json_fail(&motion, "only an obstacle as a whole has a motion; see handles");
    sim_handle all = everywhere;
    all.moves = true;
    all.motion = read_motion(&motion);
    SIM_PUSH(&options->handles, all);
}

static void read_material(const sim_json *at, sim_body_options *o) {
    sim_json_number(at, "density", 1e-6, 1e9, &o->density);
    sim_json_number(at, "young", 1e-6, 1e15, &o->young);
    sim_json_number(at, "poisson", 0, 0.499, &o->poisson);
    sim_json_number(at, "thickness", 1e-9, 1e6, &o->thickness);
    o->bending = o->young * pow(o->thickness, 3) / (12 * (1 - o->poisson * o->poisson));
    sim_json_number(at, "bending", 0, 1e15, &o->bending);
}

/* A body that is read, but not in the world yet. */
typedef struct read_in {
    sim_json at;
    char name[64];
    sim_body_options options;
    sim_shape shape;
    bool fitted;
} read_in;

/* Copies stand one `offset` and one `turn` on from the last. */
static void add_copies(reader *r, read_in *body) {
    const sim_json *at = &body->at;
    const sim_shape *shape = &body->shape;
    sim_body_options *options = &body->options;
    sim_json copies = sim_json_get(at, "copies");
    uint32_t count = 1;
    double offset[3] = {0}, turn[3] = {0};
    if (copies.node) {
        sim_json_object(&copies, "count offset turn");
        sim_json_count(&copies, "count", 1, 100000, &count);
        sim_json_vector(&copies, "offset", 3, offset);
        sim_json_vector(&copies, "turn", 3, turn);
        check_points(&copies, (double)count * (double)shape->points.count);
    }
    if (r->scene->world.bodies.count + count > MOST_BODIES) sim_json_fail(at, "more than %d bodies", MOST_BODIES);
    for (uint32_t i = 0; i < count; i++) {
        const char *fault = sim_body_add(&r->scene->world, shape, options);
        if (fault) sim_json_fail(at, "%s", fault);
        for (int c = 0; c < 3; c++) {
            options->position[c] += offset[c];
            options->rotation[c] += turn[c];
        }
    }
}

static void read_order(const sim_json *at, sim_body_options *options) {
    const char *order = sim_json_text(at, "rotation_order");
    sim_json here = sim_json_get(at, "rotation_order");
    if (order && strcmp(order, "xyz") != 0 && strcmp(order, "zyx") != 0) sim_json_fail(&here, "must be xyz or zyx");
    options->z_first = order && *order == 'z';
}

static void read_body(const reader *r, const sim_json *at, size_t index, read_in *body) {
    *body = (read_in){.at = *at, .fitted = true};
    bool centred = false;
    sim_body_options *o = &body->options;
    *o = (sim_body_options){
        .name = body->name, .scale = {1, 1, 1}, .density = 1000, .young = 1e5, .poisson = 0.4, .thickness = 1e-3};
    sim_json_object(at,
                    "name shape position rotation rotation_order scale fitted centred velocity density young poisson "
                    "thickness bending obstacle handles motion copies");
    const char *given = sim_json_text(at, "name");
    snprintf(body->name, sizeof body->name, "body %zu", index);
    if (given) snprintf(body->name, sizeof body->name, "%s", given);
    sim_json_vector(at, "position", 3, o->position);
    sim_json_vector(at, "rotation", 3, o->rotation);
    read_order(at, o);
    sim_json_vector(at, "scale", 3, o->scale);
    sim_json_flag(at, "fitted", &body->fitted);
    sim_json_vector(at, "velocity", 3, o->velocity);
    sim_json_flag(at, "obstacle", &o->obstacle);
    read_material(at, o);
    read_handles(at, o);
    sim_json shape_at = sim_json_need(at, "shape");
    read_shape(r, &shape_at, &body->shape);
    if (o->obstacle) sim_shape_hollow(&body->shape);
    sim_json_flag(at, "centred", &centred);
    if (centred) sim_shape_centre(&body->shape);
}

/* All fitted bodies together get this size and begin at the origin, then are lifted by a part of their diagonal. */
static void fit(read_in *bodies, size_t count, double size, double lift) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, x[3];
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; bodies[i].fitted && k < bodies[i].shape.points.count; k++) {
            sim_body_place(&bodies[i].options, &bodies[i].shape.points.items[k], x);
            for (int c = 0; c < 3; c++) {
                low[c] = fmin(low[c], x[c]);
                high[c] = fmax(high[c], x[c]);
            }
        }
    double d[3] = {high[0] - low[0], high[1] - low[1], high[2] - low[2]};
    double part = size > 0 ? size / fmax(d[0], fmax(d[1], d[2])) : 1;
    for (size_t i = 0; i < count; i++) {
        sim_body_options *o = &bodies[i].options;
        for (int c = 0; bodies[i].fitted && c < 3; c++) {
            o->scale[c] *= part;
            if (size > 0) o->position[c] = part * (o->position[c] - low[c]);
        }
        if (bodies[i].fitted) o->position[1] += lift * part * sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }
}

static void read_bodies(reader *r, const sim_json *root) {
    sim_json list = sim_json_need(root, "bodies");
    size_t count = sim_json_length(&list);
    double size = 0, lift = 0;
    if (count == 0) sim_json_fail(&list, "is empty");
    read_in *bodies = app_allocate(count, sizeof *bodies);
    for (size_t i = 0; i < count; i++) {
        sim_json at = sim_json_at(&list, i);
        read_body(r, &at, i, &bodies[i]);
    }
    sim_json_number(root, "fit", 1e-9, 1e9, &size);
    sim_json_number(root, "lift", 0, 1e3, &lift);
    if (size > 0 || lift > 0) fit(bodies, count, size, lift);
    for (size_t i = 0; i < count; i++) {
        add_copies(r, &bodies[i]);
        sim_shape_free(&bodies[i].shape);
        free(bodies[i].options.handles.items);
    }
    free(bodies);
}

/* Of all bodies together; each box is in parts of what is free before any of them is held. */
static void hold_parts(const sim_json *root, sim_world *world) {
    sim_json list = sim_json_get(root, "handles");
    size_t count = list.node ? sim_json_length(&list) : 0;
    sim_handle *handles = app_allocate(count + 1, sizeof *handles);
    for (size_t i = 0; i < count; i++) {
        sim_json at = sim_json_at(&list, i);
        handles[i] = read_handle(&at, "min max motion");
    }
    sim_body_hold(world, handles, count);
    free(handles);
}

/* ---- the scene ---- */

static void read_stepper(const sim_json *root, sim_scene *scene) {
    const char *stepper = sim_json_text(root, "stepper");
    scene->offset = 1e-3;
    sim_json_number(root, "offset", 1e-12, 1e6, &scene->offset);
    if (!stepper || strcmp(stepper, "barrier") == 0) return;
    sim_json at = sim_json_get(root, "stepper");
    if (strcmp(stepper, "active-set") != 0)
        sim_json_fail(&at, "there is no '%s'; there are: barrier, active-set", stepper);
    scene->active_set = true;
}

/* Reads the lengths that depend on the size of the scene. */
static void read_lengths(const sim_json *root, sim_world *world) {
    sim_settings *s = &world->settings;
    double reach = 1e-3, slip = 1e-3, tolerance = 1e-2;
    sim_json_number(root, "relative_reach", 1e-9, 0.1, &reach);
    sim_json_number(root, "relative_slip", 1e-9, 0.1, &slip);
    sim_json_number(root, "relative_tolerance", 1e-12, 1e3, &tolerance);
    s->reach = reach * world->diagonal;
    s->slip = slip * world->diagonal;
    s->tolerance = tolerance * world->diagonal;
    sim_json_number(root, "reach", 1e-12, 1e6, &s->reach);
    sim_json_number(root, "slip", 1e-12, 1e6, &s->slip);
    sim_json_number(root, "tolerance", 1e-12, 1e6, &s->tolerance);
}

/* Obstacles have no mass of their own; while they are pulled to their targets they need one. */
static void weigh_obstacles(sim_world *world) {
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < world->count; i++)
        if (world->mass[i] > 0) sum += world->mass[i], count++;
    for (size_t i = 0; i < world->count; i++)
        if (world->mass[i] == 0) world->mass[i] = count ? sum / (double)count : 1;
}

static void check_free(const sim_json *root, const sim_world *world) {
    sim_json at = sim_json_get(root, "bodies");
    for (size_t i = 0; i < world->count; i++)
        if (world->role[i] == SIM_FREE) return;
    sim_json_fail(&at, "nothing is free to move");
}

static void check_start(const sim_json *root, sim_world *world, graze_context *context) {
    char first[300];
    if (sim_world_intersections(world, context, world->x, first, sizeof first))
        sim_json_fail(root, "bodies intersect at the start: %s", first);
}

/* Frames are files of this name. */
static void check_name(const sim_json *root, const char *name) {
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    sim_json at = sim_json_get(root, "name");
    if (!*name || name[strspn(name, allowed)]) sim_json_fail(&at, "must be of letters, digits, - and _");
}

void sim_scene_read(sim_scene *scene, const char *file, const char *text, double size, graze_context *context) {
    io_json_file tree;
    sim_json root = sim_json_parse(file, text, &tree);
    *scene = (sim_scene){.frames = 100};
    sim_settings *s = &scene->world.settings;
    *s = (sim_settings){.time_step = 0.01, .gravity = {0, -9.81, 0}, .max_iterations = 200};
    double own = 1;
    sim_json_object(&root, "name summary size frames time_step gravity attraction reach relative_reach friction slip "
                           "relative_slip tolerance relative_tolerance max_iterations stepper offset fit lift handles "
                           "bodies");
    const char *name = sim_json_text(&root, "name");
    snprintf(scene->name, sizeof scene->name, "%s", name ? name : "scene");
    check_name(&root, scene->name);
    sim_json_text(&root, "summary");
    sim_json_number(&root, "size", 1, MOST_CELLS, &own);
    sim_json_count(&root, "frames", 1, 1000000, &scene->frames);
    sim_json_number(&root, "time_step", 1e-9, 10, &s->time_step);
    sim_json_vector(&root, "gravity", 3, s->gravity);
    sim_json_number(&root, "attraction", 0, 1e9, &s->attraction);
    sim_json_number(&root, "friction", 0, 10, &s->friction);
    sim_json_count(&root, "max_iterations", 1, 100000, &s->max_iterations);
    read_stepper(&root, scene);
    reader r = {scene, size > 0 ? size / own : 1};
    read_bodies(&r, &root);
    hold_parts(&root, &scene->world);
    check_free(&root, &scene->world);
    weigh_obstacles(&scene->world);
    sim_world_close(&scene->world, context);
    read_lengths(&root, &scene->world);
    check_start(&root, &scene->world, context);
    io_json_free(&tree);
}

void sim_scene_free(sim_scene *scene, graze_context *context) { sim_world_free(&scene->world, context); }

/* ---- scenes that come with the program ---- */

char *sim_builtin_summary(const sim_builtin *builtin) {
    io_json_file tree;
    sim_json root = sim_json_parse(builtin->name, builtin->text, &tree);
    const char *summary = sim_json_text(&root, "summary");
    char *copy = app_text("%s", summary ? summary : "");
    io_json_free(&tree);
    return copy;
}

const sim_builtin *sim_builtin_find(const char *name) {
    for (size_t i = 0; sim_builtin_get(i); i++)
        if (strcmp(sim_builtin_get(i)->name, name) == 0) return sim_builtin_get(i);
    return NULL;
}
