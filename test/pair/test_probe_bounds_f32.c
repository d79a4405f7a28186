/* The bounds of the probes in float. */
#define TEST_F32
#include "test_probe_bounds.c"
