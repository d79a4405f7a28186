/* Topology of a mesh that was read, as the library needs it: which pairs there are. */
#ifndef GRAZE_IO_TOPOLOGY_H
#define GRAZE_IO_TOPOLOGY_H

#include "graze/mesh.h"

#include "io/mesh.h"

/* Faces and the lines of a file; a line from a vertex to itself is none, and is dropped from `a`. Vertices in neither
   are points where there are lines, else spare. The mesh borrows the faces of `a`. */
graze_status io_mesh_topology(graze_context *context, io_mesh *a, graze_mesh *mesh);

#endif
