#include "articulated/world/units.h"

#include "articulated/world/world.h"
#include "mesh/mesh.h"

#include <math.h>
#include <string.h>

#define MOST_GROUPS 4096u /* whose table is no larger than 16 MB */

/* ---- one unit ---- */

/* Where a still link's vertices are, rounded. */
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
    return !is_still || place(context, &world->still->links, at, unit);
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

static uint32_t *put(uint32_t *to, const void *from, size_t count, uint32_t shift) {
    const uint32_t *ids = from;
    for (size_t i = 0; i < count; i++) to[i] = ids[i] + shift;
    return to + count;
}

/* Totals of the lists, as a mesh without any. */
static graze_mesh straight_counts(const gz_units *units) {
    graze_mesh total = graze_default_mesh();
    for (size_t i = 0; i < units->count; i++) {
        const graze_mesh *mesh = &units->list[i].mesh;
        if (!gz_unit_is_straight(&units->list[i])) continue;
        total.vertex_count += mesh->vertex_count;
        total.edge_count += mesh->edge_count;
        total.face_count += mesh->face_count;
        total.codim_edge_count += mesh->codim_edge_count;
        total.codim_point_count += mesh->codim_point_count;
        total.group_count++;
    }
    return total;
}

static void fill_joined(const gz_units *units, const graze_mesh *total, uint32_t *ids, graze_mesh *made) {
    uint32_t *faces = ids, *edges = faces + 3 * (size_t)total->face_count;
    uint32_t *codim_edges = edges + 2 * (size_t)total->edge_count, *points = codim_edges + total->codim_edge_count;
    uint32_t *groups = points + total->codim_point_count, group = 0;
    void *owned = made->owned;
    *made = *total;
    made->owned = owned;
    made->faces = (const uint32_t(*)[3])faces;
    made->edges = (const uint32_t(*)[2])edges;
    made->codim_edges = codim_edges;
    made->codim_points = points;
    made->groups = groups;
    for (size_t i = 0; i < units->count; i++) {
        const gz_unit *unit = &units->list[i];
        const graze_mesh *mesh = &unit->mesh;
        if (!gz_unit_is_straight(unit)) continue;
        faces = put(faces, mesh->faces, 3 * (size_t)mesh->face_count, unit->straight.vertices);
        edges = put(edges, mesh->edges, 2 * (size_t)mesh->edge_count, unit->straight.vertices);
        codim_edges = put(codim_edges, mesh->codim_edges, mesh->codim_edge_count, unit->straight.edges);
        points = put(points, mesh->codim_points, mesh->codim_point_count, unit->straight.vertices);
        for (uint32_t v = 0; v < mesh->vertex_count; v++) *groups++ = group;
        group++;
    }
}

static bool are_tested(const graze_world *world, const gz_unit *a, const gz_unit *b) {
    if (a->kind == GZ_UNIT_STILL && b->kind == GZ_UNIT_STILL) return false;
    return gz_units_separation(world, a, b, 0) >= 0;
}

/* Which groups may touch; a separation of their own is not for these pairs. */
static graze_status fill_groups(graze_context *context, const graze_world *world, gz_units *units) {
    size_t count = units->joined.group_count, row = 0;
    units->group_pairs = gz_allocate_array(context, count * count, 1);
    if (!units->group_pairs) return GRAZE_ERR_OUT_OF_MEMORY;
    for (size_t i = 0; i < units->count; i++) {
        if (!gz_unit_is_straight(&units->list[i])) continue;
        size_t column = 0;
        for (size_t j = 0; j < units->count; j++) {
            if (!gz_unit_is_straight(&units->list[j])) continue;
            bool tested = are_tested(world, &units->list[i], &units->list[j]);
            if (tested && gz_units_separation(world, &units->list[i], &units->list[j], 0) > 0)
                return gz_fail(context, GRAZE_ERR_UNSUPPORTED, units->list[i].body,
                               "bodies %u and %u move straight: they take no separation of their own",
                               units->list[i].body, units->list[j].body);
            units->group_pairs[row * count + column++] = tested;
        }
        row++;
    }
    units->joined.group_pairs = units->group_pairs;
    return GRAZE_OK;
}

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
    graze_mesh total = straight_counts(units);
    if (total.group_count > MOST_GROUPS)
        return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "more than %u bodies that stand or move straight",
                       MOST_GROUPS);
    uint64_t ids = 3 * (uint64_t)total.face_count + 2 * (uint64_t)total.edge_count + total.codim_edge_count +
                   total.codim_point_count + total.vertex_count;
    gz_owned_lists *owned = gz_mesh_own(context, ids);
    if (!owned) return GRAZE_ERR_OUT_OF_MEMORY;
    fill_joined(units, &total, owned->ids, &owned->made);
    units->joined = owned->made;
    graze_status status = fill_groups(context, world, units);
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
        return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "a filter is asked about links of models alone");
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
    for (size_t i = 0; i < units->count; i++)
        gz_release(context, units->list[i].placed, units->list[i].mesh.vertex_count * sizeof *units->list[i].placed);
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
