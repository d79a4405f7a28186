/* Exact truth: the public face of the decision procedures. */
#include "graze/exact.h"

#include "base/context.h"

#include <math.h>

graze_truth_options graze_default_truth_options(void) {
    return (graze_truth_options){.struct_size = sizeof(graze_truth_options), .t_max = 1};
}

graze_status graze_truth_find(graze_context *context, graze_kind kind, const graze_query *query,
                              const graze_truth_options *options, graze_truth **truth) {
    (void)kind;
    (void)options;
    if (!truth) return GRAZE_ERR_INVALID_ARGUMENT;
    *truth = NULL;
    if (!query) return GRAZE_ERR_INVALID_ARGUMENT;
    return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "the exact oracle is not in this build");
}

void graze_truth_destroy(graze_context *context, graze_truth *truth) {
    (void)context;
    (void)truth;
}

int graze_truth_hit(const graze_truth *truth) {
    (void)truth;
    return 0;
}

void graze_truth_bracket(const graze_truth *truth, double *lower, double *upper) {
    (void)truth;
    *lower = *upper = NAN;
}

int graze_truth_compare(const graze_truth *truth, double t) {
    (void)truth;
    (void)t;
    return -1;
}

int graze_truth_degree(const graze_truth *truth) {
    (void)truth;
    return -1;
}

size_t graze_truth_coefficient(const graze_truth *truth, int k, char *buffer, size_t size) {
    (void)truth;
    (void)k;
    if (size) *buffer = '\0';
    return 0;
}

int graze_truth_contact_count(const graze_truth *truth) {
    (void)truth;
    return 0;
}

int graze_truth_on_boundary(const graze_truth *truth) {
    (void)truth;
    return 0;
}

void graze_truth_parameters(const graze_truth *truth, double u[2], double v[2]) {
    (void)truth;
    u[0] = u[1] = v[0] = v[1] = NAN;
}
