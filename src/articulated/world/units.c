#include "articulated/world/units.h"

#include "articulated/world/columns.h"

#include "articulated/world/world.h"

#include <math.h>
#include <string.h>

/* ---- one unit ---- */

/* Rounded positions of a still link's vertices. */
static bool place(graze_context *context, const gz_still_links *still, uint32_t at, gz_unit *unit) {
    const gz_link *link = still->links[at].link;
    const gz_frame_model *frame = &still->world[at];
    unit->rest = (const double(*)[3])link->vertices;
    if (still->links[at].in_place) return true;
    unit->placed = gz_allocate_array(context, link->vertex_count, sizeof *unit->placed);
    for (uint32_t v = 0; unit->placed && v < link->vertex_count; v++)
        for (int i = 0; i < 3; i++) {
            const double *row = frame->c[0][i], *x = link->vertices[v];
            unit->placed[v][i] = row[0] * x[0] + row[1] * x[1] + row[2] * x[2] + row[3];
        }
    unit->rest = (const double(*)[3])unit->placed;
    return unit->placed != NULL;
}

/* Triangles of links without area have sides that are no edges: then boxes of vertices do. */
static bool take_tree(graze_context *context, const gz_link *link, gz_unit *unit) {
    bool whole;
    unit->parts = unit->own_parts = gz_face_parts_make(context, &unit->mesh, &whole);
    if (!whole) return true;
    unit->columns = unit->own_columns = gz_columns_make(context, unit->rest, unit->mesh.vertex_count);
    unit->nodes = link->tree.nodes;
    return unit->parts && unit->columns;
}

static bool add_link(graze_context *context, const graze_world *world, const gz_scene_link *from, uint32_t at,
                     gz_units *units) {
    bool is_still = at < world->still->links.count;
    if (!from->link->tree.nodes) return true;
    gz_unit *unit = &units->list[units->count++];
    *unit = (gz_unit){.kind = is_still ? GZ_UNIT_STILL : GZ_UNIT_LINK,
                      .body = from->model,
                      .link = from->index,
                      .place = at,
                      .mesh = from->link->mesh,
                      .rest = (const double(*)[3])from->link->vertices,
                      .padding = from->link->padding};
    if (!is_still) unit->size = gz_points_size(unit->rest, unit->mesh.vertex_count);
    return is_still ? place(context, &world->still->links, at, unit) : take_tree(context, from->link, unit);
}

static gz_unit_kind kind_of(graze_body_kind kind) {
    switch (kind) {
    case GRAZE_BODY_STRAIGHT: return GZ_UNIT_STRAIGHT;
    case GRAZE_BODY_AFFINE: return GZ_UNIT_AFFINE;
    case GRAZE_BODY_RIGID: return GZ_UNIT_RIGID;
    case GRAZE_BODY_CUBIC: return GZ_UNIT_CUBIC;
    default: return GZ_UNIT_STILL;
    }
}

static void add_mesh(const gz_body *body, uint32_t index, uint32_t at, gz_units *units) {
    units->list[units->count++] = (gz_unit){.kind = kind_of(body->kind),
                                            .body = index,
                                            .place = at,
                                            .mesh = body->shape->mesh,
                                            .rest = (const double(*)[3])body->shape->rest,
                                            .nodes = body->kind == GRAZE_BODY_RIGID ? body->shape->tree.nodes : NULL,
                                            .parts = body->kind == GRAZE_BODY_RIGID ? body->shape->parts : NULL,
                                            .columns = body->kind == GRAZE_BODY_RIGID ? body->shape->columns : NULL,
                                            .size = body->shape->size,
                                            .padding = body->model.links[0].padding};
}

/* ---- all of them ---- */

/* Links of bodies follow each other, in the still ones and in the others. */
static bool list_units(graze_context *context, const graze_world *world, gz_units *units) {
    uint32_t still = 0, mover = 0, first = world->still->links.count;
    for (uint32_t b = 0; b < world->body_count; b++) {
        const gz_body *body = world->bodies[b];
        for (size_t i = 0; i < body->model.count; i++) {
            bool on_world = body->model.links[i].on_world;
            uint32_t at = on_world ? still++ : first + mover++;
            if (body->shape)
                add_mesh(body, b, at, units);
            else if (!add_link(context, world, on_world ? &world->still->links.links[at] : &world->movers[at - first],
                               at, units))
                return false;
        }
    }
    return true;
}

static void pass(gz_offsets *at, const graze_mesh *mesh) {
    at->vertices += mesh->vertex_count;
    at->edges += mesh->edge_count;
    at->faces += mesh->face_count;
}

