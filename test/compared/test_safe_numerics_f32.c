/* The bounds of the failure-proof cubic test in float. */
#define GZ_SAFE_F32
#include "test_safe_numerics.c"
