/* Is this a mesh? Asked at the door of every call that takes one. */
#include "mesh/mesh.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define GZ_MAX_PRIMITIVES 0x80000000u /* 2^31 */
/* In chunks of about a microsecond to ten: */
#define IDS_LEAST 4096u
#define IDS_MOST 32768u
#define POSITIONS_LEAST 512u
#define POSITIONS_MOST 4096u

static graze_status bad(graze_context *context, const char *what) {
    return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "mesh: %s", what);
}

static graze_status check_shape(graze_context *context, const graze_mesh *mesh) {
    if (mesh->vertex_count > GZ_MAX_PRIMITIVES || mesh->edge_count > GZ_MAX_PRIMITIVES ||
        mesh->face_count > GZ_MAX_PRIMITIVES)
        return bad(context, "more than 2^31 vertices, edges or faces");
    if (mesh->edge_count && !mesh->edges) return bad(context, "edges is NULL");
    if (mesh->face_count && !mesh->faces) return bad(context, "faces is NULL");
    if (mesh->codim_edge_count && !mesh->codim_edges) return bad(context, "codim_edges is NULL");
    if (mesh->codim_point_count && !mesh->codim_points) return bad(context, "codim_points is NULL");
    if (!mesh->groups && (mesh->skip_same_group || mesh->group_pairs))
        return bad(context, "group rules without groups");
    return GRAZE_OK;
}

typedef struct id_list {
    const uint32_t *ids;
    uint32_t count; /* that they have to be below: at most 2^31 */
} id_list;

/* Blocks are looked at as a whole, without a branch for each id: this runs at the door of every call. */
static size_t find_bad_id(const void *state, size_t begin, size_t end) {
    enum { BLOCK = 512 };
    const id_list *list = state;
    const uint32_t *ids = list->ids;
    for (size_t first = begin; first < end; first += BLOCK) {
        size_t last = end - first < BLOCK ? end : first + BLOCK;
        uint32_t high = 0; /* its top bit: some id is 2^31 or more, or above count - 1 */
        for (size_t i = first; i < last; i++) high |= ids[i] | (list->count - 1 - ids[i]);
        if (high >> 31)
            for (size_t i = first; i < last; i++)
                if (ids[i] >= list->count) return i;
    }
    return end;
}

/* The first of n ids that is not below `count`; n when all are. */
static size_t first_bad_id(graze_context *context, const uint32_t *ids, size_t n, uint32_t count) {
    size_t chunk = gz_chunk_for(context, n, IDS_LEAST, IDS_MOST);
    return gz_parallel_first(context, n, chunk, find_bad_id, &(id_list){ids, count});
}

/* As a caller with signed indices wrote it. */
static long long as_written(uint32_t id, uint32_t count) {
    return id > INT32_MAX && count <= INT32_MAX ? (long long)id - UINT32_MAX - 1 : (long long)id;
}

static graze_status check_indices(graze_context *context, const graze_mesh *mesh) {
    uint32_t count = mesh->vertex_count;
    if (mesh->face_count) {
        const uint32_t *ids = (const uint32_t *)mesh->faces; /* the rows as one array */
        size_t n = 3 * (size_t)mesh->face_count, bad_id = first_bad_id(context, ids, n, count);
        if (bad_id < n)
            return gz_fail(context, GRAZE_ERR_BAD_INDEX, bad_id / 3, "face %zu: there is no vertex %lld, of %u",
                           bad_id / 3, as_written(ids[bad_id], count), count);
    }
    if (mesh->edge_count) {
        const uint32_t *ids = (const uint32_t *)mesh->edges;
        size_t n = 2 * (size_t)mesh->edge_count, bad_id = first_bad_id(context, ids, n, count);
        if (bad_id < n)
            return gz_fail(context, GRAZE_ERR_BAD_INDEX, bad_id / 2, "edge %zu: there is no vertex %lld, of %u",
                           bad_id / 2, as_written(ids[bad_id], count), count);
    }
    for (uint32_t i = 0; i < mesh->codim_edge_count; i++)
        if (mesh->codim_edges[i] >= mesh->edge_count)
            return gz_fail(context, GRAZE_ERR_BAD_INDEX, i, "codimensional edge %u: there is no edge %u, of %u", i,
                           mesh->codim_edges[i], mesh->edge_count);
    for (uint32_t i = 0; i < mesh->codim_point_count; i++)
        if (mesh->codim_points[i] >= count)
            return gz_fail(context, GRAZE_ERR_BAD_INDEX, i, "codimensional point %u: there is no vertex %u, of %u", i,
                           mesh->codim_points[i], count);
    return GRAZE_OK;
}

