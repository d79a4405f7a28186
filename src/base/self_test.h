/* Before its first answer each table of kernels shows that it computes as the proofs assume. Flags and compilers that
   break them (-ffast-math and its parts, contraction, wrong code) are then an error, never a wrong answer. */
#ifndef GZ_BASE_SELF_TEST_H
#define GZ_BASE_SELF_TEST_H

#include "base/isa.h"

#include "base/fp_environment.h"

#include <stdatomic.h>

enum { GZ_ISAS = GRAZE_ISA_WASM + 1 };
/* One word for each instruction set: bytes have no atomic exchange everywhere. Threads that race find the same. */
enum { GZ_NOT_TESTED = 0, GZ_SOUND, GZ_UNSOUND };
extern _Atomic unsigned gz_self_tested[GZ_ISAS];

/* Facts of arithmetic, and some queries with known answers, on the kernels of `isa`: src/narrow/self_queries.c. In the
   floating-point environment of the caller, and without remembering. */
bool gz_self_test_run(graze_isa isa);

/* The first time: runs it in the right environment and remembers. */
bool gz_self_test(graze_isa isa);

/* The door of calls without a context; a context has its instruction set tested when it is made. */
static inline bool gz_enter(gz_fp_environment *env) {
    graze_isa isa = graze_isa_in_use();
    unsigned known = atomic_load_explicit(&gz_self_tested[isa], memory_order_relaxed);
    return (GZ_LIKELY(known == GZ_SOUND) || gz_self_test(isa)) && gz_fp_enter(env);
}

#endif
