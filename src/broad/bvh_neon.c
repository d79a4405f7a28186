#define GZ_SIMD_NEON
#include "broad/bvh_kernel.h"