static graze_status check_groups(graze_context *context, const graze_mesh *mesh) {
    const uint32_t *group = mesh->groups;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        if (group[v] >= mesh->group_count)
            return gz_fail(context, GRAZE_ERR_BAD_INDEX, v, "vertex %u: group %u of %u", v, group[v],
                           mesh->group_count);
    for (uint32_t i = 0; i < mesh->face_count; i++) {
        const uint32_t *f = mesh->faces[i];
        if (group[f[0]] != group[f[1]] || group[f[0]] != group[f[2]])
            return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, i, "face %u: its vertices are in different groups", i);
    }
    for (uint32_t i = 0; i < mesh->edge_count; i++)
        if (group[mesh->edges[i][0]] != group[mesh->edges[i][1]])
            return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, i, "edge %u: its vertices are in different groups", i);
    return GRAZE_OK;
}

graze_status gz_mesh_read_shape(graze_context *context, const graze_mesh *given, graze_mesh *mesh) {
    if (!given) return bad(context, "the pointer is NULL");
    *mesh = (graze_mesh){.struct_size = sizeof *mesh};
    graze_status status = gz_sized_read(context, "mesh", mesh, sizeof *mesh, GZ_MESH_LEAST, given);
    return status == GRAZE_OK ? check_shape(context, mesh) : status;
}

graze_status gz_mesh_check_lists(graze_context *context, const graze_mesh *mesh) {
    graze_status status = check_indices(context, mesh);
    if (status == GRAZE_OK && mesh->groups) status = check_groups(context, mesh);
    if (status != GRAZE_OK || !mesh->thickness) return status;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        if (!(mesh->thickness[v] >= 0 && mesh->thickness[v] <= GRAZE_MAX_COORDINATE))
            return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, v,
                           "thickness %g of vertex %u: it must be finite, not negative and at most 2^160",
                           mesh->thickness[v], v);
    return GRAZE_OK;
}

graze_status gz_mesh_read(graze_context *context, const graze_mesh *given, graze_mesh *mesh) {
    graze_status status = gz_mesh_read_shape(context, given, mesh);
    return status == GRAZE_OK ? gz_mesh_check_lists(context, mesh) : status;
}

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Are all n doubles within the limit, and none NaN? Doubles without their sign order as their bits do, NaN last. */
static bool all_within(const double *x, size_t n, double limit) {
    uint64_t most = bits_of(limit), high = 0; /* its top bit: the bits of some x are above those of the limit */
    for (size_t i = 0; i < n; i++) high |= most - (bits_of(x[i]) & ~((uint64_t)1 << 63));
    return !(high >> 63);
}

typedef struct position_list {
    const char *x;
    size_t stride;
    double limit;
} position_list;

/* The first vertex with a coordinate beyond the limit or NaN. */
static size_t find_bad_position(const void *state, size_t begin, size_t end) {
    enum { BLOCK = 128 };
    const position_list *list = state;
    for (size_t first = begin; first < end; first += BLOCK) {
        size_t last = end - first < BLOCK ? end : first + BLOCK;
        const double *block = (const double *)(const void *)(list->x + list->stride * first);
        if (list->stride == sizeof(double[3]) && all_within(block, 3 * (last - first), list->limit)) continue;
        for (size_t v = first; v < last; v++)
            if (!all_within((const double *)(const void *)(list->x + list->stride * v), 3, list->limit)) return v;
    }
    return end;
}

graze_status gz_positions_check(graze_context *context, const char *name, const char *x, size_t stride, uint32_t count,
                                int any_finite) {
    position_list list = {x, stride, any_finite ? DBL_MAX : GRAZE_MAX_COORDINATE};
    size_t chunk = gz_chunk_for(context, count, POSITIONS_LEAST, POSITIONS_MOST);
    uint32_t v = (uint32_t)gz_parallel_first(context, count, chunk, find_bad_position, &list);
    if (v == count) return GRAZE_OK;
    const double *p = (const double *)(const void *)(x + stride * v);
    int finite = isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
    return gz_fail(context, finite ? GRAZE_ERR_OUT_OF_RANGE : GRAZE_ERR_NOT_FINITE, v,
                   "%s: a coordinate of vertex %u is %s", name, v, finite ? "beyond 2^160" : "not finite");
}
