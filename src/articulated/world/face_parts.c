#include "articulated/world/face_parts.h"

#include "articulated/parts.h"

#include <string.h>

/* Marks what has an owner; true where it had none. */
static bool take(uint8_t *taken, uint32_t id) {
    bool first = !(taken[id / 8] >> id % 8 & 1);
    taken[id / 8] |= (uint8_t)(1u << id % 8);
    return first;
}

/* Lists that were made by hand may be in any order. */
static bool is_edge(const graze_mesh *mesh, uint32_t id, uint32_t a, uint32_t b) {
    if (id >= mesh->edge_count) return false;
    const uint32_t *edge = mesh->edges[id];
    return (edge[0] == a && edge[1] == b) || (edge[0] == b && edge[1] == a);
}

/* The number of vertices and edges that have an owner. */
static uint64_t fill(const graze_mesh *mesh, uint8_t *vertices, uint8_t *edges, gz_face_part *parts) {
    uint64_t owned = 0;
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        parts[f].owned = 0;
        for (int k = 0; k < 3; k++) {
            uint32_t a = mesh->faces[f][k], b = mesh->faces[f][(k + 1) % 3];
            parts[f].edges[k] = gz_mesh_edge_id(mesh, a, b);
            if (!is_edge(mesh, parts[f].edges[k], a, b)) return 0;
            if (take(vertices, a)) parts[f].owned |= (uint8_t)(1u << k), owned++;
            if (take(edges, parts[f].edges[k])) parts[f].owned |= (uint8_t)(8u << k), owned++;
        }
    }
    return owned;
}

gz_face_part *gz_face_parts_make(graze_context *context, const graze_mesh *mesh, bool *whole) {
    size_t vertex_bytes = mesh->vertex_count / 8 + 1, edge_bytes = mesh->edge_count / 8 + 1;
    uint8_t *taken = gz_allocate_array(context, vertex_bytes + edge_bytes, 1);
    gz_face_part *parts = gz_allocate_array(context, mesh->face_count, sizeof *parts);
    *whole = true;
    if (taken && parts) {
        memset(taken, 0, vertex_bytes + edge_bytes);
        uint64_t all = (uint64_t)mesh->vertex_count + mesh->edge_count;
        *whole = fill(mesh, taken, taken + vertex_bytes, parts) == all && mesh->face_count > 0;
    }
    if (!taken || !*whole) {
        gz_release(context, parts, mesh->face_count * sizeof *parts);
        parts = NULL;
    }
    gz_release(context, taken, vertex_bytes + edge_bytes);
    return parts;
}
