/* Finds parts by joining vertices, and closed ones by counting the triangles of edges. */
#include "articulated/parts.h"

#define FEW_PARTS 4 /* a tree is not faster */

uint32_t gz_mesh_edge_id(const graze_mesh *mesh, uint32_t v, uint32_t w) {
    uint32_t small = v < w ? v : w, large = v < w ? w : v, lo = 0, hi = mesh->edge_count;
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        const uint32_t *e = mesh->edges[middle];
        if (e[1] < large || (e[1] == large && e[0] < small))
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

/* State of the search for parts. */
typedef struct part_search {
    uint32_t *joined; /* of a vertex: itself, or another one of its part that is nearer to its first */
    uint32_t *uses;   /* of an edge: how many triangles have it */
} part_search;

static uint32_t first_of(uint32_t *joined, uint32_t v) {
    while (joined[v] != v) v = joined[v] = joined[joined[v]];
    return v;
}

static void join(uint32_t *joined, uint32_t v, uint32_t w) {
    v = first_of(joined, v);
    w = first_of(joined, w);
    if (v < w)
        joined[w] = v;
    else
        joined[v] = w;
}

static void count_uses(const graze_mesh *mesh, part_search *search) {
    for (uint32_t v = 0; v < mesh->vertex_count; v++) search->joined[v] = v;
    for (uint32_t e = 0; e < mesh->edge_count; e++) search->uses[e] = 0;
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        const uint32_t *x = mesh->faces[f];
        for (int k = 0; k < 3; k++) {
            join(search->joined, x[k], x[(k + 1) % 3]);
            if (x[k] == x[(k + 1) % 3]) continue;
            search->uses[gz_mesh_edge_id(mesh, x[k], x[(k + 1) % 3])]++;
        }
    }
}

static bool has_loose_edge(const graze_mesh *mesh, const part_search *search, uint32_t face) {
    const uint32_t *x = mesh->faces[face];
    for (int k = 0; k < 3; k++)
        if (x[k] == x[(k + 1) % 3] || search->uses[gz_mesh_edge_id(mesh, x[k], x[(k + 1) % 3])] != 2) return true;
    return false;
}

/* The part that begins with the given vertex; UINT32_MAX without memory. */
static uint32_t part_of(graze_context *context, gz_parts *parts, uint32_t *numbers, uint32_t vertex) {
    if (numbers[vertex] != UINT32_MAX) return numbers[vertex];
    if (!gz_grow(context, (void **)&parts->list, &parts->capacity, parts->count + 1, sizeof *parts->list))
        return UINT32_MAX;
    parts->list[parts->count] = (gz_part){vertex, true};
    return numbers[vertex] = parts->count++;
}

static graze_status number_faces(graze_context *context, const graze_mesh *mesh, part_search *search, uint32_t *numbers,
                                 gz_parts *parts) {
    for (uint32_t v = 0; v < mesh->vertex_count; v++) numbers[v] = UINT32_MAX;
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        uint32_t part = part_of(context, parts, numbers, first_of(search->joined, mesh->faces[f][0]));
        if (part == UINT32_MAX) return GRAZE_ERR_OUT_OF_MEMORY;
        parts->of_face[f] = part;
        if (has_loose_edge(mesh, search, f)) parts->list[part].closed = false;
    }
    return GRAZE_OK;
}

graze_status gz_parts_find(graze_context *context, const graze_mesh *mesh, gz_parts *parts) {
    *parts = (gz_parts){0};
    if (mesh->face_count == 0) return GRAZE_OK;
    part_search search = {gz_allocate_array(context, mesh->vertex_count, sizeof *search.joined),
                          gz_allocate_array(context, mesh->edge_count, sizeof *search.uses)};
    uint32_t *numbers = gz_allocate_array(context, mesh->vertex_count, sizeof *numbers);
    parts->of_face = gz_allocate_array(context, mesh->face_count, sizeof *parts->of_face);
    parts->face_count = parts->of_face ? mesh->face_count : 0;
    graze_status status = GRAZE_ERR_OUT_OF_MEMORY;
    if (search.joined && search.uses && numbers && parts->of_face) {
        count_uses(mesh, &search);
        status = number_faces(context, mesh, &search, numbers, parts);
    }
    gz_release(context, search.joined, mesh->vertex_count * sizeof *search.joined);
    gz_release(context, search.uses, mesh->edge_count * sizeof *search.uses);
    gz_release(context, numbers, mesh->vertex_count * sizeof *numbers);
    for (uint32_t i = 0; status == GRAZE_OK && i < parts->count; i++) parts->closed_count += parts->list[i].closed;
    if (status != GRAZE_OK) gz_parts_release(context, parts);
    return status;
}

/* Triangles without extent, so that the tree of triangles holds the vertices. */
graze_status gz_parts_sort(graze_context *context, const double (*vertices)[3], gz_parts *parts) {
    if (parts->count <= FEW_PARTS) return GRAZE_OK;
    uint32_t(*faces)[3] = gz_allocate_array(context, parts->count, sizeof *faces);
    if (!faces) return GRAZE_ERR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < parts->count; i++) faces[i][0] = faces[i][1] = faces[i][2] = parts->list[i].vertex;
    graze_status status =
        gz_face_tree_build(context, vertices, (const uint32_t(*)[3])faces, parts->count, &parts->tree);
    gz_release(context, faces, parts->count * sizeof *faces);
    return status;
}

void gz_parts_release(graze_context *context, gz_parts *parts) {
    gz_face_tree_release(context, &parts->tree);
    gz_release(context, parts->of_face, parts->face_count * sizeof *parts->of_face);
    gz_release(context, parts->list, parts->capacity * sizeof *parts->list);
    *parts = (gz_parts){0};
}
