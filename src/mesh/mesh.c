/* Topology from parts: edges and codimensional lists. */
#include "mesh/sides.h"

#include <string.h>

static const graze_mesh empty = {0};

void graze_init_mesh(graze_mesh *mesh, size_t size) { gz_sized_init(mesh, size, &empty, sizeof empty); }

gz_owned_lists *gz_mesh_own(graze_context *context, uint64_t ids) {
    if (ids > (PTRDIFF_MAX - sizeof(gz_owned_lists)) / sizeof(uint32_t)) return NULL;
    size_t bytes = sizeof(gz_owned_lists) + (size_t)ids * sizeof(uint32_t);
    gz_owned_lists *owned = gz_allocate(context, bytes);
    if (!owned) return NULL;
    owned->bytes = bytes;
    owned->unasked = 0;
    owned->halves = NULL;
    owned->halves_of_longer = 0;
    owned->made = graze_default_mesh();
    owned->made.owned = owned;
    return owned;
}

const uint8_t *gz_mesh_halves(const graze_mesh *mesh) {
    const gz_owned_lists *owned = mesh->owned;
    return owned ? owned->halves : NULL;
}

bool gz_mesh_has_rules(const graze_mesh *mesh) { return mesh->groups || gz_mesh_halves(mesh); }

typedef struct part_counts {
    size_t edges, codim_edges, codim_points;
} part_counts;

#define IN_EDGE 1u
#define IS_POINT 2u

/* Marks the ends of all edges and counts the lists. */
static part_counts count_parts(const gz_sides *sides, uint8_t *marks, uint32_t vertex_count) {
    part_counts counts = {0};
    for (size_t i = 0; i < sides->count; i = gz_sides_end(sides, i)) {
        const gz_side *side = &sides->items[i];
        marks[side->v[0]] |= IN_EDGE;
        marks[side->v[1]] |= IN_EDGE;
        counts.edges++;
        counts.codim_edges += (side->from & GZ_FREE_EDGE) != 0;
    }
    for (uint32_t v = 0; v < vertex_count; v++) counts.codim_points += marks[v] == IS_POINT;
    return counts;
}

/* Edges, codimensional edges, codimensional points. */
static void fill_lists(const gz_sides *sides, const uint8_t *marks, const part_counts *counts, gz_owned_lists *owned) {
    uint32_t(*edges)[2] = (uint32_t(*)[2])owned->ids;
    uint32_t *codim_edges = owned->ids + 2 * counts->edges, *codim_points = codim_edges + counts->codim_edges;
    graze_mesh *made = &owned->made;
    made->edges = (const uint32_t(*)[2])edges;
    made->codim_edges = counts->codim_edges ? codim_edges : NULL;
    made->codim_points = counts->codim_points ? codim_points : NULL;
    for (size_t i = 0; i < sides->count; i = gz_sides_end(sides, i)) {
        const gz_side *side = &sides->items[i];
        if (side->from & GZ_FREE_EDGE) codim_edges[made->codim_edge_count++] = made->edge_count;
        memcpy(edges[made->edge_count++], side->v, sizeof side->v);
    }
    for (uint32_t v = 0; v < made->vertex_count; v++)
        if (marks[v] == IS_POINT) codim_points[made->codim_point_count++] = v;
}

static graze_status make_lists(graze_context *context, const graze_mesh *parts, const gz_sides *sides, uint8_t *marks,
                               graze_mesh *mesh) {
    part_counts counts = count_parts(sides, marks, parts->vertex_count);
    if (counts.edges > INT32_MAX)
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "%zu edges: at most 2^31", counts.edges);
    gz_owned_lists *owned = gz_mesh_own(context, 2 * counts.edges + counts.codim_edges + counts.codim_points);
    if (!owned) return GRAZE_ERR_OUT_OF_MEMORY;
    owned->made.vertex_count = parts->vertex_count;
    owned->made.face_count = parts->face_count;
    owned->made.faces = parts->faces;
    fill_lists(sides, marks, &counts, owned);
    gz_sized_write(mesh, &owned->made, sizeof owned->made);
    return GRAZE_OK;
}

