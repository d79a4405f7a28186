/* From here on the v_… names of lanes.h are floats. */
#undef V_PREFIX
#undef V_CONSTANT
#undef V_DOUBLE
#define V_PREFIX f
#define V_CONSTANT(name) name##_F32
#define V_DOUBLE 0
