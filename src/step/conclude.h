/* From the pair that limits a step to the step's own answer. */
#ifndef GZ_STEP_CONCLUDE_H
#define GZ_STEP_CONCLUDE_H

#include "step/call.h"

/* Verdict, reason, toi and toi_upper, from has_pair and limiting. */
void gz_step_conclude(const gz_step_call *call, graze_step_result *result);

void gz_step_count_nothing(graze_step_result *result);

/* Some pairs were not looked at: nothing is known beyond t = 0, and no count is a count of all. */
void gz_step_give_up(graze_context *context, graze_step_result *result);

#endif
