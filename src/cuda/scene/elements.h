/* Elements of the device's tree: each face is an element that owns some of its vertices and edges; what no face has is
   an element of its own. Every vertex and every edge has one owner, so that a pair of primitives is found once, by the
   pair of its owners. One tree serves vertex–face and edge–edge pairs. An element owns one vertex and two edges at
   most, which is what a face of a closed mesh has to own on average, and these come first: so few that every pair of
   elements is asked for all that it may own. */
#ifndef GZ_CUDA_SCENE_ELEMENTS_H
#define GZ_CUDA_SCENE_ELEMENTS_H

#include "base/backend.h"

#include <vector>

enum {
    GZ_OWNS_VERTEX = 1,      /* corner 0, or the bit above it: corner 1 */
    GZ_OWNS_EDGE = 8,        /* side 0, from corner 0 to 1; and the bit above it: side 1, from 1 to 2 */
    GZ_IS_FACE = 64,         /* `face` is set; three corners */
    GZ_IS_CODIM_EDGE = 128,  /* edges[0] is one of the mesh's codimensional edges */
    GZ_IS_CODIM_POINT = 256, /* corner[0] is one of its codimensional points */
};

/* Elements with fewer than three corners repeat the last one. */
struct alignas(16) gz_element { /* read in two pieces */
    uint32_t corner[3];
    uint32_t edges[3]; /* of the sides that it owns; the last is none */
    uint32_t face;
    uint32_t flags;
};

/* Every vertex, edge and face of the mesh, which has been checked; by the threads of the host. */
std::vector<gz_element> gz_elements_of(const gz_backend_request *request);

#endif
