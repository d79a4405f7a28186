#include "mpi/piece.h"

#include "mesh/mesh.h"

bool gz_piece_open(gz_piece *piece, uint32_t vertices, bool groups, bool radii) {
    piece->vertex_count = vertices;
    piece->vertex_ids = gz_hold_get(&piece->hold, vertices, sizeof *piece->vertex_ids);
    piece->x0 = gz_hold_get(&piece->hold, vertices, sizeof *piece->x0);
    piece->x1 = gz_hold_get(&piece->hold, vertices, sizeof *piece->x1);
    piece->tags = gz_hold_get(&piece->hold, vertices, sizeof *piece->tags);
    piece->groups = groups ? gz_hold_get(&piece->hold, vertices, sizeof *piece->groups) : NULL;
    piece->radii = radii ? gz_hold_get(&piece->hold, vertices, sizeof *piece->radii) : NULL;
    bool all = piece->vertex_ids && piece->x0 && piece->x1 && piece->tags;
    return all && (piece->groups || !groups) && (piece->radii || !radii);
}

bool gz_piece_room(gz_piece *piece, uint32_t edges, uint32_t faces, uint32_t codim_edges, uint32_t points) {
    piece->edges = gz_hold_get(&piece->hold, edges, sizeof *piece->edges);
    piece->faces = gz_hold_get(&piece->hold, faces, sizeof *piece->faces);
    piece->face_ids = gz_hold_get(&piece->hold, faces, sizeof *piece->face_ids);
    piece->codim_edges = gz_hold_get(&piece->hold, codim_edges, sizeof *piece->codim_edges);
    piece->points = gz_hold_get(&piece->hold, points, sizeof *piece->points);
    return piece->edges && piece->faces && piece->face_ids && piece->codim_edges && piece->points;
}

bool gz_piece_halves(gz_piece *piece) {
    piece->halves = gz_hold_get(&piece->hold, piece->vertex_count, 1);
    return piece->halves != NULL;
}

bool gz_piece_close(gz_piece *piece, const gz_rules *rules, uint32_t unasked) {
    gz_owned_lists *owned = gz_hold_get(&piece->hold, 1, sizeof *owned);
    if (!owned) return false;
    graze_mesh *mesh = &piece->mesh;
    *mesh = graze_default_mesh();
    mesh->vertex_count = piece->vertex_count;
    mesh->edge_count = piece->edge_count;
    mesh->edges = (const uint32_t(*)[2])piece->edges;
    mesh->face_count = piece->face_count;
    mesh->faces = (const uint32_t(*)[3])piece->faces;
    mesh->codim_edge_count = piece->codim_edge_count;
    mesh->codim_edges = piece->codim_edges;
    mesh->codim_point_count = piece->point_count;
    mesh->codim_points = piece->points;
    mesh->thickness = piece->radii;
    if (piece->groups) {
        mesh->groups = piece->groups;
        mesh->group_count = rules->group_count;
        mesh->skip_same_group = rules->skip_same_group;
        mesh->group_pairs = rules->group_pairs;
    }
    mesh->owned = owned; /* so that nobody asks for the sides that other pieces have */
    owned->bytes = sizeof *owned;
    owned->unasked = unasked;
    owned->halves = piece->halves;
    owned->halves_of_longer = piece->halves_of_longer;
    owned->made = *mesh;
    return true;
}

void gz_piece_free(gz_piece *piece) {
    graze_context *context = piece->hold.context;
    gz_hold_free(&piece->hold);
    *piece = (gz_piece){.hold = {.context = context}};
}
