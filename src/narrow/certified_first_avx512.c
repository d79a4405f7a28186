#define GZ_SIMD_AVX512
#include "numerics/simd_f32.h"

#include "narrow/certified_first_kernel.h"
