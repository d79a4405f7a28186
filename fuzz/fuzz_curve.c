/* Cubic curves drawn from bytes, each point with a scale of its own. Judges: the oracle, at sixteenths of time where
   all positions are doubles, and all of the way where the curves are lines; every instruction set, in a batch. */
#include "agreement/judge.h"
#include "fuzz/numbers.h"
#include "same_bits.h"

#include <fenv.h>

enum { BATCH = 5 };

typedef struct curves {
    graze_kind kind;
    graze_curve_query query;
    graze_options options;
} curves;

static curves draw_curves(test_random *random) {
    curves d = {.kind = (graze_kind)test_random_below(random, 4), .options = graze_default_options()};
    int all = test_random_below(random, 4) ? 0 : draw_exponent(random) / 2;
    for (int i = 0; i < draw_rows(d.kind); i++) {
        int own = test_random_below(random, 4) ? all : all - (int)test_random_below(random, 500);
        for (int j = 0; j < 4; j++)
            for (int c = 0; c < 3; c++)
                d.query.x[i][j][c] = ldexp(test_random_between(random, -1, 1), j % 3 ? own + 1 : own);
    }
    if (test_random_below(random, 2)) d.options.min_separation = ldexp(test_random_unit(random), all);
    if (test_random_below(random, 3) == 0) d.options.t_max = (double)(1 + test_random_below(random, 16)) / 16;
    return d;
}

/* False where a position is not a double. */
static bool position_at(const curves *d, int i, double t, double x[3]) {
    feclearexcept(FE_ALL_EXCEPT);
    for (int c = 0; c < 3; c++) {
        volatile double p[4];
        for (int j = 0; j < 4; j++) p[j] = d->query.x[i][j][c];
        for (int n = 3; n > 0; n--)
            for (int j = 0; j < n; j++) {
                volatile double here = (1 - t) * p[j], there = t * p[j + 1];
                p[j] = here + there;
            }
        x[c] = p[0];
    }
    return !fetestexcept(FE_INEXACT);
}

/* A pair that touches at a time is not passed by. */
static void require_free_at(const curves *d, const graze_result *result, double t) {
    graze_query still = {0};
    graze_options exactly = graze_default_options();
    graze_result truth;
    for (int i = 0; i < draw_rows(d->kind); i++) {
        if (!position_at(d, i, t, still.x0[i])) return;
        memcpy(still.x1[i], still.x0[i], sizeof still.x1[i]);
    }
    exactly.method = GRAZE_METHOD_ORACLE;
    exactly.min_separation = d->options.min_separation;
    if (graze_ccd_batch(fuzz_context(GRAZE_ISA_SCALAR), d->kind, &still, 1, &exactly, &truth) != GRAZE_OK) return;
    if (truth.verdict == GRAZE_HIT) fuzz_require(result->verdict != GRAZE_CLEAR && result->toi <= t);
}

static void require_bits(const curves *d, const graze_result *single) {
    graze_curve_query queries[BATCH];
    graze_result results[BATCH];
    for (int i = 0; i < BATCH; i++) queries[i] = d->query;
    for (graze_isa isa = GRAZE_ISA_SCALAR; isa < (graze_isa)FUZZ_ISAS; isa++) {
        if (!fuzz_context(isa)) continue;
        fuzz_require(graze_ccd_curve_batch(fuzz_context(isa), d->kind, queries, BATCH, &d->options, results) ==
                     GRAZE_OK);
        for (int i = 0; i < BATCH; i++) fuzz_require(same_result(&results[i], single));
    }
}

static void judge_curves(test_random *random) {
    curves d = draw_curves(random);
    graze_result result;
    fuzz_require(graze_ccd_curve(d.kind, &d.query, &d.options, &result) == GRAZE_OK);
    fuzz_require(result.toi >= 0 && result.toi <= d.options.t_max);
    if (result.verdict == GRAZE_CLEAR) fuzz_require(result.toi == d.options.t_max);
    if (result.proven) fuzz_require(result.toi <= result.toi_upper && result.toi_upper <= d.options.t_max);
    for (int k = 0; k <= 16 && k / 16.0 <= d.options.t_max; k++) require_free_at(&d, &result, k / 16.0);
    require_bits(&d, &result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static judge lines = {.subject = "curve"};
    test_random random = {1};
    test_random_feed(data, size);
    if (test_random_below(&random, 4))
        judge_curves(&random);
    else
        judge_curve(&lines, &random);
    test_random_feed(NULL, 0);
    fuzz_require(tally_failures(&lines.found) == 0);
    fuzz_end();
    return 0;
}
