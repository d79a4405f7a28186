#include "world/worlds_joined.h"

#include "mesh/mesh.h"

#include <string.h>

/* ---- joining ---- */

static const char *unsuited_world(const graze_world *world) {
    if (!world->mixed) return "a world has only models and static bodies";
    if (world->units.curved) return "a body neither stands nor moves straight";
    if (!world->units.joined.vertex_count) return "a world has no vertices";
    return NULL;
}

static void add_counts(const graze_mesh *from, graze_mesh *to) {
    to->vertex_count += from->vertex_count;
    to->edge_count += from->edge_count;
    to->face_count += from->face_count;
    to->codim_edge_count += from->codim_edge_count;
    to->codim_point_count += from->codim_point_count;
    if (to->group_count < from->group_count) to->group_count = from->group_count;
}

/* Totals of the lists, and whether ids fit into 31 bits. */
static bool count_all(const graze_worlds *worlds, graze_mesh *total) {
    uint64_t most = 0;
    *total = graze_default_mesh();
    for (size_t w = 0; w < worlds->count; w++) {
        const graze_mesh *one = &worlds->list[w].world->units.joined;
        most += (uint64_t)one->vertex_count + one->edge_count + one->face_count;
        if (most > INT32_MAX) return false;
        add_counts(one, total);
    }
    return (uint64_t)worlds->count * total->group_count <= UINT32_MAX;
}

static uint32_t *put(uint32_t *to, const void *from, size_t count, uint32_t shift) {
    const uint32_t *ids = from;
    for (size_t i = 0; i < count; i++) to[i] = ids[i] + shift;
    return to + count;
}

static graze_status join_lists(const graze_worlds *worlds, const graze_mesh *total, gz_joined_worlds *joined) {
    uint64_t ids = 3 * (uint64_t)total->face_count + 2 * (uint64_t)total->edge_count + total->codim_edge_count +
                   total->codim_point_count + total->vertex_count;
    gz_owned_lists *owned = gz_mesh_own(joined->context, ids);
    if (!owned) return GRAZE_ERR_OUT_OF_MEMORY;
    uint32_t *faces = owned->ids, *edges = faces + 3 * (size_t)total->face_count;
    uint32_t *lone = edges + 2 * (size_t)total->edge_count, *points = lone + total->codim_edge_count;
    uint32_t *groups = points + total->codim_point_count;
    void *self = owned->made.owned;
    owned->made = *total;
    owned->made.owned = self;
    owned->made.faces = (const uint32_t(*)[3])faces;
    owned->made.edges = (const uint32_t(*)[2])edges;
    owned->made.codim_edges = lone;
    owned->made.codim_points = points;
    owned->made.groups = groups;
    joined->mesh = owned->made;
    for (size_t w = 0; w < worlds->count; w++) {
        const graze_mesh *one = &worlds->list[w].world->units.joined;
        const gz_offsets *at = &joined->first[w];
        faces = put(faces, one->faces, 3 * (size_t)one->face_count, at->vertices);
        edges = put(edges, one->edges, 2 * (size_t)one->edge_count, at->vertices);
        lone = put(lone, one->codim_edges, one->codim_edge_count, at->edges);
        points = put(points, one->codim_points, one->codim_point_count, at->vertices);
        groups = put(groups, one->groups, one->vertex_count, 0);
    }
    return GRAZE_OK;
}

static void count_firsts(const graze_worlds *worlds, gz_joined_worlds *joined) {
    gz_offsets at = {0, 0, 0};
    for (size_t w = 0; w < worlds->count; w++) {
        const graze_mesh *one = &worlds->list[w].world->units.joined;
        joined->first[w] = at;
        joined->first_vertex[w] = at.vertices;
        at.vertices += one->vertex_count, at.edges += one->edge_count, at.faces += one->face_count;
    }
    joined->first[worlds->count] = at;
    joined->first_vertex[worlds->count] = at.vertices;
}

#define UNKNOWN 2 /* of two groups that no world has had both of so far */

/* One table for all worlds: false where two of them differ. */
static bool take_table(const graze_mesh *one, size_t count, uint8_t *table) {
    for (size_t i = 0; i < one->group_count; i++)
        for (size_t j = 0; j < one->group_count; j++) {
            uint8_t *at = &table[i * count + j], wanted = one->group_pairs[i * one->group_count + j] != 0;
            if (*at != UNKNOWN && *at != wanted) return false;
            *at = wanted;
        }
    return true;
}

static bool join_tables(const graze_worlds *worlds, gz_joined_worlds *joined) {
    size_t count = joined->groups;
    memset(joined->table, UNKNOWN, count * count);
    for (size_t w = 0; w < worlds->count; w++)
        if (!take_table(&worlds->list[w].world->units.joined, count, joined->table)) return false;
    for (size_t i = 0; i < count * count; i++) joined->table[i] = joined->table[i] == 1;
    joined->mesh.group_pairs = joined->table;
    return true;
}

/* Pairs without padding have other bits where the mesh has paddings. */
static bool pads_alike(const graze_worlds *worlds) {
    bool first = worlds->list[0].world->units.joined.thickness != NULL;
    for (size_t w = 0; w < worlds->count; w++)
        if ((worlds->list[w].world->units.joined.thickness != NULL) != first) return false;
    return true;
}