/* `parts` holds the given faces, edges and points, the latter as codim_points; NULL: every vertex. */
static graze_status check_parts(graze_context *context, const graze_mesh *parts) {
    graze_mesh read;
    if (parts->face_count && !parts->faces)
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "faces is NULL with %u faces",
                       parts->face_count);
    if (parts->edge_count && !parts->edges)
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "edges is NULL with %u edges",
                       parts->edge_count);
    graze_status status = gz_mesh_read(context, parts, &read);
    for (uint32_t e = 0; e < parts->edge_count && status == GRAZE_OK; e++)
        if (parts->edges[e][0] == parts->edges[e][1])
            return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, e, "edge %u: both ends are vertex %u", e,
                           parts->edges[e][0]);
    return status;
}

static graze_status from_parts(graze_context *context, const graze_mesh *parts, bool all_points, graze_mesh *mesh) {
    graze_status status = check_parts(context, parts);
    if (status != GRAZE_OK) return status;
    gz_sides sides;
    bool listed = gz_sides_open(context, parts->vertex_count, parts->faces, parts->face_count, parts->edges,
                                parts->edge_count, &sides);
    uint8_t *marks = gz_allocate(context, parts->vertex_count);
    if (listed && marks) {
        if (parts->vertex_count) memset(marks, all_points ? IS_POINT : 0, parts->vertex_count);
        for (uint32_t i = 0; i < parts->codim_point_count; i++) marks[parts->codim_points[i]] = IS_POINT;
        status = make_lists(context, parts, &sides, marks, mesh);
    } else {
        status = GRAZE_ERR_OUT_OF_MEMORY;
    }
    gz_release(context, marks, parts->vertex_count);
    gz_sides_close(context, &sides);
    return status;
}

static graze_status make(graze_context *context, const graze_mesh *parts, bool all_points, graze_mesh *mesh) {
    if (!mesh) return GRAZE_ERR_INVALID_ARGUMENT;
    graze_status status = gz_sized_check(NULL, "mesh", mesh, GZ_MESH_LEAST);
    if (status != GRAZE_OK) return status;
    gz_sized_write(mesh, &empty, sizeof empty);
    gz_fp_environment env;
    status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    return gz_context_leave(context, &env, from_parts(context, parts, all_points, mesh));
}

graze_status graze_mesh_from_faces(graze_context *context, uint32_t vertex_count, const uint32_t (*faces)[3],
                                   uint32_t face_count, graze_mesh *mesh) {
    graze_mesh parts = graze_default_mesh();
    parts.vertex_count = vertex_count;
    parts.faces = faces;
    parts.face_count = face_count;
    return make(context, &parts, false, mesh);
}

graze_status graze_mesh_from_parts(graze_context *context, uint32_t vertex_count, const uint32_t (*faces)[3],
                                   uint32_t face_count, const uint32_t (*edges)[2], uint32_t edge_count,
                                   const uint32_t *points, uint32_t point_count, graze_mesh *mesh) {
    graze_mesh parts = graze_default_mesh();
    parts.vertex_count = vertex_count;
    parts.faces = faces;
    parts.face_count = face_count;
    parts.edges = edges;
    parts.edge_count = edge_count;
    parts.codim_points = points;
    parts.codim_point_count = points ? point_count : 0;
    return make(context, &parts, !points, mesh);
}

void graze_mesh_release(graze_context *context, graze_mesh *mesh) {
    if (!mesh || mesh->struct_size < GZ_MESH_LEAST) return;
    gz_owned_lists *owned = mesh->owned;
    if (owned) gz_release(context, owned, owned->bytes);
    gz_sized_write(mesh, &empty, sizeof empty);
}

bool gz_mesh_is_as_made(const graze_mesh *mesh) {
    const gz_owned_lists *owned = mesh->owned;
    if (!owned) return false;
    const graze_mesh *made = &owned->made;
    bool same = mesh->vertex_count == made->vertex_count && mesh->faces == made->faces &&
                mesh->face_count == made->face_count && mesh->edges == made->edges &&
                mesh->edge_count == made->edge_count;
    bool edges = mesh->codim_edges == made->codim_edges && mesh->codim_edge_count == made->codim_edge_count;
    bool points = mesh->codim_points == made->codim_points && mesh->codim_point_count == made->codim_point_count;
    return same && (edges || made->codim_edge_count == 0) && (points || made->codim_point_count == 0);
}

bool gz_mesh_filters(const graze_mesh *mesh, graze_kind kind) {
    const gz_owned_lists *owned = mesh->owned;
    return mesh->filter && !(owned && owned->unasked >> kind & 1u);
}
