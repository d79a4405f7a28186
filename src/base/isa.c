#include "base/isa.h"

#include "base/platform.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

const char *graze_isa_name(graze_isa isa) {
    switch (isa) {
    case GRAZE_ISA_AUTO: return "auto";
    case GRAZE_ISA_SCALAR: return "scalar";
    case GRAZE_ISA_AVX2: return "avx2";
    case GRAZE_ISA_AVX512: return "avx512";
    case GRAZE_ISA_NEON: return "neon";
    case GRAZE_ISA_WASM: return "wasm";
    }
    return "unknown";
}

static int machine_has(graze_isa isa) {
    switch (isa) {
#if defined(__x86_64__) || defined(__i386__)
    case GRAZE_ISA_AVX2: return __builtin_cpu_supports("avx2") != 0;
    case GRAZE_ISA_AVX512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
#endif
    default: return 1; /* every machine that the code was built for */
    }
}

int graze_isa_available(graze_isa isa) { return isa != GRAZE_ISA_AUTO && gz_kernels_of(isa) && machine_has(isa); }

static graze_isa best_isa(void) {
    static const graze_isa best_first[] = {GRAZE_ISA_AVX512, GRAZE_ISA_AVX2, GRAZE_ISA_NEON, GRAZE_ISA_WASM};
    for (size_t i = 0; i < sizeof best_first / sizeof *best_first; i++)
        if (graze_isa_available(best_first[i])) return best_first[i];
    return GRAZE_ISA_SCALAR;
}

int gz_isa_from_environment(graze_isa *isa) {
    const char *name = getenv("GRAZE_ISA");
    *isa = GRAZE_ISA_AUTO;
    if (!name || !*name || strcmp(name, "auto") == 0) return 1;
    for (graze_isa i = GRAZE_ISA_SCALAR; i <= GRAZE_ISA_WASM; i = (graze_isa)(i + 1)) {
        if (strcmp(name, graze_isa_name(i)) == 0) {
            if (!graze_isa_available(i)) return 0;
            *isa = i;
            return 1;
        }
    }
    return 0;
}

graze_isa graze_isa_in_use(void) {
    /* Looked up once: every thread that races here finds the same value. */
    static _Atomic int known;
    int isa = atomic_load_explicit(&known, memory_order_relaxed);
    if (isa == 0) {
        graze_isa wanted;
        isa = gz_isa_from_environment(&wanted) && wanted != GRAZE_ISA_AUTO ? (int)wanted : (int)best_isa();
        atomic_store_explicit(&known, isa, memory_order_relaxed);
    }
    return (graze_isa)isa;
}

graze_isa gz_isa_resolve(graze_isa requested) {
    if (requested == GRAZE_ISA_AUTO) return graze_isa_in_use();
    return graze_isa_available(requested) ? requested : GRAZE_ISA_AUTO;
}
