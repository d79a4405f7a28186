/* Any doubles as a query, with any options, to every method: a status and a result that keeps its promises. */
#include "graze/graze.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition) {
    if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct {
        uint8_t kind, method, separation, t_max;
        graze_query query;
    } in;
    memset(&in, 0, sizeof in);
    memcpy(&in, data, size < sizeof in ? size : sizeof in);
    graze_options options = graze_default_options();
    options.method = (graze_method)(in.method % (GRAZE_METHOD_PROVOT + 1));
    options.max_checks = 2000;
    options.min_separation = in.separation < 128 ? 0 : ldexp(in.separation, -8);
    options.t_max = in.t_max ? in.t_max / 255.0 : 1;
    graze_result result;
    graze_status status = graze_ccd((graze_kind)(in.kind % 4), &in.query, &options, &result);
    if (status != GRAZE_OK) {
        require(result.verdict == GRAZE_UNRESOLVED && result.toi == 0);
        return 0;
    }
    require(result.toi >= 0 && result.toi <= options.t_max);
    if (result.verdict == GRAZE_CLEAR) require(result.toi == options.t_max);
    if (result.verdict != GRAZE_HIT) require(isinf(result.toi_upper));
    if (result.proven) require(result.verdict == GRAZE_HIT && result.toi <= result.toi_upper);
    return 0;
}
