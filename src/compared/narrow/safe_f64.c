/* The cubic tests in double. */
#include "compared/narrow/safe_kernel.h"

gz_safe_answer gz_safe_test_f64(graze_kind kind, const graze_query *query, const gz_safe_setup *setup,
                                gz_safe_counts *counts) {
    gz_safe_answer answer;
    /* coordinates within GRAZE_MAX_COORDINATE never overflow */
    if (!test(kind, query, setup, counts, &answer)) answer = (gz_safe_answer){.positive = true};
    return answer;
}

double gz_safe_bound_f64(graze_kind kind, const graze_query *query) {
    differences d;
    take_differences(kind, query, &d);
    return bounds_of(&d).bound;
}

double gz_safe_reach_f64(double bound) { return 41 * EPS_1_4 * bound; }
