#define GZ_SIMD_AVX2
#include "broad/curve_kernel.h"
