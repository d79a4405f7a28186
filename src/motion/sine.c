/* Range reduction by a π/2 of 119 bits, then Taylor polynomials on [−π/4, π/4]; docs/numerics.md, section 9.1. */
#include "motion/sine.h"

#include "base/platform.h"

#include <math.h>

/* π/2 in three parts: 33 bits, so that times an integer below 2^20 they are exact; the next 33; the rest, rounded. */
#define HALF_PI_HIGH 0x1.921fb544p+0
#define HALF_PI_MIDDLE 0x1.0b4611a6p-34
#define HALF_PI_LOW 0x1.3198a2e037073p-69
#define TWO_OVER_PI 0x1.45f306dc9c883p-1

/* a − b = the result + *rest, exactly. */
static double exact_difference(double a, double b, double *rest) {
    double d = a - b, bb = a - d;
    *rest = (a - (d + bb)) + (bb - b);
    return d;
}

/* x less the nearest multiple k of π/2. */
static double reduce(double x, double k) {
    double first, second, r = exact_difference(x, k * HALF_PI_HIGH, &first);
    r = exact_difference(r, k * HALF_PI_MIDDLE, &second);
    return r + (second + (first - k * HALF_PI_LOW));
}

/* sin r / r − 1 */
static double sinc_less_one(double r) {
    double z = r * r, p = 1.0 / 355687428096000;
    p = p * z - 1.0 / 1307674368000;
    p = p * z + 1.0 / 6227020800;
    p = p * z - 1.0 / 39916800;
    p = p * z + 1.0 / 362880;
    p = p * z - 1.0 / 5040;
    p = p * z + 1.0 / 120;
    p = p * z - 1.0 / 6;
    return z * p;
}

static double sine_near_zero(double r) { return r + r * sinc_less_one(r); }

static double cosine_near_zero(double r) {
    double z = r * r, p = 1.0 / 20922789888000;
    p = p * z - 1.0 / 87178291200;
    p = p * z + 1.0 / 479001600;
    p = p * z - 1.0 / 3628800;
    p = p * z + 1.0 / 40320;
    p = p * z - 1.0 / 720;
    p = p * z + 1.0 / 24;
    p = p * z - 0.5;
    return 1 + z * p;
}

gz_sine gz_sine_of(double x) {
    double k = floor(x * TWO_OVER_PI + 0.5), r = reduce(x, k);
    double s = sine_near_zero(r), c = cosine_near_zero(r);
    switch ((long)k & 3) {
    case 0: return (gz_sine){s, c};
    case 1: return (gz_sine){c, -s};
    case 2: return (gz_sine){-s, -c};
    default: return (gz_sine){-c, s};
    }
}

double gz_sinc_of(double x) { return fabs(x) < 0.5 ? 1 + sinc_less_one(x) : gz_sine_of(x).sin / x; }

/* A first guess within 0.005, in the octant that the signs and sizes tell. */
static double rough_angle(double s, double c) {
    double a = fabs(s), b = fabs(c), x = a < b ? a / b : b / a;
    double angle = x * (0.7853981633974483 + 0.273 * (1 - x));
    if (a > b) angle = 1.5707963267948966 - angle;
    if (c < 0) angle = 3.141592653589793 - angle;
    return s < 0 ? -angle : angle;
}

double gz_angle_of(double sine, double cosine) {
    double size = fmax(fabs(sine), fabs(cosine)), s = sine / size, c = cosine / size, length = sqrt(s * s + c * c);
    double angle = rough_angle(s, c);
    for (int i = 0; i < 3; i++) { /* what is missing has this sine; its fifth power is below rounding after two */
        gz_sine at = gz_sine_of(angle);
        double missing = (s * at.cos - c * at.sin) / length;
        angle += missing + missing * missing * missing / 6;
    }
    return angle;
}
