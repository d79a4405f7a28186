/* Shared by the mesh readers: arrays that grow with what was really read, fans, and the checks at the end. */
#ifndef GRAZE_IO_MESH_BUILDER_H
#define GRAZE_IO_MESH_BUILDER_H

#include "io/mesh.h"
#include "io/scan.h"

#define IO_MAX_PRIMITIVES ((size_t)1 << 31) /* vertices, edges, faces */

typedef struct io_builder {
    io_mesh *mesh;
    io_scan *scan;
    size_t vertex_capacity, face_capacity, edge_capacity;
    uint32_t *corners; /* of the face under way */
    size_t corner_count, corner_capacity;
    uint32_t largest_index; /* over all corners, and where it stands */
    io_place largest_index_at;
} io_builder;

/* Each returns false with the error set. Indices are counted from 0 and may name vertices that come later. */
bool io_build_vertex(io_builder *builder, const double x[3]);
bool io_build_corner(io_builder *builder, int64_t index);
bool io_build_face(io_builder *builder); /* of the corners since the last one */
bool io_build_edge(io_builder *builder, int64_t i, int64_t j);
/* Every index names a vertex, and there is something to collide. */
bool io_build_finish(io_builder *builder);
void io_build_release(io_builder *builder);

/* Makes room for one more item. */
bool io_build_grow(io_builder *builder, void **array, size_t *capacity, size_t count, size_t item_size);

/* The readers: a whole file in memory into an empty mesh. */
typedef bool io_mesh_reader(io_scan *scan, io_builder *builder);
io_mesh_reader io_read_ply, io_read_obj, io_read_off, io_read_stl, io_read_msh;

/* STL has no indices: its reader gives three vertices for each face. This makes one of those that are bitwise equal,
   in both frames where `second` is not NULL; vertices are numbered as they first appear. */
bool io_weld_corners(io_mesh *first, io_mesh *second);

#endif
