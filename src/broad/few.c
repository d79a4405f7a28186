/* Box by box, without the set-up that lanes need: for some triangles that is the larger part. */
#include "broad/few.h"

bool gz_is_few(const graze_mesh *mesh) {
    return mesh->vertex_count <= GZ_FEW_VERTICES && mesh->edge_count <= GZ_FEW && mesh->face_count <= GZ_FEW &&
           mesh->codim_point_count == 0;
}

bool gz_is_fewest(const graze_mesh *mesh) {
    return mesh->edge_count <= GZ_FEWEST && mesh->face_count * mesh->vertex_count <= GZ_FEWEST * GZ_FEWEST / 2;
}

static gz_box hull_of(const gz_box *vertices, const uint32_t *ids, int count) {
    gz_box box = vertices[ids[0]];
    for (int i = 1; i < count; i++) gz_box_join(&box, &vertices[ids[i]]);
    return box;
}

static void find_faces(const graze_mesh *mesh, const gz_box *vertices, gz_emitter *emitter) {
    for (uint32_t f = 0; f < mesh->face_count && !gz_stopped(emitter); f++) {
        gz_box face = hull_of(vertices, mesh->faces[f], 3);
        for (uint32_t v = 0; v < mesh->vertex_count; v++)
            if (!gz_share_vertex(mesh, GRAZE_VF, v, f) && gz_boxes_meet(&vertices[v], &face))
                gz_emit_distinct(emitter, v, f);
    }
}

static void find_edges(const graze_mesh *mesh, const gz_box *vertices, gz_emitter *emitter) {
    gz_box edges[GZ_FEWEST];
    for (uint32_t e = 0; e < mesh->edge_count && !gz_stopped(emitter); e++) {
        edges[e] = hull_of(vertices, mesh->edges[e], 2);
        for (uint32_t other = 0; other < e; other++)
            if (!gz_share_vertex(mesh, GRAZE_EE, other, e) && gz_boxes_meet(&edges[other], &edges[e]))
                gz_emit_distinct(emitter, other, e);
    }
}

void gz_fewest_find(const gz_box *vertices, gz_emitter *emitter) {
    const graze_mesh *mesh = emitter->traversal->mesh;
    if (emitter->traversal->kind == GRAZE_VF)
        find_faces(mesh, vertices, emitter);
    else
        find_edges(mesh, vertices, emitter);
    gz_emit_flush(emitter);
}
