#define GZ_SIMD_SCALAR
#include "narrow/certified_kernel.h"
