/* Units as one mesh, with a group for each. */
#include "articulated/world/units.h"
#include "articulated/world/world.h"
#include "mesh/mesh.h"

#define MOST_GROUPS 4096u /* whose table is no larger than 16 MB */

/* ---- lists ---- */

static uint32_t *put(uint32_t *to, const void *from, size_t count, uint32_t shift) {
    const uint32_t *ids = from;
    for (size_t i = 0; i < count; i++) to[i] = ids[i] + shift;
    return to + count;
}

static bool takes(const gz_unit *unit, bool all) { return all || gz_unit_is_straight(unit); }

static const gz_offsets *place_of(const gz_unit *unit, bool all) { return all ? &unit->joined : &unit->straight; }

/* Totals of the lists, as a mesh without any. */
static graze_mesh count_lists(const gz_units *units, bool all) {
    graze_mesh total = graze_default_mesh();
    for (size_t i = 0; i < units->count; i++) {
        const graze_mesh *mesh = &units->list[i].mesh;
        if (!takes(&units->list[i], all)) continue;
        total.vertex_count += mesh->vertex_count;
        total.edge_count += mesh->edge_count;
        total.face_count += mesh->face_count;
        total.codim_edge_count += mesh->codim_edge_count;
        total.codim_point_count += mesh->codim_point_count;
        total.group_count++;
    }
    return total;
}

static void fill_lists(const gz_units *units, bool all, const graze_mesh *total, uint32_t *ids, graze_mesh *made) {
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
        const gz_offsets *at = place_of(unit, all);
        if (!takes(unit, all)) continue;
        faces = put(faces, mesh->faces, 3 * (size_t)mesh->face_count, at->vertices);
        edges = put(edges, mesh->edges, 2 * (size_t)mesh->edge_count, at->vertices);
        codim_edges = put(codim_edges, mesh->codim_edges, mesh->codim_edge_count, at->edges);
        points = put(points, mesh->codim_points, mesh->codim_point_count, at->vertices);
        for (uint32_t v = 0; v < mesh->vertex_count; v++) *groups++ = group;
        group++;
    }
}

static bool are_tested(const graze_world *world, const gz_unit *a, const gz_unit *b) {
    if (a->kind == GZ_UNIT_STILL && b->kind == GZ_UNIT_STILL) return false;
    return gz_units_separation(world, a, b, 0) >= 0;
}

/* Which groups may touch; a separation of their own is not for straight pairs. */
static graze_status fill_groups(graze_context *context, const graze_world *world, const gz_units *units, bool all,
                                graze_mesh *joined, uint8_t **table) {
    size_t count = joined->group_count, row = 0;
    *table = gz_allocate_array(context, count * count, 1);
    if (!*table) return GRAZE_ERR_OUT_OF_MEMORY;
    for (size_t i = 0; i < units->count; i++) {
        if (!takes(&units->list[i], all)) continue;
        size_t column = 0;
        for (size_t j = 0; j < units->count; j++) {
            if (!takes(&units->list[j], all)) continue;
            bool tested = are_tested(world, &units->list[i], &units->list[j]);
            if (!all && tested && gz_units_separation(world, &units->list[i], &units->list[j], 0) > 0)
                return gz_fail(context, GRAZE_ERR_UNSUPPORTED, units->list[i].body,
                               "bodies %u and %u move straight: they take no separation of their own",
                               units->list[i].body, units->list[j].body);
            (*table)[row * count + column++] = tested;
        }
        row++;
    }
    joined->group_pairs = *table;
    return GRAZE_OK;
}

graze_status gz_units_join(graze_context *context, const graze_world *world, const gz_units *units, bool all,
                           graze_mesh *joined, uint8_t **table) {
    graze_mesh total = count_lists(units, all);
    if (total.group_count > MOST_GROUPS)
        return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "more than %u bodies %s", MOST_GROUPS,
                       all ? "in one check of the start" : "that stand or move straight");
    uint64_t ids = 3 * (uint64_t)total.face_count + 2 * (uint64_t)total.edge_count + total.codim_edge_count +
                   total.codim_point_count + total.vertex_count;
    gz_owned_lists *owned = gz_mesh_own(context, ids);
    if (!owned) return GRAZE_ERR_OUT_OF_MEMORY;
    fill_lists(units, all, &total, owned->ids, &owned->made);
    *joined = owned->made;
    return fill_groups(context, world, units, all, joined, table);
}
