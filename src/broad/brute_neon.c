#define GZ_SIMD_NEON
#include "broad/brute_kernel.h"
