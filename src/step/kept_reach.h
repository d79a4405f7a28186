/* Pairs that keep a part of their own start distance (relative_separation): the most that one which stops inside of a
   window can have to keep. docs/numerics.md, section 3. */
#ifndef GZ_STEP_KEPT_REACH_H
#define GZ_STEP_KEPT_REACH_H

#include "step/call.h"

/* Measures how far vertices go, and what they span; nothing without relative_separation. To be called before
   gz_kept_reach. */
void gz_kept_measure(gz_step_call *call);

/* A distance that no pair with a toi in [0, window] has to keep more than: the separation of all pairs, or what follows
   from the motion up to there. */
double gz_kept_reach(const gz_step_call *call, double window);

#endif
