#define GZ_SIMD_SCALAR
#include "narrow/ti_kernel.h"
