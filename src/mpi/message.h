/* Message of one rank to another about its piece: counts, then vertices, edges and faces. */
#ifndef GZ_MPI_MESSAGE_H
#define GZ_MPI_MESSAGE_H

#include <stdint.h>

typedef struct gz_sent_counts {
    uint64_t vertices, edges, faces;
} gz_sent_counts;

typedef struct gz_sent_vertex {
    uint64_t id;
    double x0[3], x1[3], radius;
    uint32_t group;
    uint32_t node; /* of the sender, or GZ_TAG_NONE */
    uint32_t is_point, spare;
} gz_sent_vertex;

/* Ends are places in the message's vertices. */
typedef struct gz_sent_edge {
    uint64_t id;
    uint32_t v[2];
    uint32_t is_codim, spare;
} gz_sent_edge;

typedef struct gz_sent_face {
    uint64_t id;
    uint32_t v[3], spare;
} gz_sent_face;

#endif
