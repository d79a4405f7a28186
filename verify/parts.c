#include "verify/parts.h"

#include <stdlib.h>
#include <string.h>

static uint32_t first_of(uint32_t *joined, uint32_t v) {
    while (joined[v] != v) v = joined[v] = joined[joined[v]];
    return v;
}

static void join(uint32_t *joined, uint32_t v, uint32_t w) {
    v = first_of(joined, v);
    w = first_of(joined, w);
    joined[v < w ? w : v] = v < w ? v : w;
}

/* An edge of a face, its smaller vertex first. */
typedef struct edge {
    uint32_t v, w, face;
} edge;

static int by_vertices(const void *a, const void *b) {
    const edge *x = a, *y = b;
    if (x->v != y->v) return x->v < y->v ? -1 : 1;
    return x->w < y->w ? -1 : x->w > y->w;
}

static void list_edges(const path_mesh *mesh, edge *edges) {
    for (size_t f = 0; f < mesh->face_count; f++)
        for (int k = 0; k < 3; k++) {
            uint32_t v = mesh->faces[f][k], w = mesh->faces[f][(k + 1) % 3];
            edges[3 * f + (size_t)k] = (edge){v < w ? v : w, v < w ? w : v, (uint32_t)f};
        }
    qsort(edges, 3 * mesh->face_count, sizeof *edges, by_vertices);
}

/* Parts that have an edge of other than two triangles, or one without length, are not closed. */
static void open_parts(mesh_parts *parts, const edge *edges, size_t count) {
    for (size_t i = 0; i < count;) {
        size_t end = i;
        while (end < count && by_vertices(&edges[i], &edges[end]) == 0) end++;
        bool good = end - i == 2 && edges[i].v != edges[i].w && edges[i].face != edges[i + 1].face;
        for (; i < end; i++)
            if (!good) parts->closed[parts->of_face[edges[i].face]] = false;
    }
}

static void number_faces(mesh_parts *parts, const path_mesh *mesh, uint32_t *joined, uint32_t *numbers) {
    for (size_t v = 0; v < mesh->vertex_count; v++) joined[v] = (uint32_t)v;
    memset(numbers, 0xff, mesh->vertex_count * sizeof *numbers);
    for (size_t f = 0; f < mesh->face_count; f++)
        for (int k = 1; k < 3; k++) join(joined, mesh->faces[f][0], mesh->faces[f][k]);
    for (size_t f = 0; f < mesh->face_count; f++) {
        uint32_t root = first_of(joined, mesh->faces[f][0]);
        if (numbers[root] == UINT32_MAX) {
            parts->first[parts->count] = root;
            parts->closed[parts->count] = true;
            numbers[root] = (uint32_t)parts->count++;
        }
        parts->of_face[f] = numbers[root];
    }
}

bool mesh_parts_find(mesh_parts *parts, const path_mesh *mesh) {
    *parts = (mesh_parts){.of_face = calloc(mesh->face_count + 1, sizeof *parts->of_face),
                          .first = calloc(mesh->face_count + 1, sizeof *parts->first),
                          .closed = calloc(mesh->face_count + 1, sizeof *parts->closed)};
    uint32_t *joined = calloc(mesh->vertex_count + 1, sizeof *joined);
    uint32_t *numbers = calloc(mesh->vertex_count + 1, sizeof *numbers);
    edge *edges = calloc(3 * mesh->face_count + 1, sizeof *edges);
    bool good = parts->of_face && parts->first && parts->closed && joined && numbers && edges;
    if (good) {
        number_faces(parts, mesh, joined, numbers);
        list_edges(mesh, edges);
        open_parts(parts, edges, 3 * mesh->face_count);
    }
    free(joined);
    free(numbers);
    free(edges);
    return good;
}

void mesh_parts_free(mesh_parts *parts) {
    free(parts->of_face);
    free(parts->first);
    free(parts->closed);
    *parts = (mesh_parts){0};
}
