/* Swept boxes: what a primitive can reach in [0, t_max], grown by half of the separation. Closed, in double, rounded
   outward, so that comparing them is exact from here on. docs/numerics.md, section 3. */
#ifndef GZ_BROAD_BOXES_H
#define GZ_BROAD_BOXES_H

#include "graze/mesh.h"

#include "base/context.h"
#include "pair/swept.h"

typedef struct gz_box_input {
    const graze_mesh *mesh;
    const char *x0, *x1;
    size_t stride;
    double grow; /* of each vertex' box, beside its thickness: gz_half_up of the separation */
    double t_max;
} gz_box_input;

/* The length by which a vertex' box grows, and the position of the vertex. */
static inline double gz_vertex_grow(const gz_box_input *in, size_t vertex) {
    return in->mesh->thickness ? gz_add_up(in->grow, in->mesh->thickness[vertex]) : in->grow;
}
static inline const double *gz_box_position(const gz_box_input *in, const char *x, size_t vertex) {
    return (const double *)(const void *)(x + in->stride * vertex);
}

/* The box of one vertex. */
void gz_vertex_box(const gz_box_input *input, uint32_t vertex, gz_box *box);

/* Boxes of all vertices; of edges and faces as the hull of their vertices' boxes. On the context's threads. */
void gz_vertex_boxes(graze_context *context, const gz_box_input *input, gz_box *boxes);
void gz_edge_boxes(graze_context *context, const graze_mesh *mesh, const gz_box *vertices, gz_box *boxes);
void gz_face_boxes(graze_context *context, const graze_mesh *mesh, const gz_box *vertices, gz_box *boxes);

/* ---- in blocks of eight ---- */

/* Coordinate by coordinate, so that one box is tested against eight at once. */
#define GZ_BLOCK 8u

typedef struct gz_block {
    double lo[3][GZ_BLOCK], hi[3][GZ_BLOCK];
} gz_block;

static inline size_t gz_block_count(size_t items) { return items / GZ_BLOCK + (items % GZ_BLOCK != 0); }

static inline void gz_block_set(gz_block *block, unsigned lane, const gz_box *box) {
    for (int c = 0; c < 3; c++) {
        block->lo[c][lane] = box->lo[c];
        block->hi[c][lane] = box->hi[c];
    }
}

/* Lanes from `used` on meet nothing: every comparison with NaN is false. */
static inline void gz_block_pad(gz_block *block, unsigned used) {
    static const gz_box nothing = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    for (unsigned lane = used; lane < GZ_BLOCK; lane++) gz_block_set(block, lane, &nothing);
}

#endif
