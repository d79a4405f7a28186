#define GZ_SIMD_WASM
#include "kernels/unit.h"

const gz_kernels gz_kernels_wasm = GZ_KERNELS(GRAZE_ISA_WASM, NULL);
