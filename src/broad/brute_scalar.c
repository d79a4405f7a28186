#define GZ_SIMD_SCALAR
#include "broad/brute_kernel.h"
