/* Intersections in one state, before anything moves: "clear" is a proof only without them. */
#ifndef GRAZE_IO_INTERSECTIONS_H
#define GRAZE_IO_INTERSECTIONS_H

#include "graze/step.h"

#include <stdbool.h>

/* Two faces, or a free edge and a face, that intersect. */
typedef struct io_intersection {
    bool edge;     /* a is an edge, else a face; b is a face */
    uint32_t a, b; /* ids of their own kind; faces a < b */
} io_intersection;

/* The intersections at x, touching included, decided exactly; primitives that share a vertex are left out, and so are
   groups that never touch. Free `list`, which may be NULL: then they are counted only. */
graze_status io_find_intersections(graze_context *context, const graze_mesh *mesh, const double (*x)[3],
                                   io_intersection **list, size_t *count);

#endif
