/* Vertices in the order of a space-filling curve: what is near in it is near in space. Only speed depends on it. */
#ifndef GZ_BROAD_CURVE_H
#define GZ_BROAD_CURVE_H

#include "broad/blocks.h"
#include "broad/workspace.h"

/* rank[v]: place of vertex v in the order of the centres of its boxes. NULL when there is no memory. Uses slots A to D,
   and keeps the result in GZ_SLOT_RANK. */
const uint32_t *gz_vertex_rank(graze_context *context, gz_workspace *workspace, const gz_box *boxes, uint32_t count);

/* Places of eight cells along Hilbert's curve through a cube of 2^bits cells on each axis, bits in [1, 21]. */
typedef void gz_curve_kernel(uint32_t cells[3][GZ_BLOCK], int bits, uint64_t keys[GZ_BLOCK]);
gz_curve_kernel gz_curve_scalar, gz_curve_avx2, gz_curve_avx512, gz_curve_neon;

#endif
