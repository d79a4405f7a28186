#define GZ_SIMD_AVX2
#include "narrow/certified_kernel.h"
