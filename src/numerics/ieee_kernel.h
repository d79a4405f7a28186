/* True if the arithmetic of this unit, as it was compiled and as the machine is set, is that of IEEE 754. */
#include "numerics/ieee_facts.h"
#include "numerics/lanes.h"

#include <stdbool.h>

typedef uint64_t d_ieee_bits;
typedef uint32_t f_ieee_bits;

#include "numerics/as_float.h"

#include "numerics/ieee_body.h"

#include "numerics/as_double.h"

#include "numerics/ieee_body.h"

static bool ieee_doubles(void) {
    return d_ieee_rounds(DBL_EPSILON, DBL_MAX) && d_ieee_does_not_fuse(DBL_EPSILON) &&
           d_ieee_keeps_order(DBL_EPSILON) && d_ieee_divides(GZ_DIVISOR) && d_ieee_has_two_zeros() &&
           d_ieee_underflows_gradually(DBL_EPSILON, DBL_MIN) && d_ieee_knows_infinity_and_nan(INFINITY, NAN) &&
           d_ieee_takes_roots(GZ_ROOT_OF_TWO, GZ_ROOT_SQUARED);
}

static bool ieee_floats(void) {
    return f_ieee_rounds(FLT_EPSILON, FLT_MAX) && f_ieee_does_not_fuse(FLT_EPSILON) &&
           f_ieee_keeps_order(FLT_EPSILON) && f_ieee_divides(GZ_DIVISOR_F32) && f_ieee_has_two_zeros() &&
           f_ieee_underflows_gradually(FLT_EPSILON, FLT_MIN) && f_ieee_knows_infinity_and_nan(INFINITY, NAN) &&
           f_ieee_takes_roots(GZ_ROOT_OF_TWO_F32, GZ_ROOT_SQUARED_F32);
}

/* Within one expression, where C would allow wider registers, and in a sum that lanes could share. */
static bool ieee_expressions(void) {
    volatile double one = 1, quarter = DBL_EPSILON / 4;
    double lost = (one + quarter) - one, terms[8], sum = 0;
    for (int i = 0; i < 8; i++) terms[i] = i == 0 ? 0x1p53 * one : one;
    for (int i = 0; i < 8; i++) sum += terms[i]; /* each 1 is half of a unit, and rounds to even */
    return d_ieee_is(d_set1(lost), 0) && d_ieee_is(d_set1(sum), 0x1p53);
}

static bool ieee_kernel(void) { return ieee_doubles() && ieee_floats() && ieee_expressions(); }
