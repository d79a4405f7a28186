/* Topology: edges from faces. */
#include "mesh/mesh.h"

#include <string.h>

static const graze_mesh empty = {0};

void graze_init_mesh(graze_mesh *mesh, size_t size) { gz_sized_init(mesh, size, &empty, sizeof empty); }

/* The edges that graze_mesh_from_faces made, with the size that the allocator wants back. */
typedef struct owned_edges {
    size_t bytes;
    uint32_t edges[][2];
} owned_edges;

/* Stable counting sort of pairs by pair[key]; `starts` has room for vertex_count + 1 counts. */
static void sort_pairs(const uint32_t (*from)[2], uint32_t (*to)[2], size_t count, int key, size_t *starts,
                       uint32_t vertex_count) {
    memset(starts, 0, ((size_t)vertex_count + 1) * sizeof *starts);
    for (size_t i = 0; i < count; i++) starts[from[i][key] + 1]++;
    for (uint32_t v = 0; v < vertex_count; v++) starts[v + 1] += starts[v];
    for (size_t i = 0; i < count; i++) {
        uint32_t *slot = to[starts[from[i][key]]++];
        slot[0] = from[i][0];
        slot[1] = from[i][1];
    }
}

/* Every side of every face as (i < j); a side whose ends are one vertex is none. */
static size_t list_sides(const uint32_t (*faces)[3], uint32_t face_count, uint32_t (*sides)[2]) {
    size_t count = 0;
    for (uint32_t f = 0; f < face_count; f++)
        for (int k = 0; k < 3; k++) {
            uint32_t i = faces[f][k], j = faces[f][k == 2 ? 0 : k + 1];
            if (i == j) continue;
            sides[count][0] = i < j ? i : j;
            sides[count++][1] = i < j ? j : i;
        }
    return count;
}

static size_t drop_repeats(uint32_t (*edges)[2], size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept && edges[kept - 1][0] == edges[i][0] && edges[kept - 1][1] == edges[i][1]) continue;
        edges[kept][0] = edges[i][0];
        edges[kept++][1] = edges[i][1];
    }
    return kept;
}

static graze_status derive_edges(graze_context *context, uint32_t vertex_count, const uint32_t (*faces)[3],
                                 uint32_t face_count, owned_edges **owned, uint32_t *edge_count) {
    size_t room = (size_t)face_count * 3, starts_count = (size_t)vertex_count + 1;
    uint32_t(*sides)[2] = gz_allocate_array(context, room, sizeof *sides);
    uint32_t(*sorted)[2] = gz_allocate_array(context, room, sizeof *sorted);
    size_t *starts = gz_allocate_array(context, starts_count, sizeof *starts);
    graze_status status = GRAZE_ERR_OUT_OF_MEMORY;
    if (sides && sorted && starts) {
        size_t count = list_sides(faces, face_count, sides);
        sort_pairs((const uint32_t(*)[2])sides, sorted, count, 0, starts, vertex_count);
        sort_pairs((const uint32_t(*)[2])sorted, sides, count, 1, starts, vertex_count);
        count = drop_repeats(sides, count);
        size_t bytes = sizeof(owned_edges) + count * sizeof *sides;
        if (count > INT32_MAX) {
            status = gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "%zu edges: at most 2^31", count);
        } else if ((*owned = gz_allocate(context, bytes)) != NULL) {
            (*owned)->bytes = bytes;
            memcpy((*owned)->edges, sides, count * sizeof *sides);
            *edge_count = (uint32_t)count;
            status = GRAZE_OK;
        }
    }
    gz_release(context, sides, room * sizeof *sides);
    gz_release(context, sorted, room * sizeof *sorted);
    gz_release(context, starts, starts_count * sizeof *starts);
    return status;
}

static graze_status from_faces(graze_context *context, uint32_t vertex_count, const uint32_t (*faces)[3],
                               uint32_t face_count, graze_mesh *mesh) {
    if (face_count && !faces)
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "faces is NULL with %u faces", face_count);
    graze_mesh made = graze_default_mesh();
    made.vertex_count = vertex_count;
    made.face_count = face_count;
    made.faces = faces;
    for (uint32_t f = 0; f < face_count; f++)
        for (int k = 0; k < 3; k++)
            if (faces[f][k] >= vertex_count)
                return gz_fail(context, GRAZE_ERR_BAD_INDEX, f, "face %u: vertex %u of %u", f, faces[f][k],
                               vertex_count);
    owned_edges *owned = NULL;
    graze_status status = derive_edges(context, vertex_count, faces, face_count, &owned, &made.edge_count);
    if (status != GRAZE_OK) return status;
    made.edges = (const uint32_t(*)[2])owned->edges;
    made.owned = owned;
    gz_sized_write(mesh, &made, sizeof made);
    return GRAZE_OK;
}

graze_status graze_mesh_from_faces(graze_context *context, uint32_t vertex_count, const uint32_t (*faces)[3],
                                   uint32_t face_count, graze_mesh *mesh) {
    if (!mesh) return GRAZE_ERR_INVALID_ARGUMENT;
    graze_status status = gz_sized_check(NULL, "mesh", mesh, GZ_MESH_LEAST);
    if (status != GRAZE_OK) return status;
    gz_sized_write(mesh, &empty, sizeof empty);
    gz_fp_environment env;
    status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    return gz_context_leave(context, &env, from_faces(context, vertex_count, faces, face_count, mesh));
}

void graze_mesh_release(graze_context *context, graze_mesh *mesh) {
    if (!mesh || mesh->struct_size < GZ_MESH_LEAST) return;
    owned_edges *owned = mesh->owned;
    if (owned) gz_release(context, owned, owned->bytes);
    gz_sized_write(mesh, &empty, sizeof empty);
}
