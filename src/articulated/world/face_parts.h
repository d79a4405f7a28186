/* Which vertices and edges come with which face, so that faces which are near lead to all of theirs, each once. */
#ifndef GZ_ARTICULATED_WORLD_FACE_PARTS_H
#define GZ_ARTICULATED_WORLD_FACE_PARTS_H

#include "graze/mesh.h"

#include "base/context.h"

/* Every vertex and every edge is owned by one of the faces that it is of. */
typedef struct gz_face_part {
    uint32_t edges[3]; /* from corner k to k + 1 */
    uint8_t owned;     /* bit k: corner k; bit 3 + k: edge k */
} gz_face_part;

/* NULL without memory, and where *whole becomes false: some vertex or edge is of no face. */
gz_face_part *gz_face_parts_make(graze_context *context, const graze_mesh *mesh, bool *whole);

#endif
