#include "cli/start.h"

#include <stdlib.h>
#include <string.h>

/* The faces, and after them every free edge as a face without area: what meets an edge meets that. */
static uint32_t (*faces_and_edges(const graze_mesh *mesh, uint32_t *count))[3] {
    uint64_t room = (uint64_t)mesh->face_count + mesh->codim_edge_count;
    if (room > INT32_MAX) cli_fail("more than 2^31 faces and free edges");
    uint32_t(*faces)[3] = cli_allocate((size_t)room, sizeof *faces);
    if (mesh->face_count) memcpy(faces, mesh->faces, mesh->face_count * sizeof *faces);
    for (uint32_t i = 0; i < mesh->codim_edge_count; i++) {
        const uint32_t *edge = mesh->edges[mesh->codim_edges[i]];
        uint32_t *face = faces[mesh->face_count + i];
        face[0] = edge[0];
        face[1] = face[2] = edge[1];
    }
    *count = (uint32_t)room;
    return faces;
}

static graze_status find(graze_context *context, const cli_frames *frames, graze_pair **pairs, size_t *count) {
    const graze_mesh *mesh = &frames->mesh;
    const double(*x)[3] = (const double(*)[3])frames->a.positions;
    if (mesh->codim_edge_count == 0) return graze_static_intersections(context, mesh, x, NULL, pairs, count);
    uint32_t face_count;
    uint32_t(*faces)[3] = faces_and_edges(mesh, &face_count);
    graze_mesh all = graze_default_mesh();
    graze_status status =
        graze_mesh_from_faces(context, mesh->vertex_count, (const uint32_t(*)[3])faces, face_count, &all);
    all.groups = mesh->groups;
    all.group_count = mesh->group_count;
    all.skip_same_group = mesh->skip_same_group;
    if (status == GRAZE_OK) status = graze_static_intersections(context, &all, x, NULL, pairs, count);
    graze_mesh_release(context, &all);
    free(faces);
    return status;
}

uint64_t cli_find_intersections(graze_context *context, const cli_frames *frames, cli_intersection **list) {
    const graze_mesh *mesh = &frames->mesh;
    graze_pair *pairs;
    size_t count, kept = 0;
    graze_status status = find(context, frames, &pairs, &count);
    if (status != GRAZE_OK) cli_fail_frames(status, context, frames);
    if (list) *list = cli_allocate(count, sizeof **list);
    for (size_t i = 0; i < count; i++) {
        if (pairs[i].a >= mesh->face_count) continue; /* two free edges: a step sees that they touch */
        bool edge = pairs[i].b >= mesh->face_count;
        if (list && edge)
            (*list)[kept] = (cli_intersection){true, mesh->codim_edges[pairs[i].b - mesh->face_count], pairs[i].a};
        else if (list)
            (*list)[kept] = (cli_intersection){false, pairs[i].a, pairs[i].b};
        kept++;
    }
    graze_pairs_release(context, pairs, count);
    return kept;
}
