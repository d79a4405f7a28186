/* Any doubles as a query, with any options, to every method: a status and a result that keeps its promises. What
   `certified` proves is given to the checker. */
#include "verify/claims.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition) {
    if (!condition) abort();
}

static void require_proof(graze_kind kind, const graze_query *query, const double *radii, const graze_options *options,
                          const graze_result *certified) {
    static claim c;
    if (!claim_holds(&c, kind, query, radii, options) && !claim_took_too_much(&c)) {
        fprintf(stderr, "rejected: %s\n", c.reason);
        abort();
    }
    require(c.result.verdict == certified->verdict && c.result.toi == certified->toi);
}

/* With balls, where the input has radii. */
static void require_thick(graze_kind kind, const graze_query *query, const uint8_t radii[4],
                          const graze_options *options) {
    double r[4];
    graze_result result;
    for (int i = 0; i < 4; i++) r[i] = ldexp(radii[i], -8);
    if (graze_ccd_thick(kind, query, r, options, &result) == GRAZE_OK) require_proof(kind, query, r, options, &result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct {
        uint8_t kind, method, separation, t_max;
        graze_query query;
        uint8_t radii[4];
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
    if (options.method != GRAZE_METHOD_CERTIFIED && options.method != GRAZE_METHOD_DEFAULT) return 0;
    require_proof((graze_kind)(in.kind % 4), &in.query, NULL, &options, &result);
    require_thick((graze_kind)(in.kind % 4), &in.query, in.radii, &options);
    return 0;
}
