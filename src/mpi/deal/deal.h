/* From the parts that ranks bring to the pieces that they search. Every vertex has a home: the rank that its place on a
   space-filling curve belongs to. Edges and faces live with their first vertex by id, so each is searched by one rank.
 */
#ifndef GZ_MPI_DEAL_H
#define GZ_MPI_DEAL_H

#include "graze/mpi.h"

#include "mpi/piece.h"
#include "mpi/ranks/route.h"

/* A rank's share of the input, read and checked. */
typedef struct gz_brought {
    graze_mpi_part part;
    const char *x0, *x1;
    size_t stride;
} gz_brought;

/* Summary that every rank sends all others before anything else. */
typedef struct gz_summary {
    double lo[3], hi[3]; /* of its positions at the start */
    uint64_t vertices, faces;
    uint64_t question;                /* a hash of the options, which have to agree */
    uint64_t lists, starts;           /* hashes of its lists, and of its positions at the start */
    uint64_t state;                   /* a hash of what it keeps that is the same on all ranks of one dealing */
    uint32_t kept;                    /* its lists are those of the last call */
    uint32_t groups, radii, face_ids; /* it has such, or has nothing that could have them */
    uint32_t unfair;                  /* it wants the work dealt out anew */
    double work;                      /* since lists were dealt out */
} gz_summary;

/* Part of all work that lies before a place on the curve. */
typedef struct gz_work_point {
    uint64_t place;
    double before;
    uint32_t age, spare; /* dealings since it was counted */
} gz_work_point;

/* A curve through all positions, and where it is cut. */
typedef struct gz_homes {
    double origin[3], scale; /* one for all axes: pieces of a sheet are as wide as they are long */
    uint64_t *cuts;          /* ranks − 1 places, ascending */
    uint32_t ranks, point_count;
    gz_work_point *points; /* known when it was cut; both their places and their parts ascend */
} gz_homes;

/* State kept from call to call. */
typedef struct gz_dealt {
    gz_hold hold;
    uint64_t hash;    /* of the parts' lists, and whom they came from; 0: nothing is dealt */
    uint64_t dealing; /* a hash of all that the dealing followed from, on all ranks */
    gz_piece piece;
    gz_rules rules; /* group_pairs is the caller's */
    bool radii;
    uint32_t own_vertices, node_count;
    uint32_t node_room; /* the most nodes that a rank has */
    /* vertices that edges and faces of node i have beside its own: those from beside_starts[i] on */
    uint32_t *beside;
    size_t *beside_starts;
    gz_route bring;   /* from the part's vertices to those of pieces */
    gz_route support; /* from a vertex' home to pieces that need it beside */
    gz_kept cross;    /* what steps on the second mesh keep, so that those on the piece keep theirs */
    double window;    /* to begin with in the next step; 0: none is known */
    gz_homes homes;
    double work, behind; /* since lists were dealt: this rank's, and by how much the slowest was behind the mean */
    uint64_t vertex_total, edge_total, face_total, codim_edge_total, point_total;
} gz_dealt;

/* Deals out topology and homes; `all` has the summaries of all ranks. With the homes `before`, which may be NULL, each
   gets as much of the work that was counted there. */
graze_status gz_deal_lists(gz_ranks *ranks, const gz_brought *brought, const gz_summary *all, const gz_homes *before,
                           gz_dealt *dealt);
/* Brings the positions of this step to the pieces. */
graze_status gz_deal_positions(gz_ranks *ranks, const gz_brought *brought, gz_dealt *dealt);
/* Groups, which belong to the lists. */
graze_status gz_deal_groups(gz_ranks *ranks, const gz_brought *brought, gz_dealt *dealt);
/* Cuts the piece into nodes along the curve, once positions are there: the tags of its own vertices. */
graze_status gz_deal_nodes(gz_ranks *ranks, gz_dealt *dealt);
void gz_dealt_free(gz_dealt *dealt);

#endif
