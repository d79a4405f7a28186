#define GZ_SIMD_NEON
#include "narrow/certified_kernel.h"
