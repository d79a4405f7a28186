/* Method `ti`: Tight Inclusion. The search is in ti_kernel.h; here its answer becomes a result. */
#include "compared/narrow/ti.h"

#include "pair/contact.h"

static GZ_NOINLINE void search_on_stack(const gz_narrow_call *call, const graze_query *query, gz_ti_outcome *outcome) {
    gz_ti_room room;
    call->kernels->ti(call, query, &room, outcome);
}

/* False when the context has no memory. */
static bool search(const gz_narrow_call *call, const graze_query *query, gz_ti_outcome *outcome) {
    gz_ti_room *room = call->context ? gz_worker_scratch(call->context, call->worker, sizeof *room) : NULL;
    if (room)
        call->kernels->ti(call, query, room, outcome);
    else if (!call->context)
        search_on_stack(call, query, outcome);
    return room || !call->context;
}

static void solve(const gz_narrow_call *call, const graze_query *query, graze_result *result) {
    gz_ti_outcome outcome;
    if (!search(call, query, &outcome)) {
        result->reason = GRAZE_REASON_MEMORY;
        return;
    }
    call->counts->checks += outcome.checks;
    call->counts->splits += outcome.splits;
    result->verdict = outcome.verdict;
    result->reason = outcome.reason;
    result->toi = outcome.toi;
    result->checks = outcome.checks;
    if (outcome.verdict == GRAZE_HIT) gz_contact_find(call->kind, query, result);
}

const gz_method gz_method_ti = {
    .info = {.method = GRAZE_METHOD_TI,
             .name = "ti",
             .summary = "Tight Inclusion",
             .available = 1,
             .conservative = 1,
             .gives_toi = 1,
             .default_tolerance = 1e-6,
             .default_max_checks = 1000000,
             .kinds = 1u << GRAZE_VF | 1u << GRAZE_EE},
    .solve = solve,
};
