#define GZ_SIMD_SCALAR
#include "broad/bvh_kernel.h"
