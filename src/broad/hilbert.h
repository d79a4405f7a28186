/* Primitives in the order of a space-filling curve: what is near in it is near in space. Only speed depends on it. */
#ifndef GZ_BROAD_HILBERT_H
#define GZ_BROAD_HILBERT_H

#include "base/context.h"
#include "broad/rough.h"

/* The most cells on an axis: 2^10. */
#define GZ_HILBERT_BITS 10

/* The primitives, and the cells that their middles are sorted into. */
typedef struct gz_hilbert_job {
    const gz_rough *boxes;    /* of the vertices */
    const uint32_t *vertices; /* NULL: primitive i is vertex i; else `each` of every primitive */
    int each;
    const uint32_t *ids; /* of the primitives; NULL: 0, 1, … */
    uint64_t *items;     /* written: place on the curve × 2^32 + id */
    float origin[3], scale;
    int bits; /* on each axis, below GZ_HILBERT_BITS */
    int drop; /* lowest bits of a place that are left out */
} gz_hilbert_job;

/* Says where `count` primitives are on the curve through the boxes of `vertex_count` vertices: fills in `items` and
   what comes after it. Returns how many bits a place has. */
int gz_hilbert_places(graze_context *context, gz_hilbert_job *job, uint32_t count, uint32_t vertex_count);

#endif
