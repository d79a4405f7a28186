/* Boxes of the nodes of all pieces over a window of time, and which nodes of two ranks meet. Every rank comes to the
   same conclusions from the same boxes, so that each pair of nodes is tested by one of the two. */
#ifndef GZ_MPI_NODES_H
#define GZ_MPI_NODES_H

#include "mpi/deal/deal.h"

#define GZ_NODES 256u /* of a piece, at most */

#define GZ_NODE_LEAST 32u /* vertices of a node, at least */

/* The number of nodes that a rank makes of its own vertices. */
static inline uint32_t gz_node_count(uint64_t vertices) {
    uint64_t count = vertices / GZ_NODE_LEAST;
    return vertices == 0 ? 0 : count < 1 ? 1 : count > GZ_NODES ? GZ_NODES : (uint32_t)count;
}

/* Every end is rounded to the nearest float, which keeps the order of any two or makes them equal: boxes that meet in
   double meet in float. */
typedef struct gz_node_box {
    float lo[3], hi[3];
} gz_node_box;

typedef struct gz_rank_nodes {
    uint64_t count;
    gz_node_box boxes[]; /* gz_dealt.node_room of them */
} gz_rank_nodes;

/* A rank whose piece comes near that of this one. */
typedef struct gz_neighbor {
    uint32_t rank;
    const gz_rank_nodes *nodes;
    uint8_t first_half[GZ_NODES]; /* nodes of the lesser rank: it tests these itself, the other rank tests the rest */
} gz_neighbor;

/* That a node of this rank meets one of a neighbor. */
typedef struct gz_meeting {
    gz_node_box box; /* of the other one */
    uint16_t neighbor;
    bool here; /* the two are tested here */
} gz_meeting;

typedef struct gz_nodes {
    gz_hold hold;
    char *all; /* gz_rank_nodes of each rank, `size` bytes apart */
    size_t size;
    gz_neighbor *neighbors;
    uint32_t neighbor_count;
    gz_meeting *meetings; /* of node i those from starts[i] on */
    size_t starts[GZ_NODES + 1], room;
    gz_node_box met[GZ_NODES]; /* around all nodes that node i meets */
} gz_nodes;

/* Parameters of boxes. */
typedef struct gz_window {
    double grow, t; /* half of the separation; the end of the window */
    bool at_start;  /* x1 is x0 */
} gz_window;

/* Without a branch for each side: nobody can guess them. */
static inline bool gz_node_boxes_meet(const gz_node_box *a, const gz_node_box *b) {
    return (a->lo[0] <= b->hi[0]) & (b->lo[0] <= a->hi[0]) & (a->lo[1] <= b->hi[1]) & (b->lo[1] <= a->hi[1]) &
           (a->lo[2] <= b->hi[2]) & (b->lo[2] <= a->hi[2]);
}

static inline gz_node_box gz_join_boxes(gz_node_box a, const gz_node_box *b) {
    for (int c = 0; c < 3; c++) {
        a.lo[c] = b->lo[c] < a.lo[c] ? b->lo[c] : a.lo[c];
        a.hi[c] = b->hi[c] > a.hi[c] ? b->hi[c] : a.hi[c];
    }
    return a;
}

gz_node_box gz_vertex_node_box(const gz_piece *piece, const gz_window *window, uint32_t v);

/* Free it in either case. */
graze_status gz_nodes_open(gz_ranks *ranks, const gz_dealt *dealt, const gz_window *window, gz_nodes *nodes);

/* True if this rank tests pairs of its node `mine` with node `theirs` of a neighbor. */
static inline bool gz_tested_here(const gz_neighbor *neighbor, uint32_t rank, uint32_t mine, uint32_t theirs) {
    return rank < neighbor->rank ? neighbor->first_half[mine] : !neighbor->first_half[theirs];
}

#endif
