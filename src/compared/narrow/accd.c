/* Additive advancement: step by a safe part of distance over speed, until the gap has shrunk to a tenth of what it was
   at the start or time is over (Li et al. 2021). The distance is computed with rounding errors that nothing bounds, so
   the method is not conservative; and its yes means "comes near", not "touches". */
#include "compared/narrow/plain_distance.h"
#include "narrow/method.h"
#include "pair/contact.h"

/* Part of the start gap that is kept, and part of the safe step that is taken. */
#define GAP_KEPT 0.1
#define STEP_TAKEN 0.9

/* distance − d, as (distance² − d²) / (distance + d): what the paper computes. */
static double gap_of(const gz_narrow_call *call, const gz_vec3 x[4]) {
    double squared = gz_squared_distance(call->kind, x), d = call->question.separation;
    return (squared - d * d) / (sqrt(squared) + d);
}

static double larger(gz_vec3 a, gz_vec3 b) { return fmax(gz_vec3_norm(a), gz_vec3_norm(b)); }

static void solve(const gz_narrow_call *call, const graze_query *query, graze_result *result) {
    gz_vec3 x[4], motion[4], mean = {{0, 0, 0}};
    for (int i = 0; i < 4; i++) {
        x[i] = gz_vec3_of(query->x0[i]);
        motion[i] = gz_vec3_sub(gz_vec3_of(query->x1[i]), x[i]);
        mean = gz_vec3_along(mean, 0.25, motion[i]);
    }
    for (int i = 0; i < 4; i++) motion[i] = gz_vec3_sub(motion[i], mean); /* distance is the same in a moving frame */
    double speed = call->kind == GRAZE_VF
                       ? gz_vec3_norm(motion[0]) + fmax(larger(motion[1], motion[2]), gz_vec3_norm(motion[3]))
                       : larger(motion[0], motion[1]) + larger(motion[2], motion[3]);
    double gap = gap_of(call, x), t = 0;
    result->checks = 1;
    double kept = call->question.tolerance > 0 ? call->question.tolerance : GAP_KEPT * gap;
    bool hit = !(gap > 0);
    if (!hit && speed > 0) {
        double step = (1 - GAP_KEPT) * gap / speed;
        for (;;) {
            for (int i = 0; i < 4; i++) x[i] = gz_vec3_along(x[i], step, motion[i]);
            gap = gap_of(call, x);
            result->checks++;
            hit = t > 0 && !(gap >= kept); /* a gap of 0 / 0 is none */
            if (hit) break;
            t += step;
            if (t > call->question.t_max) break;
            bool out = result->checks >= call->question.max_checks;
            if (out || ((result->checks & 4095) == 4095 && gz_cancelled(call->context))) {
                result->reason = out ? GRAZE_REASON_BUDGET : GRAZE_REASON_CANCELLED;
                break;
            }
            step = STEP_TAKEN * gap / speed;
        }
    }
    call->counts->checks += result->checks;
    if (hit) {
        result->verdict = GRAZE_HIT;
        result->toi = t;
        gz_contact_find(call->kind, query, result);
    } else if (result->reason != GRAZE_REASON_NONE) {
        result->toi = fmin(t, call->question.t_max);
    } else {
        gz_result_clear(result, call->question.t_max);
    }
}

const gz_method gz_method_accd = {
    .info = {.method = GRAZE_METHOD_ACCD,
             .name = "accd",
             .summary = "additive advancement; not conservative in floats",
             .available = 1,
             .gives_toi = 1,
             .default_max_checks = 1000000,
             .kinds = 1u << GRAZE_VF | 1u << GRAZE_EE},
    .solve = solve,
};
