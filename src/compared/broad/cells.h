/* Space in cells of one size, boxes in every cell they touch: what grid, gsap and hash share.
 *
 * A pair is emitted in one cell only: the one that holds the lower corner of what the two boxes have in common. The
 * index of a coordinate is computed the same way everywhere and never falls when the coordinate grows, so that cell is
 * among those of both boxes. */
#ifndef GZ_COMPARED_BROAD_CELLS_H
#define GZ_COMPARED_BROAD_CELLS_H

#include "compared/broad/merged.h"

#define GZ_CELL_BITS 20 /* at most 2^20 cells on an axis */

typedef struct gz_cells_options {
    double size; /* wanted size of a cell; made larger until the entries fit */
    bool hashed; /* cells share buckets by a hash; else one bucket for each cell of the whole box */
    bool swept;  /* within a bucket in the order of lo on an axis, for a sweep */
} gz_cells_options;

/* Average extent of the boxes of a search over the three axes: a size to start from. */
double gz_average_extent(const gz_merged *m);

/* Emits all pairs. */
graze_status gz_cells_find(const gz_broad_call *call, gz_cells_options options);

#endif
