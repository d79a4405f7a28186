/* Tests across pieces: ranks whose pieces come near each other send what the other one tests, and each makes a second
   mesh of that and of what it has near it. */
#ifndef GZ_MPI_HALO_H
#define GZ_MPI_HALO_H

#include "mpi/nodes.h"

typedef struct gz_halo {
    gz_nodes nodes;
    gz_piece cross;
    gz_route route; /* of vertices, from the piece to `cross` of other ranks and of this one */
    uint32_t rank;
    uint64_t crossing; /* vertices, edges and faces that came */
} gz_halo;

/* Free it in either case. On failure the status has been agreed on. */
graze_status gz_halo_open(gz_ranks *ranks, const gz_dealt *dealt, const gz_window *window, gz_halo *halo);
void gz_halo_free(gz_halo *halo);

/* Filters of meshes, so that each pair is found by one rank once: of a piece, and of what crosses. */
int gz_piece_allows(void *piece, graze_kind kind, uint32_t a, uint32_t b);
int gz_halo_allows(void *halo, graze_kind kind, uint32_t a, uint32_t b);

/* As gz_halo_allows, but for two faces. */
bool gz_halo_has_faces(const gz_halo *halo, uint32_t a, uint32_t b);

#endif
