/* One pair of links over a cell of joint values: proof that they are apart throughout it. */
#ifndef GZ_ARTICULATED_RANGE_CELL_H
#define GZ_ARTICULATED_RANGE_CELL_H

#include "graze/range.h"

#include "articulated/range/view.h"

/* No triangles. */
#define GZ_NO_FACES ((gz_range_faces){UINT32_MAX, UINT32_MAX})

typedef struct gz_cell_proof {
    bool clear;
    bool touches;         /* else: the triangles below seem to touch in the middle of the cell */
    gz_range_faces faces; /* that could not be told apart */
    int split;            /* the variable that moves the links most */
} gz_cell_proof;

/* `first` are tried before all others: what could not be told apart in a larger cell. */
gz_cell_proof gz_cell_prove(const gz_range_links *links, const double *lower, const double *upper,
                            gz_range_faces first);

#endif
