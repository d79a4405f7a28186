#include "io/mesh_builder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool io_build_grow(io_builder *builder, void **array, size_t *capacity, size_t count, size_t item_size) {
    if (count < *capacity) return true;
    if (count >= IO_MAX_PRIMITIVES) return io_scan_fail(builder->scan, "more than 2^31 vertices, edges or faces");
    size_t larger = *capacity ? *capacity * 2 : 1024;
    void *grown = realloc(*array, larger * item_size);
    if (!grown) return io_scan_fail(builder->scan, "out of memory");
    *array = grown;
    *capacity = larger;
    return true;
}

bool io_build_vertex(io_builder *builder, const double x[3]) {
    io_mesh *mesh = builder->mesh;
    for (int c = 0; c < 3; c++) {
        if (!isfinite(x[c]))
            return io_scan_fail(builder->scan, "vertex %zu: %c is %s", mesh->vertex_count, "xyz"[c],
                                isnan(x[c]) ? "not a number" : "infinite");
        if (fabs(x[c]) > mesh->largest) {
            io_place place = io_scan_place(builder->scan);
            mesh->largest = fabs(x[c]);
            mesh->largest_line = place.line;
            mesh->largest_byte = place.byte;
        }
    }
    if (!io_build_grow(builder, (void **)&mesh->positions, &builder->vertex_capacity, mesh->vertex_count,
                       sizeof *mesh->positions))
        return false;
    memcpy(mesh->positions[mesh->vertex_count++], x, sizeof *mesh->positions);
    return true;
}

static bool take_index(io_builder *builder, int64_t index, uint32_t *taken) {
    if (index < 0 || index >= (int64_t)IO_MAX_PRIMITIVES)
        return io_scan_fail(builder->scan, "vertex index %lld is out of range", (long long)index);
    *taken = (uint32_t)index;
    if (*taken >= builder->largest_index) {
        builder->largest_index = *taken;
        builder->largest_index_at = io_scan_place(builder->scan);
    }
    return true;
}

bool io_build_corner(io_builder *builder, int64_t index) {
    return io_build_grow(builder, (void **)&builder->corners, &builder->corner_capacity, builder->corner_count,
                         sizeof *builder->corners) &&
           take_index(builder, index, &builder->corners[builder->corner_count++]);
}

bool io_build_face(io_builder *builder) {
    io_mesh *mesh = builder->mesh;
    size_t corners = builder->corner_count;
    builder->corner_count = 0;
    if (corners < 3)
        return io_scan_fail(builder->scan, "a face with %zu corner%s; it needs 3", corners, corners == 1 ? "" : "s");
    mesh->fanned += corners > 3;
    for (size_t i = 2; i < corners; i++) {
        if (!io_build_grow(builder, (void **)&mesh->faces, &builder->face_capacity, mesh->face_count,
                           sizeof *mesh->faces))
            return false;
        uint32_t *face = mesh->faces[mesh->face_count++];
        face[0] = builder->corners[0];
        face[1] = builder->corners[i - 1];
        face[2] = builder->corners[i];
    }
    return true;
}

bool io_build_edge(io_builder *builder, int64_t i, int64_t j) {
    io_mesh *mesh = builder->mesh;
    if (!io_build_grow(builder, (void **)&mesh->edges, &builder->edge_capacity, mesh->edge_count, sizeof *mesh->edges))
        return false;
    uint32_t *edge = mesh->edges[mesh->edge_count];
    if (!take_index(builder, i, &edge[0]) || !take_index(builder, j, &edge[1])) return false;
    mesh->edge_count++;
    return true;
}

bool io_build_finish(io_builder *builder) {
    io_mesh *mesh = builder->mesh;
    io_scan *scan = builder->scan;
    if (mesh->vertex_count == 0) return io_fail(scan->error, scan->path, 0, "no vertices in it");
    if (mesh->face_count == 0 && mesh->edge_count == 0)
        return io_fail(scan->error, scan->path, 0, "no faces in it, only %zu vertices", mesh->vertex_count);
    if (builder->largest_index >= mesh->vertex_count)
        return io_scan_fail_at(scan, builder->largest_index_at,
                               "vertex index %u (counted from 0) is out of range: there are %zu vertices",
                               (unsigned)builder->largest_index, mesh->vertex_count);
    return true;
}

void io_build_release(io_builder *builder) {
    free(builder->corners);
    builder->corners = NULL;
}
