/* Meshes so small that every box against every other, many at a time, is faster than any tree. */
#ifndef GZ_BROAD_FEW_H
#define GZ_BROAD_FEW_H

#include "broad/emit.h"

#define GZ_FEW_VERTICES 64u
#define GZ_FEW 128u /* faces, and edges */

/* Codimensional pairs have ids of their own: a mesh with any is not one. */
static inline bool gz_is_few(const graze_mesh *mesh) {
    return mesh->vertex_count <= GZ_FEW_VERTICES && mesh->edge_count <= GZ_FEW && mesh->face_count <= GZ_FEW &&
           mesh->codim_point_count == 0;
}

#endif
