/* One pair: a vertex falls through a triangle. When and where do they touch? */
#include <graze/graze.h>

#include <stdio.h>

int main(void) {
    graze_query query = {{{0.25, 0.25, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                         {{0.25, 0.25, -1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    graze_options options = graze_default_options();
    options.method = GRAZE_METHOD_EXACT;
    graze_result result;
    graze_status status = graze_ccd(GRAZE_VF, &query, &options, &result);
    if (status != GRAZE_OK) {
        fprintf(stderr, "%s\n", graze_status_name(status));
        return 1;
    }
    printf("%s between t = %.17g and %.17g at (%g, %g, %g), u = %g, v = %g, normal (%g, %g, %g)\n",
           graze_verdict_name(result.verdict), result.toi, result.toi_upper, result.point[0], result.point[1],
           result.point[2], result.u, result.v, result.normal[0], result.normal[1], result.normal[2]);
    return result.verdict == GRAZE_HIT && result.toi == 0.5 ? 0 : 1;
}
