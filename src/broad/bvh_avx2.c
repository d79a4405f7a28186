#define GZ_SIMD_AVX2
#include "broad/bvh_kernel.h"
