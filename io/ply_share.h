/* A share of a large binary PLY file, read without the rest of it. */
#ifndef GRAZE_IO_PLY_SHARE_H
#define GRAZE_IO_PLY_SHARE_H

#include "io/error.h"

#include <stdint.h>

/* Layout of a plain file: binary, vertices with floating-point x, y, z and other numbers, then faces that are lists of
   three 32-bit indices and nothing else. */
typedef struct io_ply_plan {
    const char *path;
    uint64_t vertex_count, face_count;
    uint64_t vertices_at, faces_at; /* bytes */
    uint32_t vertex_bytes, offsets[3];
    bool floats[3]; /* of four bytes, else of eight */
    bool swap;      /* the file has the other byte order */
} io_ply_plan;

/* False where the file is none such: it is read as a whole then, which also says what is wrong with it. */
bool io_plan_ply(const char *path, io_ply_plan *plan);

/* Vertices [begin, end), which the caller has room for. Every coordinate is finite. */
bool io_read_ply_vertices(const io_ply_plan *plan, uint64_t begin, uint64_t end, double (*positions)[3],
                          io_error *error);
/* Faces [begin, end). Every index names a vertex. */
bool io_read_ply_faces(const io_ply_plan *plan, uint64_t begin, uint64_t end, uint64_t (*faces)[3], io_error *error);

#endif
