/* Whole steps: the public face. */
#include "graze/step.h"

#include "base/context.h"

#include <string.h>

graze_step_options graze_default_step_options(void) {
    return (graze_step_options){.struct_size = sizeof(graze_step_options)};
}

graze_status graze_step(graze_context *context, const graze_mesh *mesh, const double (*x0)[3], const double (*x1)[3],
                        const graze_step_options *options, graze_step_result *result) {
    (void)mesh;
    (void)x0;
    (void)x1;
    (void)options;
    if (!result) return GRAZE_ERR_INVALID_ARGUMENT;
    memset(result, 0, sizeof *result);
    result->struct_size = sizeof *result;
    return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "steps are not in this build");
}

void graze_step_release(graze_context *context, graze_step_result *result) {
    (void)context;
    (void)result;
}

static graze_status no_pairs(graze_context *context, graze_pair **pairs, size_t *count) {
    if (!pairs || !count) return GRAZE_ERR_INVALID_ARGUMENT;
    *pairs = NULL;
    *count = 0;
    return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "steps are not in this build");
}

graze_status graze_candidates(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                              const double (*x1)[3], const graze_step_options *options, graze_pair **pairs,
                              size_t *count) {
    (void)mesh;
    (void)x0;
    (void)x1;
    (void)options;
    return no_pairs(context, pairs, count);
}

void graze_pairs_release(graze_context *context, graze_pair *pairs, size_t count) {
    gz_release(context, pairs, count * sizeof *pairs);
}

graze_status graze_ccd_pairs(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                             const double (*x1)[3], const graze_pair *pairs, size_t count,
                             const graze_step_options *options, graze_result *results) {
    (void)mesh;
    (void)x0;
    (void)x1;
    (void)pairs;
    (void)count;
    (void)options;
    (void)results;
    return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "steps are not in this build");
}
