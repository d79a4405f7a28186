#define GZ_SIMD_AVX2
#include "narrow/ti_kernel.h"
