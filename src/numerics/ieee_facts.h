/* Numbers of ieee_body.h that are no powers of two. */
#ifndef GZ_NUMERICS_IEEE_FACTS_H
#define GZ_NUMERICS_IEEE_FACTS_H

/* The least whole number d for which d · (1/d), rounded twice, is not 1. */
#define GZ_DIVISOR 49.0
#define GZ_DIVISOR_F32 41.0f

/* √2 rounded, and the square of that rounded. */
#define GZ_ROOT_OF_TWO 0x1.6a09e667f3bcdp0
#define GZ_ROOT_SQUARED 0x1.0000000000001p1
#define GZ_ROOT_OF_TWO_F32 0x1.6a09e6p0f
#define GZ_ROOT_SQUARED_F32 0x1.fffffep0f

#endif
