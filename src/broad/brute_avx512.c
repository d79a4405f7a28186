#define GZ_SIMD_AVX512
#include "broad/brute_kernel.h"
