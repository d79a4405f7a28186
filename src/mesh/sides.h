/* Sides of faces and free edges in one sorted list: what edges are made from and held against. */
#ifndef GZ_MESH_SIDES_H
#define GZ_MESH_SIDES_H

#include "mesh/mesh.h"

#include <stdbool.h>

#define GZ_FREE_EDGE 0x80000000u

/* Vertices i < j, and the face, or GZ_FREE_EDGE | edge, that has them. */
typedef struct gz_side {
    uint32_t v[2];
    uint32_t from;
} gz_side;

typedef struct gz_sides {
    gz_side *items; /* by j, then i; equal ones as they were listed: those of faces first */
    size_t count;
    gz_side *other;
    size_t *starts;
    size_t room, start_count;
} gz_sides;

/* A side or edge whose ends are one vertex is none. False when there is no memory; close it in either case. */
bool gz_sides_open(graze_context *context, uint32_t vertex_count, const uint32_t (*faces)[3], uint32_t face_count,
                   const uint32_t (*edges)[2], uint32_t edge_count, gz_sides *sides);
void gz_sides_close(graze_context *context, gz_sides *sides);

/* The end of the items that are equal to that at `first`. */
size_t gz_sides_end(const gz_sides *sides, size_t first);

#endif
