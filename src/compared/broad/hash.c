/* A spatial hash: voxels of 2·max(average edge length, average displacement), as Belgrod et al. found best. */
#include "compared/broad/cells.h"

static double length(const double a[3], const double b[3]) {
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

/* From the boxes of the vertices: a box's diagonal is the way of its vertex (and twice the separation), and the corners
   of two boxes are about as far apart as their vertices. */
static double voxel_size(const gz_broad_call *call) {
    const graze_mesh *mesh = call->emitters[0].traversal->mesh;
    double edge = 0, displacement = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        displacement += length(call->vertices[v].lo, call->vertices[v].hi) / mesh->vertex_count;
    for (uint32_t e = 0; e < mesh->edge_count; e++)
        edge += length(call->vertices[mesh->edges[e][0]].lo, call->vertices[mesh->edges[e][1]].lo) / mesh->edge_count;
    return 2 * fmax(edge, displacement);
}

graze_status gz_hash_find(const gz_broad_call *call) {
    return gz_cells_find(call, (gz_cells_options){.size = voxel_size(call), .hashed = true});
}
