/* One pair of primitives of a world over a span of time: windows are halved until it is free, or in contact. */
#ifndef GZ_WORLD_WORLD_PAIR_H
#define GZ_WORLD_WORLD_PAIR_H

#include "world/near.h"

/* Free before span.begin. The answer depends on the two motions, the span and the options alone; CLEAR: free throughout
   the span, up to t_max. `result` is written. */
void gz_world_pair(gz_movers *movers, uint32_t worker, const gz_near_pair *near, gz_span span, graze_result *result);

#endif
