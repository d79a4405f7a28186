#include "io/intersections.h"

#include <stdlib.h>
#include <string.h>

/* The faces, and after them every free edge as a face without area: what meets an edge meets that. */
static uint32_t (*faces_and_edges(const graze_mesh *mesh))[3] {
    uint32_t(*faces)[3] = malloc(((size_t)mesh->face_count + mesh->codim_edge_count) * sizeof *faces);
    if (!faces) return NULL;
    if (mesh->face_count) memcpy(faces, mesh->faces, mesh->face_count * sizeof *faces);
    for (uint32_t i = 0; i < mesh->codim_edge_count; i++) {
        const uint32_t *edge = mesh->edges[mesh->codim_edges[i]];
        uint32_t *face = faces[mesh->face_count + i];
        face[0] = edge[0];
        face[1] = face[2] = edge[1];
    }
    return faces;
}

static graze_status find(graze_context *context, const graze_mesh *mesh, const double (*x)[3], graze_pair **pairs,
                         size_t *count) {
    if (mesh->codim_edge_count == 0) return graze_static_intersections(context, mesh, x, NULL, pairs, count);
    uint64_t face_count = (uint64_t)mesh->face_count + mesh->codim_edge_count;
    uint32_t(*faces)[3] = face_count > INT32_MAX ? NULL : faces_and_edges(mesh);
    if (!faces) return GRAZE_ERR_OUT_OF_MEMORY;
    graze_mesh all = graze_default_mesh();
    graze_status status =
        graze_mesh_from_faces(context, mesh->vertex_count, (const uint32_t(*)[3])faces, (uint32_t)face_count, &all);
    all.groups = mesh->groups;
    all.group_count = mesh->group_count;
    all.skip_same_group = mesh->skip_same_group;
    if (status == GRAZE_OK) status = graze_static_intersections(context, &all, x, NULL, pairs, count);
    graze_mesh_release(context, &all);
    free(faces);
    return status;
}

graze_status io_find_intersections(graze_context *context, const graze_mesh *mesh, const double (*x)[3],
                                   io_intersection **list, size_t *count) {
    graze_pair *pairs = NULL;
    size_t found = 0;
    *count = 0;
    if (list) *list = NULL;
    graze_status status = find(context, mesh, x, &pairs, &found);
    if (status != GRAZE_OK) return status;
    if (list) *list = malloc((found ? found : 1) * sizeof **list);
    bool room = !list || *list;
    for (size_t i = 0; room && i < found; i++) {
        if (pairs[i].a >= mesh->face_count) continue; /* two free edges: a step sees that they touch */
        bool edge = pairs[i].b >= mesh->face_count;
        if (list && edge)
            (*list)[*count] = (io_intersection){true, mesh->codim_edges[pairs[i].b - mesh->face_count], pairs[i].a};
        else if (list)
            (*list)[*count] = (io_intersection){false, pairs[i].a, pairs[i].b};
        ++*count;
    }
    graze_pairs_release(context, pairs, found);
    return room ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY;
}
