/* Dealing from the inside: what its stages hand on to each other. */
#ifndef GZ_MPI_DEALING_H
#define GZ_MPI_DEALING_H

#include "mpi/deal/deal.h"
#include "mpi/deal/homes.h"
#include "mpi/ranks/id_table.h"

typedef struct gz_dealt_face {
    uint64_t id, v[3];
    uint32_t homes[3]; /* of the corners */
    uint32_t rank;     /* that brought it */
} gz_dealt_face;

typedef struct gz_dealt_edge {
    uint64_t i, j; /* i < j */
    uint32_t home; /* of j; the home of i has the edge */
    uint32_t is_free;
} gz_dealt_edge;

typedef struct gz_dealing {
    gz_ranks *ranks;
    graze_context *context;
    const gz_brought *brought;
    const gz_summary *all;
    gz_dealt *dealt;
    gz_hold hold;      /* of what is not kept */
    size_t *counts[2]; /* of the last gz_deal_out, sent and received */
    size_t *starts;
    uint32_t *order;   /* of the last gz_deal_out: which item was sent as number i */
    gz_id_table known; /* by the bringing rank: the part's vertices, then others that it names */
    uint32_t *known_home;
    gz_id_table here; /* at home: own vertices, then support */
    gz_dealt_face *faces;
    gz_dealt_edge *edges;
    uint64_t *points;
    size_t face_count, edge_count, point_count;
    uint8_t *in_edge; /* own vertices that something has as an end, in the order of `here` */
} gz_dealing;

static inline graze_status gz_room(bool room) { return room ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY; }

/* Sends item i to rank to[i]. What comes is a block of the hold, in order of ranks. */
graze_status gz_deal_out(gz_dealing *d, graze_status mine, const void *items, const uint32_t *to, size_t count,
                         size_t size, void **received, size_t *received_count);

/* Faces, edges and points of the part to their homes, and what homes need of each other. */
graze_status gz_deal_faces(gz_dealing *d);
graze_status gz_deal_edges(gz_dealing *d);
graze_status gz_deal_points(gz_dealing *d);
graze_status gz_deal_support(gz_dealing *d);
/* The lists of the piece, in the order of ids. */
graze_status gz_deal_piece(gz_dealing *d);

#endif
