/* A piece of the mesh that one rank searches by itself, in the order of global ids: then every pair has its vertices,
   and two pairs have each other, in the order that they have in the whole mesh, and so the same bits. */
#ifndef GZ_MPI_PIECE_H
#define GZ_MPI_PIECE_H

#include "graze/step.h"

#include "mpi/ranks/hold.h"

/* A vertex that is here only as an end of something: another rank tests it. */
#define GZ_TAG_NONE UINT32_MAX

typedef struct gz_piece {
    gz_hold hold;
    uint32_t vertex_count, edge_count, face_count, codim_edge_count, point_count;
    uint64_t *vertex_ids; /* ascending */
    double (*x0)[3], (*x1)[3];
    double *radii;    /* NULL without thickness */
    uint32_t *groups; /* NULL without groups */
    uint8_t *halves;  /* NULL, or gz_owned_lists.halves; and its halves_of_longer: */
    uint8_t halves_of_longer;
    uint32_t *tags; /* of vertices; edges and faces have the tag of their first vertex by id */
    uint32_t (*edges)[2];
    uint64_t *edge_ids; /* NULL until they are wanted */
    uint32_t (*faces)[3];
    uint64_t *face_ids;
    uint32_t *codim_edges, *points;
    graze_mesh mesh; /* from gz_piece_close */
} gz_piece;

/* Rules for groups, from the parts of all ranks. */
typedef struct gz_rules {
    uint32_t group_count;
    int skip_same_group;
    const uint8_t *group_pairs;
} gz_rules;

/* Makes room for so many; false when there is no memory. */
bool gz_piece_open(gz_piece *piece, uint32_t vertices, bool groups, bool radii);
bool gz_piece_room(gz_piece *piece, uint32_t edges, uint32_t faces, uint32_t codim_edges, uint32_t points);
/* Makes room for `halves`, before gz_piece_close; false when there is no memory. */
bool gz_piece_halves(gz_piece *piece);
/* Makes the mesh of the lists. It need not be complete: other pieces have the rest. `unasked`: bits of kinds of pairs
   that its filter always allows. */
bool gz_piece_close(gz_piece *piece, const gz_rules *rules, uint32_t unasked);
void gz_piece_free(gz_piece *piece);

static inline uint32_t gz_edge_tag(const gz_piece *piece, uint32_t edge) { return piece->tags[piece->edges[edge][0]]; }

static inline uint32_t gz_face_first(const gz_piece *piece, uint32_t face) {
    const uint32_t *f = piece->faces[face];
    uint32_t first = f[0] < f[1] ? f[0] : f[1];
    return first < f[2] ? first : f[2];
}

static inline uint32_t gz_face_tag(const gz_piece *piece, uint32_t face) {
    return piece->tags[gz_face_first(piece, face)];
}

#endif
