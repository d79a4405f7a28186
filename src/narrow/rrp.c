/* Rational root parity: every sign in integers, every degenerate case decided. Misses even numbers of roots. */
#include "narrow/method.h"
#include "narrow/root_parity.h"

/* 64 KiB on the stack are enough for ordinary coordinates; the widest doubles need what a context's scratch gives. */
#define STACK_LIMBS ((size_t)8192)
#define SCRATCH_LIMBS ((size_t)1 << 20)

static bool decide(const gz_narrow_call *call, const graze_query *query, uint64_t *limbs, size_t size, bool *contact) {
    jmp_buf full;
    gz_arena arena = {.limbs = limbs, .size = size, .full = &full};
    if (setjmp(full)) return false;
    gz_parity_exact exact;
    gz_parity_exact_load(&exact, &arena, call->kind, query, call->t_max);
    *contact = gz_parity_contact(call->kind, &gz_parity_exact_signs, &exact);
    return true;
}

static bool decide_on_stack(const gz_narrow_call *call, const graze_query *query, bool *contact) {
    uint64_t limbs[STACK_LIMBS];
    return decide(call, query, limbs, STACK_LIMBS, contact);
}

static void solve(const gz_narrow_call *call, const graze_query *query, graze_result *result) {
    bool contact = false, decided = gz_parity_box_is_clear(call->kind, query);
    result->checks = 1;
    call->counts->checks++;
    if (!decided) {
        call->counts->oracle_calls++;
        decided = decide_on_stack(call, query, &contact);
    }
    if (!decided && call->context) {
        uint64_t *limbs = gz_worker_scratch(call->context, call->worker, SCRATCH_LIMBS * sizeof *limbs);
        if (limbs) decided = decide(call, query, limbs, SCRATCH_LIMBS, &contact);
    }
    if (!decided)
        result->reason = GRAZE_REASON_MEMORY;
    else if (contact)
        result->verdict = GRAZE_HIT;
    else
        gz_result_clear(result, call->t_max);
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
