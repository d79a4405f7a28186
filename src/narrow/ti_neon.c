#define GZ_SIMD_NEON
#include "narrow/ti_kernel.h"
