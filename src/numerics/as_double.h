/* From here on the v_… names of lanes.h are doubles. */
#undef V_PREFIX
#undef V_CONSTANT
#undef V_DOUBLE
#define V_PREFIX d
#define V_CONSTANT(name) name
#define V_DOUBLE 1
