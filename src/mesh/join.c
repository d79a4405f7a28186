/* Two meshes as one: the ids of the second follow those of the first. */
#include "mesh/mesh.h"

#include <string.h>

static graze_status read_part(graze_context *context, const char *name, const graze_mesh *given, graze_mesh *mesh) {
    graze_status status = gz_mesh_read(context, given, mesh);
    if (status != GRAZE_OK) return status;
    if (mesh->filter)
        return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX,
                       "mesh %s has a filter, whose ids are not those of the joined mesh: set one on that", name);
    return gz_mesh_is_as_made(mesh) ? GRAZE_OK : gz_topology_check(context, mesh);
}

/* True if the sum of two counts may be a count of a mesh. */
static bool fit(uint32_t a, uint32_t b) { return (uint64_t)a + b <= (uint64_t)INT32_MAX + 1; }

static bool all_fit(const graze_mesh *a, const graze_mesh *b) {
    return fit(a->vertex_count, b->vertex_count) && fit(a->edge_count, b->edge_count) &&
           fit(a->face_count, b->face_count) && fit(a->codim_edge_count, b->codim_edge_count) &&
           fit(a->codim_point_count, b->codim_point_count);
}

static void set_counts(const graze_mesh *a, const graze_mesh *b, graze_mesh *joined) {
    joined->vertex_count = a->vertex_count + b->vertex_count;
    joined->edge_count = a->edge_count + b->edge_count;
    joined->face_count = a->face_count + b->face_count;
    joined->codim_edge_count = a->codim_edge_count + b->codim_edge_count;
    joined->codim_point_count = a->codim_point_count + b->codim_point_count;
    joined->group_count = 2;
    joined->skip_same_group = 1;
}

/* Writes na ids, then nb ids raised by `shift`; returns where they begin and moves *ids behind them. */
static uint32_t *put_ids(uint32_t **ids, const void *a, size_t na, const void *b, size_t nb, uint32_t shift) {
    uint32_t *begin = *ids;
    const uint32_t *second = b;
    if (na) memcpy(begin, a, na * sizeof *begin);
    for (size_t i = 0; i < nb; i++) begin[na + i] = second[i] + shift;
    *ids = begin + na + nb;
    return begin;
}

static void put_thickness(const graze_mesh *a, const graze_mesh *b, double *thickness) {
    for (uint32_t v = 0; v < a->vertex_count; v++) *thickness++ = a->thickness ? a->thickness[v] : 0;
    for (uint32_t v = 0; v < b->vertex_count; v++) *thickness++ = b->thickness ? b->thickness[v] : 0;
}

static void put_lists(const graze_mesh *a, const graze_mesh *b, uint32_t *ids, graze_mesh *joined) {
    uint32_t shift = a->vertex_count;
    joined->faces = (const uint32_t(*)[3])put_ids(&ids, a->faces, 3 * (size_t)a->face_count, b->faces,
                                                  3 * (size_t)b->face_count, shift);
    joined->edges = (const uint32_t(*)[2])put_ids(&ids, a->edges, 2 * (size_t)a->edge_count, b->edges,
                                                  2 * (size_t)b->edge_count, shift);
    joined->codim_edges =
        put_ids(&ids, a->codim_edges, a->codim_edge_count, b->codim_edges, b->codim_edge_count, a->edge_count);
    joined->codim_points =
        put_ids(&ids, a->codim_points, a->codim_point_count, b->codim_points, b->codim_point_count, shift);
    joined->groups = ids;
    for (uint32_t v = 0; v < joined->vertex_count; v++) ids[v] = v >= shift;
}

graze_status gz_mesh_join(graze_context *context, const graze_mesh *first, const graze_mesh *second,
                          graze_mesh *joined) {
    graze_mesh a, b, counts = graze_default_mesh();
    graze_status status = read_part(context, "a", first, &a);
    if (status == GRAZE_OK) status = read_part(context, "b", second, &b);
    if (status != GRAZE_OK) return status;
    if (!all_fit(&a, &b))
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX,
                       "the two meshes have more than 2^31 vertices, edges or faces together");
    set_counts(&a, &b, &counts);
    uint64_t radii = a.thickness || b.thickness ? counts.vertex_count : 0;
    uint64_t lists = 3 * (uint64_t)counts.face_count + 2 * (uint64_t)counts.edge_count + counts.codim_edge_count +
                     counts.codim_point_count + counts.vertex_count;
    gz_owned_lists *owned = gz_mesh_own(context, 2 * radii + lists);
    if (!owned) return GRAZE_ERR_OUT_OF_MEMORY;
    set_counts(&a, &b, &owned->made);
    if (radii) {
        put_thickness(&a, &b, (double *)(void *)owned->ids);
        owned->made.thickness = (const double *)(const void *)owned->ids;
    }
    put_lists(&a, &b, owned->ids + 2 * radii, &owned->made);
    *joined = owned->made;
    return GRAZE_OK;
}

graze_status graze_mesh_join(graze_context *context, const graze_mesh *a, const graze_mesh *b, graze_mesh *mesh) {
    if (!mesh) return GRAZE_ERR_INVALID_ARGUMENT;
    graze_mesh joined = graze_default_mesh();
    graze_status status = gz_sized_check(NULL, "mesh", mesh, GZ_MESH_LEAST);
    if (status != GRAZE_OK) return status;
    gz_sized_write(mesh, &joined, sizeof joined);
    gz_fp_environment env;
    status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    status = gz_mesh_join(context, a, b, &joined);
    gz_sized_write(mesh, &joined, sizeof joined);
    return gz_context_leave(context, &env, status);
}
