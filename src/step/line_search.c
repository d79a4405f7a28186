/* What stands on steps: the active set and the line search of Tight Inclusion's paper (Algorithms 3 and 4). */
#include "graze/step.h"

#include "base/context.h"

#include <math.h>
#include <string.h>

double graze_step_back(double toi, double fraction) {
    if (!(toi > 0) || isnan(fraction)) return 0;
    if (fraction < 0) fraction = 0;
    if (fraction > 1) fraction = 1;
    double kept = toi * (1 - fraction);
    double below = nextafter(toi, 0);
    return kept < below ? kept : below;
}

graze_status graze_active_set(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                              const double (*x1)[3], const graze_step_options *options, graze_pair_result **pairs,
                              size_t *count) {
    (void)mesh;
    (void)x0;
    (void)x1;
    (void)options;
    if (!pairs || !count) return GRAZE_ERR_INVALID_ARGUMENT;
    *pairs = NULL;
    *count = 0;
    return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "the active set is not in this build");
}

void graze_active_set_release(graze_context *context, graze_pair_result *pairs, size_t count) {
    gz_release(context, pairs, count * sizeof *pairs);
}

graze_line_search_options graze_default_line_search_options(void) {
    return (graze_line_search_options){
        .struct_size = sizeof(graze_line_search_options),
        .separation_fraction = 0.2,
        .tolerance = 1e-6,
        .shrink = 0.5,
        .max_steps = 60,
    };
}

graze_status graze_line_search(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                               const double (*x1)[3], graze_energy *energy, void *user,
                               const graze_line_search_options *options, graze_line_search_result *result) {
    (void)mesh;
    (void)x0;
    (void)x1;
    (void)energy;
    (void)user;
    (void)options;
    if (!result) return GRAZE_ERR_INVALID_ARGUMENT;
    memset(result, 0, sizeof *result);
    result->struct_size = sizeof *result;
    return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "the line search is not in this build");
}
