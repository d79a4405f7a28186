#define GZ_SIMD_SCALAR
#include "numerics/simd_f32.h"

#include "narrow/certified_first_kernel.h"
