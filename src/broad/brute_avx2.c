#define GZ_SIMD_AVX2
#include "broad/brute_kernel.h"
