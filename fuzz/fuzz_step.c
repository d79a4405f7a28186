/* Steps of a few triangles drawn from bytes. Judges: all pairs by the oracle, the checker, every instruction set and
   every broad phase. */
#include "agreement/judge.h"
#include "fuzz/numbers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static judge j = {.subject = "step"};
    test_random random = {1};
    j.context = fuzz_context(GRAZE_ISA_SCALAR);
    for (graze_isa isa = GRAZE_ISA_SCALAR; isa < (graze_isa)FUZZ_ISAS; isa++) j.others[isa] = fuzz_context(isa);
    j.other_count = FUZZ_ISAS;
    test_random_feed(data, size);
    j.index = test_random_below(&random, 8); /* which pairs the checker judges */
    judge_step(&j, &random);
    test_random_feed(NULL, 0);
    fuzz_require(tally_failures(&j.found) == 0);
    fuzz_end();
    return 0;
}
