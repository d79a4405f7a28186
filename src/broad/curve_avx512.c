#define GZ_SIMD_AVX512
#include "broad/curve_kernel.h"
