#define GZ_SIMD_NEON
#include "kernels/unit.h"

const gz_kernels gz_kernels_neon = GZ_KERNELS(GRAZE_ISA_NEON, NULL);
