#include "python/native/native.h"

#include <stdlib.h>

int gzpy_parse_mesh(const io_source *source, io_mesh *mesh, io_error *error) {
    return io_parse_mesh(*source, mesh, error);
}

int gzpy_parse_mesh_pair(const io_source *source_a, const io_source *source_b, io_mesh *a, io_mesh *b,
                         io_error *error) {
    return io_parse_mesh_pair(*source_a, *source_b, a, b, error);
}

void gzpy_free_mesh(io_mesh *mesh) { io_free_mesh(mesh); }

int gzpy_parse_queries(const io_source *source, io_queries *queries, io_error *error) {
    return io_parse_query_csv(*source, queries, error);
}

void gzpy_free_queries(io_queries *queries) { io_free_queries(queries); }

int gzpy_query_kind_of(const char *path) { return io_query_kind_of(path); }

int gzpy_list_frames(const char *folder, io_frames *frames, io_error *error) {
    return io_list_frames(folder, frames, error);
}

void gzpy_free_frames(io_frames *frames) { io_free_frames(frames); }

char *gzpy_print_ply(const double (*positions)[3], size_t vertex_count, const uint32_t (*faces)[3], size_t face_count,
                     const uint32_t (*edges)[2], size_t edge_count, size_t *size) {
    char *bytes = NULL;
    FILE *stream = open_memstream(&bytes, size);
    if (!stream) return NULL;
    io_print_ply(stream, positions, vertex_count, faces, face_count, edges, edge_count);
    bool whole = !ferror(stream);
    if (!fclose(stream) && whole) return bytes;
    free(bytes);
    return NULL;
}

void gzpy_free(char *bytes) { free(bytes); }
