/* Are the lists of a mesh complete? A pair that no list names would be a contact that nobody looks for. */
#include "mesh/sides.h"

#include <string.h>

static graze_status bad(graze_context *context, uint32_t index, const char *what, const char *list) {
    return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, index, "mesh: %s %u: %s", what, index, list);
}

/* The first face with a side that is no edge, and the first edge of no face that is not listed; UINT32_MAX: none. */
typedef struct missing {
    uint32_t face, edge;
} missing;

static void lower(uint32_t *first, uint32_t index) {
    if (index < *first) *first = index;
}

static missing look(const gz_sides *sides, const uint8_t *listed) {
    missing first = {UINT32_MAX, UINT32_MAX};
    for (size_t i = 0, end; i < sides->count; i = end) {
        end = gz_sides_end(sides, i);
        const gz_side *items = sides->items;
        bool face = !(items[i].from & GZ_FREE_EDGE), edge = (items[end - 1].from & GZ_FREE_EDGE) != 0;
        if (face && !edge) lower(&first.face, items[i].from);
        for (size_t k = i; k < end && !face; k++) {
            uint32_t id = items[k].from & ~GZ_FREE_EDGE;
            if (!listed[id]) lower(&first.edge, id);
        }
    }
    return first;
}

/* The first vertex that is in no edge and not listed; UINT32_MAX: none. */
static uint32_t loose_vertex(const graze_mesh *mesh, uint8_t *found) {
    memset(found, 0, mesh->vertex_count);
    for (uint32_t e = 0; e < mesh->edge_count; e++) found[mesh->edges[e][0]] = found[mesh->edges[e][1]] = 1;
    for (uint32_t i = 0; i < mesh->codim_point_count; i++) found[mesh->codim_points[i]] = 1;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        if (!found[v]) return v;
    return UINT32_MAX;
}

static graze_status judge(graze_context *context, const graze_mesh *mesh, const gz_sides *sides, uint8_t *marks) {
    memset(marks, 0, mesh->edge_count);
    for (uint32_t i = 0; i < mesh->codim_edge_count; i++) marks[mesh->codim_edges[i]] = 1;
    missing first = look(sides, marks);
    if (first.face != UINT32_MAX) return bad(context, first.face, "face", "one of its sides is not among the edges");
    if (first.edge != UINT32_MAX)
        return bad(context, first.edge, "edge", "it belongs to no face and is not among the codimensional edges");
    uint32_t loose = loose_vertex(mesh, marks);
    if (loose != UINT32_MAX)
        return bad(context, loose, "vertex", "it belongs to no edge and is not among the codimensional points");
    return GRAZE_OK;
}

graze_status gz_topology_check(graze_context *context, const graze_mesh *mesh) {
    size_t marked = mesh->vertex_count > mesh->edge_count ? mesh->vertex_count : mesh->edge_count;
    gz_sides sides;
    bool open = gz_sides_open(context, mesh->vertex_count, mesh->faces, mesh->face_count, mesh->edges, mesh->edge_count,
                              &sides);
    uint8_t *marks = gz_allocate(context, marked);
    graze_status status = open && marks ? judge(context, mesh, &sides, marks) : GRAZE_ERR_OUT_OF_MEMORY;
    gz_release(context, marks, marked);
    gz_sides_close(context, &sides);
    return status;
}

/* ---- once for a topology ---- */

/* Eight lanes side by side, about as fast as the ids can be read. The product spreads an id over its lane, so that
   edits of two small ids cannot undo each other, as they could in a sum. */
static uint32_t add_id(uint32_t lane, uint32_t id) { return (lane ^ id) * 0x9e3779b1u; }

static uint64_t add_ids(uint64_t hash, const uint32_t *ids, size_t count) {
    enum { LANES = 8 };
    uint32_t lanes[LANES] = {1, 2, 3, 4, 5, 6, 7, 8};
    size_t i = 0;
    for (; i + LANES <= count; i += LANES)
        for (int k = 0; k < LANES; k++) lanes[k] = add_id(lanes[k], ids[i + (size_t)k]);
    for (; i < count; i++) lanes[i % LANES] = add_id(lanes[i % LANES], ids[i]);
    hash = (hash ^ count) * 0x9e3779b97f4a7c15u;
    for (int k = 0; k < LANES; k++) hash = (hash ^ hash >> 29 ^ lanes[k]) * 0xbf58476d1ce4e5b9u;
    return hash;
}

uint64_t gz_topology_hash(const graze_mesh *mesh) {
    uint64_t hash = (uint64_t)mesh->vertex_count + 1;
    if (mesh->face_count) hash = add_ids(hash, (const uint32_t *)mesh->faces, 3 * (size_t)mesh->face_count);
    hash = (hash ^ mesh->face_count) * 0x94d049bb133111ebu;
    if (mesh->edge_count) hash = add_ids(hash, (const uint32_t *)mesh->edges, 2 * (size_t)mesh->edge_count);
    hash = add_ids(hash, mesh->codim_edges, mesh->codim_edge_count);
    hash = add_ids(hash, mesh->codim_points, mesh->codim_point_count);
    return hash ? hash : 1;
}
