/* One pair in lanes of width 1, then its finish. */
#include "pair/pair.h"

#include "pair/certified_first_kernel.h"
#include "pair/certified_kernel.h"

/* Moves t on by the probe of this round, and says along which direction. */
static GZ_PAIR_FN double probe_once(const gz_certified_call *call, const gz_lane_source *source, uint32_t pair,
                                    int round, double t, double direction[1][3]) {
    if (round == 0 && !source->radii) { /* float knows one separation for all */
        float first;
        first_kernel(source, gz_float_not_below(call->separation), pair, 1, &first, direction);
        return first;
    }
    d_round_kernel(source, gz_certified_ahead(round), &pair, 1, &t, direction);
    return t;
}

GZ_PAIR_FN bool gz_certified_pair(const gz_certified_call *call, const gz_lane_source *source, uint32_t pair,
                                  double enough, graze_result *result) {
    gz_certified_next next = GZ_NEXT_PROBE;
    double t = 0;
    gz_result_unresolved(result, GRAZE_REASON_NONE);
    for (int round = 0; next == GZ_NEXT_PROBE; round++) {
        double direction[1][3], before = t;
        t = probe_once(call, source, pair, round, t, call->record ? direction : NULL);
        result->checks++;
        if (call->record && t > before) call->record(call->record_state, direction[0], before, t);
        next = gz_certified_after(round, t, t - before, enough, call->max_checks);
    }
    if (next == GZ_NEXT_CLEAR) {
        gz_result_clear(result, call->t_max);
        return true;
    }
    graze_query room;
    double radii[4];
    const graze_query *query = gz_lane_query(source, pair, &room);
    return gz_certified_finish(call, query, gz_lane_radii(source, pair, radii), t, enough, result);
}
