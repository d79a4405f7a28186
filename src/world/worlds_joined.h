/* Many worlds of bodies that stand or move straight as one mesh, for a back end. */
#ifndef GZ_WORLD_WORLDS_JOINED_H
#define GZ_WORLD_WORLDS_JOINED_H

#include "base/backend.h"
#include "world/worlds.h"

/* Where the positions of a unit are, without those of a call. */
typedef struct gz_joined_piece {
    gz_backend_piece piece;
    const gz_unit *unit;
    uint32_t body;   /* among those of all worlds */
    uint32_t affine; /* its first row among those of all AFFINE bodies */
} gz_joined_piece;

typedef struct gz_joined_worlds {
    graze_context *context;
    uint64_t serial;
    graze_mesh mesh;
    uint8_t *table;
    size_t groups;
    double *thickness;
    gz_offsets *first; /* primitives of each world, and all */
    uint32_t *first_vertex;
    gz_joined_piece *pieces;
    size_t piece_count;
    uint32_t affine; /* rows */
} gz_joined_worlds;

/* Sets worlds->joined, or why there is none. Within a call. */
graze_status gz_worlds_join(graze_worlds *worlds);
void gz_worlds_joined_release(graze_worlds *worlds);

#endif
