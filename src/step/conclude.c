#include "step/conclude.h"

#include <string.h>

void gz_step_conclude(const gz_step_call *call, graze_step_result *result) {
    result->verdict = result->has_pair ? result->limiting.result.verdict : GRAZE_CLEAR;
    result->reason = result->has_pair ? result->limiting.result.reason : GRAZE_REASON_NONE;
    result->toi = result->has_pair ? result->limiting.result.toi : call->at_start ? 0 : call->question.t_max;
    result->toi_upper = result->has_pair ? result->limiting.result.toi_upper : INFINITY;
}

void gz_step_count_nothing(graze_step_result *result) {
    for (int kind = 0; kind < GZ_KINDS; kind++) result->candidates[kind] = result->hits[kind] = GRAZE_NOT_COUNTED;
}

void gz_step_give_up(graze_context *context, graze_step_result *result) {
    gz_log(context, GRAZE_LOG_DEBUG, "step: given up, cancelled or past the deadline");
    graze_step_release(context, result);
    result->verdict = GRAZE_UNRESOLVED;
    result->reason = GRAZE_REASON_CANCELLED;
    result->toi = 0;
    result->toi_upper = INFINITY;
    result->has_pair = 0;
    memset(&result->limiting, 0, sizeof result->limiting);
    gz_step_count_nothing(result);
}
