/* What is wrong before anything moves: pairs within the separation, faces that intersect. */
#include "graze/step.h"

#include "base/context.h"

static graze_status no_pairs(graze_context *context, graze_pair **pairs, size_t *count, const char *what) {
    if (!pairs || !count) return GRAZE_ERR_INVALID_ARGUMENT;
    *pairs = NULL;
    *count = 0;
    return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "%s is not in this build", what);
}

graze_status graze_start_violations(graze_context *context, const graze_mesh *mesh, const double (*x)[3],
                                    const graze_step_options *options, graze_pair **pairs, size_t *count) {
    (void)mesh;
    (void)x;
    (void)options;
    return no_pairs(context, pairs, count, "the start check");
}

graze_status graze_static_intersections(graze_context *context, const graze_mesh *mesh, const double (*x)[3],
                                        const graze_step_options *options, graze_pair **pairs, size_t *count) {
    (void)mesh;
    (void)x;
    (void)options;
    return no_pairs(context, pairs, count, "the static intersection test");
}
