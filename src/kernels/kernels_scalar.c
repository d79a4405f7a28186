#define GZ_SIMD_SCALAR
#include "kernels/unit.h"

const gz_kernels gz_kernels_scalar = GZ_KERNELS(GRAZE_ISA_SCALAR, NULL);
