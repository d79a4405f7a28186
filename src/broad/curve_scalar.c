#define GZ_SIMD_SCALAR
#include "broad/curve_kernel.h"
