/* A whole step, from inside the library. */
#ifndef GZ_STEP_STEP_H
#define GZ_STEP_STEP_H

#include "graze/step.h"

#include "step/call.h"

/* graze_step inside a call that has entered the context; `result` is written as the library knows it. */
graze_status gz_step_run(graze_context *context, const graze_mesh *mesh, const double (*x0)[3], const double (*x1)[3],
                         const graze_step_options *options, graze_step_result *result);

/* graze_ccd_pairs for one pair, in the same way. */
graze_status gz_pair_solve(graze_context *context, const graze_mesh *mesh, const double (*x0)[3], const double (*x1)[3],
                           graze_pair pair, const graze_step_options *options, graze_result *result);

/* The door of a call that fills a caller's result: closed from here on, and written only when all went well. */
graze_status gz_step_enter(graze_context *context, graze_step_result *result, gz_fp_environment *env);
graze_status gz_step_leave(graze_context *context, gz_fp_environment *env, graze_status status,
                           const graze_step_result *found, graze_step_result *result);

/* From the pair that limits a step to its own answer: verdict, reason, toi and toi_upper, from has_pair and limiting.
 */
void gz_step_conclude(const gz_step_call *call, graze_step_result *result);

void gz_step_count_nothing(graze_step_result *result);

/* Some pairs were not looked at: nothing is known beyond t = 0, and no count is a count of all. */
void gz_step_give_up(graze_context *context, graze_step_result *result);

/* Asked for at least: the size of the struct in its first release. */
#define GZ_STEP_RESULT_LEAST GZ_SIZE_UP_TO(graze_step_result, ms_total)

#endif
