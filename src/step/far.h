/* Positions in float for the first look at pairs: narrow/far.h. */
#ifndef GZ_STEP_FAR_H
#define GZ_STEP_FAR_H

#include "narrow/far.h"
#include "step/call.h"

/* Makes room for the positions, where a pair that is apart by more than separation and tolerance on a window has no toi
   in it, whatever else is asked: docs/numerics.md, section 4.14. Else, and when there is no memory, false. */
bool gz_far_open(const gz_step_call *call);

/* After gz_tree_renew. */
gz_far_job gz_far_job_of(const gz_step_call *call);

#endif
