/* A uniform grid: cells twice as wide as the average box. */
#include "compared/broad/cells.h"

graze_status gz_grid_find(const gz_broad_call *call) {
    gz_merged merged = gz_merge(call);
    return gz_cells_find(call, (gz_cells_options){.size = 2 * gz_average_extent(&merged)});
}
