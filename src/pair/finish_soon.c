#include "pair/finish_state.h"

GZ_PAIR_FN bool gz_certified_finish_soon(const gz_certified_call *call, const graze_query *query, double t,
                                         double enough, graze_result *result) {
    finish_state s = {0};
    s.call = call, s.query = query, s.result = result, s.t = t, s.enough = enough;
    gz_motion_make(&s.pair, call->kind, query, 0);
    set_tolerance(&s);
    gz_volume_make(&s.volume, &s.pair);
    uint64_t slow = result->checks + GZ_SLOW_CHECKS;
    volume_contact found;
    volume_outcome outcome = advance_by_volume(&s, call->max_checks < slow ? call->max_checks : slow, &found);
    if (outcome == VOLUME_OPEN || (outcome == VOLUME_HIT && is_wide(&s, &found))) return false;
    if (outcome == VOLUME_HIT) tell_volume_hit(&s, &found);
    return true;
}
