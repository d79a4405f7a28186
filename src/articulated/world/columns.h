/* Positions as columns x, y, z, as lanes read them. */
#ifndef GZ_ARTICULATED_WORLD_COLUMNS_H
#define GZ_ARTICULATED_WORLD_COLUMNS_H

#include "base/context.h"

/* Doubles in a column: the last position is repeated until the widest lanes are full. */
static inline size_t gz_column_of(uint32_t count) { return ((size_t)count + 7) / 8 * 8; }

/* Three columns, one behind the other; NULL without memory. `count` is not 0. */
double *gz_columns_make(graze_context *context, const double (*x)[3], uint32_t count);
void gz_columns_release(graze_context *context, double *columns, uint32_t count);

#endif
