/* Positions in float for the first look at pairs: narrow/far.h. */
#ifndef GZ_STEP_FAR_H
#define GZ_STEP_FAR_H

#include "narrow/far.h"
#include "step/call.h"

/* Whether a pair that is apart by more than separation and tolerance on a window has no toi in it, whatever else is
   asked: docs/numerics.md, section 4.14. */
bool gz_far_serves(const gz_step_call *call);

/* Makes the positions over [0, window]. False when there is no memory. */
bool gz_far_renew(const gz_step_call *call, double window, gz_far_job *job);

#endif
