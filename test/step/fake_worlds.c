/* Many worlds on the fake back end. */
#include "step/fake_backend.h"

#include <stdlib.h>
#include <string.h>

static uint32_t *worlds_of[2]; /* by vertex, and by edge */

static uint32_t world_of(graze_kind kind, uint32_t id, int second) {
    return worlds_of[kind == GRAZE_EE || (second && kind == GRAZE_PE)][id];
}

static uint32_t world_of_face(const graze_mesh *mesh, uint32_t face) { return worlds_of[0][mesh->faces[face][0]]; }

static int in_one_world(void *user, graze_kind kind, uint32_t a, uint32_t b) {
    return world_of(kind, a, 0) == (kind == GRAZE_VF ? world_of_face(user, b) : world_of(kind, b, 1));
}

static void gather(const gz_backend_worlds *worlds, char *x0, char *x1) {
    for (size_t i = 0; i < worlds->piece_count; i++) {
        const gz_backend_piece *p = &worlds->pieces[i];
        for (size_t v = 0; v < p->count; v++) {
            memcpy(x0 + 24 * (p->first + v), p->x0 + p->stride * v, 24);
            memcpy(x1 + 24 * (p->first + v), p->x1 + p->stride * v, 24);
        }
    }
}

int fake_worlds_open(const gz_backend_request *request, gz_backend_request *joined, graze_mesh *mesh) {
    const gz_backend_worlds *worlds = request->worlds;
    size_t vertices = request->mesh->vertex_count, edges = request->mesh->edge_count;
    char *x = malloc(48 * (vertices + 1));
    *mesh = *request->mesh;
    *joined = *request;
    joined->mesh = mesh;
    joined->x0 = x;
    joined->x1 = x + 24 * vertices;
    joined->stride = 24;
    worlds_of[0] = malloc((vertices + 1) * sizeof(uint32_t));
    worlds_of[1] = malloc((edges + 1) * sizeof(uint32_t));
    if (!x || !worlds_of[0] || !worlds_of[1]) return 0;
    gather(worlds, x, x + 24 * vertices);
    for (uint32_t w = 0; w < worlds->count; w++)
        for (uint32_t v = worlds->first[w]; v < worlds->first[w + 1]; v++) worlds_of[0][v] = w;
    for (size_t e = 0; e < edges; e++) worlds_of[1][e] = worlds_of[0][mesh->edges[e][0]];
    mesh->filter = in_one_world;
    mesh->filter_user = mesh;
    return 1;
}

void fake_worlds_close(gz_backend_request *joined) {
    free((void *)joined->x0);
    for (int i = 0; i < 2; i++) free(worlds_of[i]);
}
