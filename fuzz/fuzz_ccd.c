/* Any doubles as a query, with any options, to every method: a status and a result that keeps its promises. With a mode
   the bytes are drawn upon: small numbers, a few ulps beside them, powers of two and subnormals, and a scale of its own
   for each point. Judges of `certified` and `exact`: the oracle, every instruction set, a batch; of `certified` also
   the checker. */
#include "same_bits.h"
#include "verify/claims.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BATCH = 5, ISAS = GRAZE_ISA_WASM + 1 };

static graze_context *contexts[ISAS];

static void require(int condition) {
    if (!condition) abort();
}

/* One number from 8 bytes: a small one, moved by ulps; then scaled. */
static double drawn(const uint8_t bytes[8], int exponent) {
    double x = (int8_t)bytes[0] / 16;
    for (int i = bytes[1] % 4; i > 0; i--) x = nextafter(x, bytes[2] & 1 ? INFINITY : -INFINITY);
    if (bytes[3] % 8 == 7) x = ldexp(x, -(bytes[4] % 64));
    return ldexp(x, exponent);
}

/* Row by row: most are of size 1, the others down to subnormals. */
static graze_query drawn_query(const graze_query *from) {
    graze_query query;
    for (int r = 0; r < 8; r++) {
        uint8_t bytes[3][8];
        memcpy(bytes, r < 4 ? from->x0[r] : from->x1[r - 4], sizeof bytes);
        int exponent = bytes[0][7] % 2 ? -(bytes[0][6] * 256 + bytes[0][5]) % 1075 : 0;
        double *row = r < 4 ? query.x0[r] : query.x1[r - 4];
        for (int c = 0; c < 3; c++) row[c] = drawn(bytes[c], exponent);
    }
    return query;
}

static graze_context *context_of(graze_isa isa) {
    graze_context_options options = graze_default_context_options();
    options.isa = isa;
    options.threads = 1;
    if (!contexts[isa]) require(graze_context_create(&options, &contexts[isa]) == GRAZE_OK);
    return contexts[isa];
}

/* Never clear where it hits, never late, no proof of a contact that is not there. */
static void require_truth(graze_kind kind, const graze_query *query, const graze_options *options,
                          const graze_result *result) {
    graze_options exactly = *options;
    graze_result truth;
    exactly.method = GRAZE_METHOD_ORACLE;
    exactly.max_checks = 0;
    if (graze_ccd_batch(context_of(GRAZE_ISA_SCALAR), kind, query, 1, &exactly, &truth) != GRAZE_OK) return;
    if (truth.verdict == GRAZE_HIT) require(result->verdict != GRAZE_CLEAR && result->toi <= truth.toi_upper);
    if (truth.verdict == GRAZE_CLEAR) require(!result->proven);
}

/* The bits of a batch, on every instruction set. What a single call has no memory for, a context may decide. */
static void require_bits(graze_kind kind, const graze_query *query, const graze_options *options,
                         const graze_result *single) {
    if (single->verdict == GRAZE_UNRESOLVED && single->reason == GRAZE_REASON_MEMORY) return;
    graze_query queries[BATCH];
    graze_result results[BATCH];
    for (int i = 0; i < BATCH; i++) queries[i] = *query;
    for (graze_isa isa = GRAZE_ISA_SCALAR; isa < (graze_isa)ISAS; isa++) {
        if (!graze_isa_available(isa)) continue;
        require(graze_ccd_batch(context_of(isa), kind, queries, BATCH, options, results) == GRAZE_OK);
        for (int i = 0; i < BATCH; i++) require(same_result(&results[i], single));
    }
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
        uint8_t kind, method, separation, t_max, mode, smaller;
        graze_query query;
        uint8_t radii[4];
    } in;
    memset(&in, 0, sizeof in);
    memcpy(&in, data, size < sizeof in ? size : sizeof in);
    if (in.mode) in.query = drawn_query(&in.query);
    graze_options options = graze_default_options();
    options.method = (graze_method)(in.method % (GRAZE_METHOD_PROVOT + 1));
    options.max_checks = 2000;
    options.min_separation = in.separation < 128 ? 0 : ldexp(in.separation, -8 - 4 * in.smaller);
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
    if (options.method > GRAZE_METHOD_EXACT) return 0;
    require_truth((graze_kind)(in.kind % 4), &in.query, &options, &result);
    require_bits((graze_kind)(in.kind % 4), &in.query, &options, &result);
    if (options.method != GRAZE_METHOD_CERTIFIED && options.method != GRAZE_METHOD_DEFAULT) return 0;
    require_proof((graze_kind)(in.kind % 4), &in.query, NULL, &options, &result);
    require_thick((graze_kind)(in.kind % 4), &in.query, in.radii, &options);
    return 0;
}
