#define GZ_SIMD_AVX512
#include "narrow/certified_kernel.h"
