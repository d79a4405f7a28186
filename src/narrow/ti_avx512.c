#define GZ_SIMD_AVX512
#include "narrow/ti_kernel.h"
