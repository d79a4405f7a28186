/* Parts of a mesh: triangles that vertices join. A part is closed where each of its edges belongs to two triangles. */
#ifndef GRAZE_VERIFY_PARTS_H
#define GRAZE_VERIFY_PARTS_H

#include "verify/path_scene.h"

typedef struct mesh_parts {
    uint32_t *of_face; /* which part */
    uint32_t *first;   /* of each part: a vertex of it */
    bool *closed;      /* of each part */
    size_t count;
} mesh_parts;

/* False: out of memory. Free in any case. */
bool mesh_parts_find(mesh_parts *parts, const path_mesh *mesh);
void mesh_parts_free(mesh_parts *parts);

#endif
