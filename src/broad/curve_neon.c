#define GZ_SIMD_NEON
#include "broad/curve_kernel.h"
