/* Method `oracle`: exact arithmetic and nothing else. The verdict and its bracket are exact; the contact's parameters
   are middles of narrow enclosures; its point and normal are worked out from them in plain floating point. */
#include "narrow/method.h"
#include "pair/contact.h"

#include "exact/decide.h"

#include <float.h>
#include <math.h>

/* The pair with its coordinates divided by a power of two, so that no product overflows. */
static void make_scaled(graze_kind kind, const graze_query *query, gz_motion *pair) {
    int rows = gz_kind_rows(kind), exponent;
    graze_query scaled = {{{0}}, {{0}}};
    double largest = 0;
    for (int i = 0; i < rows; i++)
        for (int c = 0; c < 3; c++) largest = v_max(largest, v_max_abs(query->x0[i][c], query->x1[i][c]));
    frexp(largest, &exponent);
    for (int i = 0; i < rows; i++)
        for (int c = 0; c < 3; c++) {
            scaled.x0[i][c] = ldexp(query->x0[i][c], -exponent);
            scaled.x1[i][c] = ldexp(query->x1[i][c], -exponent);
        }
    gz_motion_make(pair, kind, &scaled, 0);
}

static void solve(const gz_narrow_call *call, const graze_query *query, graze_result *result) {
    gz_exact_answer answer;
    call->counts->oracle_calls++;
    call->counts->checks++;
    result->checks = 1;
    if (!gz_exact_decide(call->context, call->worker, call->kind, query, call->question.separation,
                         call->question.t_max, &answer)) {
        result->reason = GRAZE_REASON_MEMORY;
        return;
    }
    if (!answer.hit) {
        gz_result_clear(result, call->question.t_max);
        return;
    }
    result->verdict = GRAZE_HIT;
    result->proven = 1;
    result->toi = answer.lower;
    result->toi_upper = answer.upper;
    gz_motion pair;
    make_scaled(call->kind, query, &pair);
    gz_contact_fill(&pair, query, 0.5 * (answer.u[0] + answer.u[1]), 0.5 * (answer.v[0] + answer.v[1]), result);
}

const gz_method gz_method_oracle = {
    .info = {.method = GRAZE_METHOD_ORACLE,
             .name = "oracle",
             .summary = "exact arithmetic only",
             .available = 1,
             .conservative = 1,
             .exact = 1,
             .gives_toi = 1,
             .kinds = 1u << GRAZE_VF | 1u << GRAZE_EE | 1u << GRAZE_PE | 1u << GRAZE_PP},
    .solve = solve,
    .any_finite = 1,
    .windowed = 1,
};
