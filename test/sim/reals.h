/* Real numbers of 256 bits (MPFR) that read like arithmetic: every operation gives a fresh number of a pool that is
 * emptied as a whole. */
#ifndef GRAZE_TEST_SIM_REALS_H
#define GRAZE_TEST_SIM_REALS_H

#include <mpfr.h>
#include <stdlib.h>

enum { REAL_BITS = 256, REAL_POOL = 4096 };

typedef mpfr_srcptr real;

static mpfr_t real_pool[REAL_POOL];
static int real_made, real_used;

static mpfr_ptr real_new(void) {
    if (real_used == REAL_POOL) abort();
    if (real_used == real_made) mpfr_init2(real_pool[real_made++], REAL_BITS);
    return real_pool[real_used++];
}

static inline void reals_forget(void) { real_used = 0; }

static inline real number(double x) {
    mpfr_ptr out = real_new();
    mpfr_set_d(out, x, MPFR_RNDN);
    return out;
}

#define REAL_BINARY(name, function)                                                                                    \
    static inline real name(real a, real b) {                                                                          \
        mpfr_ptr out = real_new();                                                                                     \
        function(out, a, b, MPFR_RNDN);                                                                                \
        return out;                                                                                                    \
    }
REAL_BINARY(plus, mpfr_add)
REAL_BINARY(minus, mpfr_sub)
REAL_BINARY(times, mpfr_mul)
REAL_BINARY(over, mpfr_div)

static inline real root(real a) {
    mpfr_ptr out = real_new();
    mpfr_sqrt(out, a, MPFR_RNDN);
    return out;
}

static inline real logarithm(real a) {
    mpfr_ptr out = real_new();
    mpfr_log(out, a, MPFR_RNDN);
    return out;
}

static inline bool less(real a, real b) { return mpfr_cmp(a, b) < 0; }
static inline double value_of(real a) { return mpfr_get_d(a, MPFR_RNDN); }

typedef struct vector {
    real c[3];
} vector;

static inline vector between(vector a, vector b) {
    return (vector){{minus(b.c[0], a.c[0]), minus(b.c[1], a.c[1]), minus(b.c[2], a.c[2])}};
}

static inline real inner(vector a, vector b) {
    return plus(plus(times(a.c[0], b.c[0]), times(a.c[1], b.c[1])), times(a.c[2], b.c[2]));
}

static inline vector outer(vector a, vector b) {
    vector out;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out.c[i] = minus(times(a.c[j], b.c[k]), times(a.c[k], b.c[j]));
    }
    return out;
}

static inline real square(real a) { return times(a, a); }

#endif
