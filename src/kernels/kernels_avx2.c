#define GZ_SIMD_AVX2
#include "kernels/unit.h"

const gz_kernels gz_kernels_avx2 = GZ_KERNELS(GRAZE_ISA_AVX2, NULL);
