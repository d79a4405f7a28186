#define GZ_SIMD_NEON
#include "numerics/simd_f32.h"

#include "narrow/certified_first_kernel.h"
