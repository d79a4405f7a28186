#define GZ_SIMD_AVX512
#include "kernels/unit.h"

const gz_kernels gz_kernels_avx512 = GZ_KERNELS(GRAZE_ISA_AVX512, &gz_kernels_avx2);
