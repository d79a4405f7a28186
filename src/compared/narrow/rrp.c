/* Rational root parity: every sign in integers, every degenerate case decided. Misses even numbers of roots. */
#include "compared/narrow/root_parity.h"
#include "exact/arena.h"

typedef struct question {
    const gz_narrow_call *call;
    const graze_query *query;
    bool contact;
} question;

static void decide(void *state, gz_arena *arena) {
    question *q = state;
    gz_parity_exact exact;
    gz_parity_exact_load(&exact, arena, q->call->kind, q->query, q->call->question.t_max);
    q->contact = gz_parity_contact(q->call->kind, &gz_parity_exact_signs, &exact);
}

static void solve(const gz_narrow_call *call, const graze_query *query, graze_result *result) {
    question q = {.call = call, .query = query};
    bool decided = gz_parity_box_is_clear(call->kind, query);
    result->checks = 1;
    call->counts->checks++;
    if (!decided) {
        call->counts->oracle_calls++;
        decided = gz_with_arena((gz_arena_home){.context = call->context, .worker = call->worker}, decide, &q);
    }
    if (decided)
        gz_parity_result(q.contact, call->question.t_max, result);
    else
        result->reason = GRAZE_REASON_MEMORY;
}

const gz_method gz_method_rrp = {
    .info = {.method = GRAZE_METHOD_RRP,
             .name = "rrp",
             .summary = "root parity in rationals; misses even counts",
             .available = 1,
             .kinds = 1u << GRAZE_VF | 1u << GRAZE_EE},
    .solve = solve,
    .no_separation = 1,
};
