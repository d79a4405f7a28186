/* Triangle meshes in files. */
#ifndef GRAZE_IO_MESH_H
#define GRAZE_IO_MESH_H

#include "io/error.h"

#include <stdint.h>

/* Writes a binary little-endian PLY with double coordinates: what is read back has the same bits. Replaces the file
   atomically. At most 2^32 − 1 vertices and faces. */
bool io_write_ply(const char *path, const double (*x)[3], size_t vertex_count, const uint32_t (*faces)[3],
                  size_t face_count, io_error *error);

#endif
