#include "io/topology.h"

#include <string.h>

graze_status io_mesh_topology(graze_context *context, io_mesh *a, graze_mesh *mesh) {
    size_t lines = 0;
    for (size_t i = 0; i < a->edge_count; i++)
        if (a->edges[i][0] != a->edges[i][1]) memmove(a->edges[lines++], a->edges[i], sizeof *a->edges);
    a->edge_count = lines;
    const uint32_t(*faces)[3] = (const uint32_t(*)[3])a->faces;
    uint32_t vertices = (uint32_t)a->vertex_count, face_count = (uint32_t)a->face_count;
    graze_status status = lines ? graze_mesh_from_parts(context, vertices, faces, face_count,
                                                        (const uint32_t(*)[2])a->edges, (uint32_t)lines, NULL, 0, mesh)
                                : GRAZE_OK;
    if (status != GRAZE_OK || mesh->codim_edge_count) return status;
    graze_mesh_release(context, mesh);
    return graze_mesh_from_faces(context, vertices, faces, face_count, mesh);
}
