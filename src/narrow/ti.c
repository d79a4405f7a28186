/* Method `ti`: Tight Inclusion. The search is in ti_kernel.h; here its answer becomes a result. */
#include "narrow/ti.h"

#include "narrow/contact.h"

static gz_ti_search *search_for(graze_isa isa) {
    switch (isa) {
#if defined(GRAZE_HAVE_AVX2)
    case GRAZE_ISA_AVX2: return gz_ti_search_avx2;
#endif
#if defined(GRAZE_HAVE_AVX512)
    case GRAZE_ISA_AVX512: return gz_ti_search_avx512;
#endif
#if defined(GRAZE_HAVE_NEON)
    case GRAZE_ISA_NEON: return gz_ti_search_neon;
#endif
    default: return gz_ti_search_scalar;
    }
}

static void solve(const gz_narrow_call *call, const graze_query *query, graze_result *result) {
    gz_ti_outcome outcome;
    search_for(call->isa)(call, query, &outcome);
    call->counts->checks += outcome.checks;
    call->counts->splits += outcome.splits;
    result->verdict = outcome.verdict;
    result->reason = outcome.reason;
    result->toi = outcome.toi;
    result->checks = outcome.checks;
    if (outcome.verdict == GRAZE_HIT) gz_contact_fill(call->kind, query, result);
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
