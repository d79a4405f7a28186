#include "kernels/kernels.h"

static const gz_kernels *const tables[] = {
    [GRAZE_ISA_SCALAR] = &gz_kernels_scalar,
#if defined(GRAZE_HAVE_AVX2)
    [GRAZE_ISA_AVX2] = &gz_kernels_avx2,
#endif
#if defined(GRAZE_HAVE_AVX512)
    [GRAZE_ISA_AVX512] = &gz_kernels_avx512,
#endif
#if defined(GRAZE_HAVE_NEON)
    [GRAZE_ISA_NEON] = &gz_kernels_neon,
#endif
#if defined(GRAZE_HAVE_WASM)
    [GRAZE_ISA_WASM] = &gz_kernels_wasm,
#endif
};

const gz_kernels *gz_kernels_of(graze_isa isa) {
    return (unsigned)isa < sizeof tables / sizeof *tables ? tables[isa] : NULL;
}
