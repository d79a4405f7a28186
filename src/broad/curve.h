/* Vertices in the order of a space-filling curve: what is near in it is near in space. Only speed depends on it. */
#ifndef GZ_BROAD_CURVE_H
#define GZ_BROAD_CURVE_H

#include "broad/rough.h"
#include "broad/workspace.h"

/* rank[v]: place of vertex v in the order of the centres of its boxes. NULL when there is no memory. Uses slots A to D,
   and keeps the result in GZ_SLOT_RANK. */
const uint32_t *gz_vertex_rank(graze_context *context, gz_workspace *workspace, const gz_rough *boxes, uint32_t count);

#endif
