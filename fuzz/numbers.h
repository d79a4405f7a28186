/* What the fuzzers of numbers share: contexts of every instruction set, and how a disagreement ends. */
#ifndef GRAZE_FUZZ_NUMBERS_H
#define GRAZE_FUZZ_NUMBERS_H

#include "check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FUZZ_ISAS = GRAZE_ISA_WASM + 1 };

#define fuzz_require(condition)                                                                                        \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                                                     \
            fflush(stdout);                                                                                            \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

/* One thread; NULL where the machine lacks the instruction set. Made once. */
static inline graze_context *fuzz_context(graze_isa isa) {
    static graze_context *contexts[FUZZ_ISAS];
    if (!contexts[isa] && graze_isa_available(isa)) contexts[isa] = test_context(1, isa);
    return contexts[isa];
}

/* After the judges: a failed check ends the run, and the fuzzer keeps the input. */
static inline void fuzz_end(void) {
    fflush(stdout);
    fuzz_require(test_outcome() == 0);
}

#endif