/* False where ids do not fit into 31 bits. */
static bool count_units(gz_units *units) {
    gz_offsets all = {0}, straight = {0};
    uint64_t most = 0;
    for (size_t i = 0; i < units->count; i++) {
        gz_unit *unit = &units->list[i];
        unit->joined = all;
        unit->straight = straight;
        most += (uint64_t)unit->mesh.vertex_count + unit->mesh.edge_count + unit->mesh.face_count;
        pass(&all, &unit->mesh);
        if (gz_unit_is_straight(unit)) pass(&straight, &unit->mesh);
        units->straight |= gz_unit_is_straight(unit);
        units->curved |= !gz_unit_is_straight(unit);
    }
    return most <= INT32_MAX;
}

/* ---- those that move straight as one mesh ---- */

static graze_status fill_thickness(graze_context *context, gz_units *units) {
    bool any = false;
    for (size_t i = 0; i < units->count; i++) any |= gz_unit_is_straight(&units->list[i]) && units->list[i].padding > 0;
    if (!any) return GRAZE_OK;
    double *to = units->thickness = gz_allocate_array(context, units->joined.vertex_count, sizeof *to);
    if (!to) return GRAZE_ERR_OUT_OF_MEMORY;
    for (size_t i = 0; i < units->count; i++)
        for (uint32_t v = 0; gz_unit_is_straight(&units->list[i]) && v < units->list[i].mesh.vertex_count; v++)
            *to++ = units->list[i].padding;
    units->joined.thickness = units->thickness;
    return GRAZE_OK;
}

static graze_status join_straight(graze_context *context, const graze_world *world, gz_units *units) {
    graze_status status = gz_units_join(context, world, units, false, &units->joined, &units->group_pairs);
    return status == GRAZE_OK ? fill_thickness(context, units) : status;
}

/* ---- making ---- */

static size_t links_of(const graze_world *world) { return world->still->links.count + world->mover_count; }

/* A pair of primitives knows one padding for each side. */
static graze_status check_radii(graze_context *context, const graze_world *world) {
    for (uint32_t b = 0; b < world->body_count; b++)
        for (size_t i = 0; i < world->bodies[b]->model.count; i++)
            if (world->bodies[b]->model.links[i].radii)
                return gz_fail(context, GRAZE_ERR_UNSUPPORTED, b,
                               "body %u, link %zu: meshes of several radii do not go beside bodies of a mesh", b, i);
    return GRAZE_OK;
}

graze_status gz_units_make(graze_context *context, const graze_world *world, gz_units *units) {
    *units = (gz_units){.context = context, .joined = graze_default_mesh()};
    if (world->filter)
        return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "a filter is only for links of models");
    graze_status status = check_radii(context, world);
    if (status != GRAZE_OK) return status;
    units->room = links_of(world);
    units->list = gz_allocate_array(context, units->room, sizeof *units->list);
    if (!units->list || !list_units(context, world, units)) return GRAZE_ERR_OUT_OF_MEMORY;
    if (!count_units(units))
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "more than 2^31 vertices, edges and faces");
    return units->straight ? join_straight(context, world, units) : GRAZE_OK;
}

void gz_units_release(gz_units *units) {
    graze_context *context = units->context;
    for (size_t i = 0; i < units->count; i++) {
        gz_unit *unit = &units->list[i];
        gz_release(context, unit->placed, unit->mesh.vertex_count * sizeof *unit->placed);
        gz_release(context, unit->own_parts, unit->mesh.face_count * sizeof *unit->own_parts);
        gz_columns_release(context, unit->own_columns, unit->mesh.vertex_count);
    }
    size_t groups = units->joined.group_count;
    gz_release(context, units->group_pairs, groups * groups);
    gz_release(context, units->thickness, units->joined.vertex_count * sizeof *units->thickness);
    graze_mesh_release(context, &units->joined);
    gz_release(context, units->list, units->room * sizeof *units->list);
    *units = (gz_units){0};
}

/* ---- rules ---- */

static const gz_scene_link *scene_link(const graze_world *world, const gz_unit *unit) {
    const gz_still *still = world->still;
    return unit->place < still->links.count ? &still->links.links[unit->place]
                                            : &world->movers[unit->place - still->links.count];
}

/* Links of one body, as gz_scene_is_pair has it; meshes have no triangles there. */
static bool are_joined(const gz_scene_link *x, const gz_scene_link *y, const gz_unit *a, const gz_unit *b) {
    if (a->body != b->body) return false;
    return x->body == y->body || x->parent == (int32_t)b->place || y->parent == (int32_t)a->place;
}

double gz_units_separation(const graze_world *world, const gz_unit *a, const gz_unit *b, double separation) {
    const gz_scene_link *x = scene_link(world, a), *y = scene_link(world, b);
    if (a == b ? !gz_unit_deforms(a) : are_joined(x, y, a, b)) return -1;
    gz_rules_apply(&world->rules, x, y, &separation);
    return separation;
}

double gz_units_margin(const graze_world *world) {
    double most = 0;
    for (size_t i = 0; i < world->rules.count; i++) most = fmax(most, world->rules.list[i].separation);
    return most;
}
