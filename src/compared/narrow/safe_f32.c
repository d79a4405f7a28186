/* The cubic tests in float. */
#define GZ_SAFE_F32
#include "compared/narrow/safe_kernel.h"

gz_safe_answer gz_safe_test_f32(graze_kind kind, const graze_query_f32 *query, const gz_safe_setup *setup,
                                gz_safe_counts *counts) {
    gz_safe_answer answer;
    if (test(kind, query, setup, counts, &answer)) return answer;
    graze_query wide = gz_widened(query);
    return gz_safe_test_f64(kind, &wide, setup, counts);
}

double gz_safe_bound_f32(graze_kind kind, const graze_query_f32 *query) {
    differences d;
    take_differences(kind, query, &d);
    if (!(vec_size(d.p[0]) < SCALE_HIGH)) return INFINITY;
    return (double)bounds_of(&d).bound;
}

double gz_safe_reach_f32(double bound) { return 41 * 0x1.306fe0a31b716p-6 * bound; }
