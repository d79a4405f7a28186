/* Surfaces from files: PLY, OBJ, STL, OFF, MSH 2 and 4. Coordinates keep every bit that a file gives. */
#ifndef GRAZE_IO_MESH_H
#define GRAZE_IO_MESH_H

#include "io/error.h"

#include <stdint.h>
#include <stdio.h>

typedef struct io_mesh {
    double (*positions)[3];
    uint32_t (*faces)[3];
    uint32_t (*edges)[2]; /* lines that the file lists beside its faces (OBJ l, PLY edge) */
    size_t vertex_count, face_count, edge_count;
    size_t fanned; /* faces with more than three corners, each cut into triangles around its first corner */
    /* where the largest |coordinate| stands, for errors that are found after reading: a line of a text file, a byte
       of a binary one */
    double largest;
    size_t largest_line, largest_byte;
    char up; /* 'y' or 'z' where the file names the axis that points up ("comment up z" of a PLY file), else 0 */
} io_mesh;

/* Reads a mesh; the format is told by the extension, else by the content. Every coordinate is finite, every index names
   a vertex, there is at least one vertex and one face or edge. Degenerate and duplicate faces are kept. STL corners are
   welded where they are bitwise equal. On failure `mesh` is empty. */
bool io_read_mesh(const char *path, io_mesh *mesh, io_error *error);
/* For a mesh that another file names: a regular file. */
bool io_read_regular_mesh(const char *path, io_mesh *mesh, io_error *error);

/* Reads two frames of one mesh: same number of vertices, same faces and edges. STL corners are welded where they are
   bitwise equal in both frames. */
bool io_read_mesh_pair(const char *path_a, const char *path_b, io_mesh *a, io_mesh *b, io_error *error);

/* As io_read_mesh and io_read_mesh_pair, but from memory. */
bool io_parse_mesh(io_source source, io_mesh *mesh, io_error *error);
bool io_parse_mesh_pair(io_source source_a, io_source source_b, io_mesh *a, io_mesh *b, io_error *error);

/* Adds the vertices of `more` behind those of `to`, and its faces and edges with them. False without memory, or beyond
   2^31 of something; then `to` is as it was. */
bool io_join_mesh(io_mesh *to, const io_mesh *more);

void io_free_mesh(io_mesh *mesh);

/* True if a file of this name is read as a mesh, by its extension. */
bool io_is_mesh_name(const char *path);

/* Writes binary little-endian PLY with double coordinates, and lines where there are any. */
void io_print_ply(FILE *stream, const double (*positions)[3], size_t vertex_count, const uint32_t (*faces)[3],
                  size_t face_count, const uint32_t (*edges)[2], size_t edge_count);

/* A mesh of a generated scene, in which z points up: the file says so. Replaces the file atomically. */
bool io_write_ply(const char *path, const double (*positions)[3], size_t vertex_count, const uint32_t (*faces)[3],
                  size_t face_count, io_error *error);

#endif
