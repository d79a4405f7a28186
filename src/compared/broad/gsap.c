/* A coarse grid, and sort and sweep within its cells. */
#include "compared/broad/cells.h"

graze_status gz_gsap_find(const gz_broad_call *call) {
    gz_merged merged = gz_merge(call);
    return gz_cells_find(call, (gz_cells_options){.size = 8 * gz_average_extent(&merged), .swept = true});
}
