/* Compiled with the flags of the AVX-512 kernels, where there are any: gcc 12.2 copies a constant as large as a result
   wrongly with them, where a function like this one is all that is in a unit. */
#include "pair/result.h"

#include <stdbool.h>

void make_nothing(graze_result *result, graze_reason reason);
bool made_for_this_machine(void);

void make_nothing(graze_result *result, graze_reason reason) { gz_result_unresolved(result, reason); }

bool made_for_this_machine(void) {
#if defined(__AVX512F__)
    return graze_isa_available(GRAZE_ISA_AVX512);
#else
    return true;
#endif
}
