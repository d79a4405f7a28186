/* A place on a Hilbert curve through a box: what is near on it is near in space. Only speed depends on it. */
#ifndef GZ_MPI_HILBERT_PLACE_H
#define GZ_MPI_HILBERT_PLACE_H

#include <stdint.h>

/* 63 bits: 21 of each coordinate, counted from `origin` in steps of 1/scale. */
uint64_t gz_fine_hilbert_place(const double x[3], const double origin[3], double scale);

#endif
