/* A pair of a mesh as the caller sees it: its query, its vertices and their weights; names of modes. */
#include "base/names.h"
#include "mesh/mesh.h"
#include "step/call.h"
#include "step/mesh_pair.h"

static const char *const modes[] = {"earliest", "any", "vertices", "all"};
#define MODE_COUNT (sizeof modes / sizeof *modes)

const char *graze_step_mode_name(graze_step_mode mode) { return gz_name_of(modes, MODE_COUNT, (int)mode); }

int graze_step_mode_find(const char *name, graze_step_mode *mode) {
    int found = gz_name_find(modes, MODE_COUNT, name);
    if (found < 0 || !mode) return 0;
    *mode = (graze_step_mode)found;
    return 1;
}

/* The pair's vertices, after looking at no more of the mesh than it names. */
static graze_status find_vertices(const graze_mesh *mesh, graze_pair pair, uint32_t ids[4]) {
    if (!mesh || mesh->struct_size < GZ_MESH_LEAST || (unsigned)pair.kind >= GZ_KINDS)
        return GRAZE_ERR_INVALID_ARGUMENT;
    if ((pair.kind == GRAZE_VF && !mesh->faces) || ((pair.kind == GRAZE_EE || pair.kind == GRAZE_PE) && !mesh->edges))
        return GRAZE_ERR_BAD_INDEX;
    uint32_t a, b;
    gz_pair_counts(mesh, pair.kind, &a, &b);
    if (pair.a >= a || pair.b >= b) return GRAZE_ERR_BAD_INDEX;
    gz_pair_vertices(mesh, pair.kind, pair.a, pair.b, ids);
    for (int i = 0; i < 4; i++)
        if (ids[i] >= mesh->vertex_count) return GRAZE_ERR_BAD_INDEX;
    return GRAZE_OK;
}

graze_status graze_pair_query(const graze_mesh *mesh, const double (*x0)[3], const double (*x1)[3], size_t stride,
                              graze_pair pair, graze_query *query) {
    if (!query) return GRAZE_ERR_INVALID_ARGUMENT;
    graze_query gathered = {0}; /* the query may be written over the positions */
    if (stride == 0) stride = sizeof(double[3]);
    uint32_t ids[4] = {0};
    graze_status status = GRAZE_ERR_INVALID_ARGUMENT;
    if (x0 && x1 && stride % sizeof(double) == 0 && stride >= sizeof(double[3]))
        status = find_vertices(mesh, pair, ids);
    gz_positions positions = {.x0 = (const char *)x0, .x1 = (const char *)x1, .stride = stride};
    if (status == GRAZE_OK) gz_gather(&positions, ids, gz_kind_rows(pair.kind), &gathered);
    *query = gathered;
    return status;
}

static void weigh(graze_kind kind, double u, double v, double weights[4]) {
    weights[0] = kind == GRAZE_EE ? 1 - u : 1;
    switch (kind) {
    case GRAZE_VF:
        weights[1] = -(1 - u - v);
        weights[2] = -u;
        weights[3] = -v;
        return;
    case GRAZE_EE:
        weights[1] = u;
        weights[2] = -(1 - v);
        weights[3] = -v;
        return;
    case GRAZE_PE:
        weights[1] = -(1 - u);
        weights[2] = -u;
        return;
    case GRAZE_PP: weights[1] = -1; return;
    }
}

graze_status graze_pair_stencil(const graze_mesh *mesh, graze_pair pair, double u, double v, graze_stencil *stencil) {
    if (!stencil) return GRAZE_ERR_INVALID_ARGUMENT;
    memset(stencil, 0, sizeof *stencil);
    uint32_t ids[4] = {0};
    graze_status status = find_vertices(mesh, pair, ids);
    if (status != GRAZE_OK) return status;
    stencil->count = (uint32_t)gz_kind_rows(pair.kind);
    memcpy(stencil->vertices, ids, stencil->count * sizeof *ids);
    weigh(pair.kind, u, v, stencil->weights);
    return GRAZE_OK;
}