static bool join_thickness(const graze_worlds *worlds, gz_joined_worlds *joined) {
    if (!worlds->list[0].world->units.joined.thickness) return true;
    joined->thickness = gz_allocate_array(joined->context, joined->mesh.vertex_count, sizeof *joined->thickness);
    if (!joined->thickness) return false;
    double *to = joined->thickness;
    for (size_t w = 0; w < worlds->count; w++) {
        const graze_mesh *one = &worlds->list[w].world->units.joined;
        memcpy(to, one->thickness, one->vertex_count * sizeof *to);
        to += one->vertex_count;
    }
    joined->mesh.thickness = joined->thickness;
    return true;
}

static gz_joined_piece piece_of(const gz_one_world *one, const gz_unit *unit, uint32_t first, uint32_t *affine) {
    bool stays = unit->kind == GZ_UNIT_STILL;
    gz_joined_piece made = {.unit = unit, .body = one->bodies[unit->body], .affine = *affine};
    made.piece = (gz_backend_piece){.x0 = (const char *)unit->rest,
                                    .x1 = (const char *)unit->rest,
                                    .stride = sizeof *unit->rest,
                                    .first = first,
                                    .count = unit->mesh.vertex_count,
                                    .place = stays ? GZ_PIECE_STAYS : GZ_PIECE_ON_HOST};
    if (unit->kind == GZ_UNIT_AFFINE) *affine += unit->mesh.vertex_count;
    return made;
}

static bool list_pieces(const graze_worlds *worlds, gz_joined_worlds *joined) {
    size_t count = 0;
    for (size_t w = 0; w < worlds->count; w++) count += worlds->list[w].world->units.count;
    joined->pieces = gz_allocate_array(joined->context, count, sizeof *joined->pieces);
    joined->piece_count = count;
    if (!joined->pieces) return false;
    gz_joined_piece *to = joined->pieces;
    for (size_t w = 0; w < worlds->count; w++) {
        const gz_units *units = &worlds->list[w].world->units;
        for (size_t i = 0; i < units->count; i++)
            *to++ = piece_of(&worlds->list[w], &units->list[i],
                             joined->first[w].vertices + units->list[i].straight.vertices, &joined->affine);
    }
    return true;
}

static graze_status fill(graze_worlds *worlds, const graze_mesh *total, gz_joined_worlds *joined) {
    graze_context *context = joined->context;
    size_t groups = joined->groups = total->group_count;
    joined->first = gz_allocate_array(context, worlds->count + 1, sizeof *joined->first);
    joined->first_vertex = gz_allocate_array(context, worlds->count + 1, sizeof *joined->first_vertex);
    joined->table = gz_allocate_array(context, groups * groups, 1);
    if (!joined->first || !joined->first_vertex || !joined->table) return GRAZE_ERR_OUT_OF_MEMORY;
    count_firsts(worlds, joined);
    graze_status status = join_lists(worlds, total, joined);
    if (status != GRAZE_OK) return status;
    if (!join_tables(worlds, joined)) worlds->not_joined = "rules of its worlds differ";
    if (!pads_alike(worlds)) worlds->not_joined = "some of its worlds have paddings, and some have none";
    if (worlds->not_joined) return GRAZE_OK;
    return join_thickness(worlds, joined) && list_pieces(worlds, joined) ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY;
}

graze_status gz_worlds_join(graze_worlds *worlds) {
    static atomic_uint_least64_t serials;
    graze_mesh total;
    worlds->not_joined = "the worlds were made by a context of another back end";
    if (worlds->context->options.backend != GRAZE_BACKEND_CUDA) return GRAZE_OK;
    for (size_t w = 0; w < worlds->count; w++) {
        worlds->not_joined = unsuited_world(worlds->list[w].world);
        if (worlds->not_joined) return GRAZE_OK;
    }
    if (!count_all(worlds, &total)) {
        worlds->not_joined = "they have more than 2^31 vertices, edges and faces";
        return GRAZE_OK;
    }
    worlds->joined = gz_allocate(worlds->context, sizeof *worlds->joined);
    if (!worlds->joined) return GRAZE_ERR_OUT_OF_MEMORY;
    *worlds->joined = (gz_joined_worlds){.context = worlds->context, .serial = atomic_fetch_add(&serials, 1) + 1};
    graze_status status = fill(worlds, &total, worlds->joined);
    if (status != GRAZE_OK || worlds->not_joined) gz_worlds_joined_release(worlds);
    return status;
}

void gz_worlds_joined_release(graze_worlds *worlds) {
    gz_joined_worlds *joined = worlds->joined;
    if (!joined) return;
    graze_context *context = joined->context;
    size_t vertices = joined->mesh.vertex_count;
    gz_release(context, joined->pieces, joined->piece_count * sizeof *joined->pieces);
    gz_release(context, joined->thickness, vertices * sizeof *joined->thickness);
    gz_release(context, joined->table, joined->groups * joined->groups);
    gz_release(context, joined->first_vertex, (worlds->count + 1) * sizeof *joined->first_vertex);
    gz_release(context, joined->first, (worlds->count + 1) * sizeof *joined->first);
    graze_mesh_release(context, &joined->mesh);
    gz_release(context, joined, sizeof *joined);
    worlds->joined = NULL;
}
