/* The place of a block in a matrix. */
#ifndef GZ_POTENTIAL_CSR_H
#define GZ_POTENTIAL_CSR_H

#include "graze/potential.h"

#include <stdbool.h>

/* The number among a block row's blocks of that of vertices a and b; false where the pattern has none. */
bool gz_csr_find(const graze_csr *csr, uint32_t a, uint32_t b, size_t *block);

/* Adds 3 × 3 entries, `stride` doubles from row to row, to the block that was found. */
void gz_csr_add(graze_csr *csr, uint32_t a, size_t block, const double *entries, size_t stride);

#define GZ_CSR_LEAST GZ_SIZE_UP_TO(graze_csr, count)

#endif
