/* Vectors of GMP rationals, enough to judge rounding errors. */
#ifndef GRAZE_TEST_RATIONAL_VECTOR_H
#define GRAZE_TEST_RATIONAL_VECTOR_H

#include <gmp.h>

typedef struct rational {
    mpq_t x[3];
} rational;

static inline void rational_init(rational *a) {
    for (int c = 0; c < 3; c++) mpq_init(a->x[c]);
}
static inline void rational_clear(rational *a) {
    for (int c = 0; c < 3; c++) mpq_clear(a->x[c]);
}
static inline void rational_set(rational *a, double x, double y, double z) {
    mpq_set_d(a->x[0], x);
    mpq_set_d(a->x[1], y);
    mpq_set_d(a->x[2], z);
}
static inline void rational_sub(rational *out, const rational *a, const rational *b) {
    for (int c = 0; c < 3; c++) mpq_sub(out->x[c], a->x[c], b->x[c]);
}
/* out = a + t·b */
static inline void rational_along(rational *out, const rational *a, double t, const rational *b) {
    mpq_t s;
    mpq_init(s);
    for (int c = 0; c < 3; c++) {
        mpq_set_d(s, t);
        mpq_mul(s, s, b->x[c]);
        mpq_add(out->x[c], a->x[c], s);
    }
    mpq_clear(s);
}
/* out += a · b */
static inline void rational_add_dot(mpq_t out, const rational *a, const rational *b) {
    mpq_t s;
    mpq_init(s);
    for (int c = 0; c < 3; c++) {
        mpq_mul(s, a->x[c], b->x[c]);
        mpq_add(out, out, s);
    }
    mpq_clear(s);
}
static inline void rational_cross(rational *out, const rational *a, const rational *b) {
    mpq_t s;
    mpq_init(s);
    for (int c = 0; c < 3; c++) {
        int i = (c + 1) % 3, j = (c + 2) % 3;
        mpq_mul(out->x[c], a->x[i], b->x[j]);
        mpq_mul(s, a->x[j], b->x[i]);
        mpq_sub(out->x[c], out->x[c], s);
    }
    mpq_clear(s);
}
/* |exact − value|, to double */
static inline double rational_error(const mpq_t exact, double value) {
    mpq_t s;
    mpq_init(s);
    mpq_set_d(s, value);
    mpq_sub(s, exact, s);
    mpq_abs(s, s);
    double error = mpq_get_d(s);
    mpq_clear(s);
    return error;
}

#endif
