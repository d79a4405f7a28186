#include "articulated/world/columns.h"

double *gz_columns_make(graze_context *context, const double (*x)[3], uint32_t count) {
    size_t column = gz_column_of(count);
    double *made = gz_allocate_array(context, 3 * column, sizeof *made);
    for (size_t i = 0; made && i < column; i++)
        for (size_t c = 0; c < 3; c++) made[c * column + i] = x[i < count ? i : count - 1][c];
    return made;
}

void gz_columns_release(graze_context *context, double *columns, uint32_t count) {
    gz_release(context, columns, 3 * gz_column_of(count) * sizeof *columns);
}
