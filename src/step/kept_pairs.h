/* Lists of pairs, with their results and without, which callers hold and give back. A long one that comes back is kept
   for the next call: fresh pages would cost more than what is written to them. */
#ifndef GZ_STEP_KEPT_PAIRS_H
#define GZ_STEP_KEPT_PAIRS_H

#include "base/context.h"

#include "graze/proximity.h"

/* Room for `count` pairs; NULL when there is no memory. */
graze_pair_result *gz_pairs_allocate(graze_context *context, size_t count);
graze_pair *gz_list_allocate(graze_context *context, size_t count, bool exact); /* graze_pairs_release gives it back */
graze_proximity_pair *gz_near_allocate(graze_context *context, size_t count);

/* NULL is fine. By any thread, but not while the context is trimmed or destroyed. */
void gz_pairs_release(graze_context *context, graze_pair_result *pairs);
void gz_near_release(graze_context *context, graze_proximity_pair *pairs);

#endif
