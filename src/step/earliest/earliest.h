/* Modes EARLIEST and ANY, with traversal and narrow phase at once. */
#ifndef GZ_STEP_EARLIEST_EARLIEST_H
#define GZ_STEP_EARLIEST_EARLIEST_H

#include "step/call.h"

/* True if gz_step_earliest can answer this call; and whether it then needs no more than the boxes of the vertices. */
bool gz_step_is_fused(const gz_step_call *call);
bool gz_step_is_few(const gz_step_call *call);

/* Modes EARLIEST and ANY, traversal and narrow phase at once: sets has_pair, limiting and ms_narrow, counts nothing.
   `stopped` is set when mode ANY ended before all pairs were looked at. */
graze_status gz_step_earliest(const gz_step_call *call, graze_step_result *result, bool *stopped);

#endif
