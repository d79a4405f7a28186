#define GZ_SIMD_AVX512
#include "broad/bvh_kernel.h"
