/* The exact room's integers to GMP's and back, in an arena of the test's own. */
#ifndef GRAZE_TEST_ARENA_MPZ_H
#define GRAZE_TEST_ARENA_MPZ_H

#include "exact/bigint.h"

#include <gmp.h>
#include <stdlib.h>

#define ROOM 400000

static uint64_t room[ROOM];
static jmp_buf full; /* set by main: running out of room ends the program */

static inline gz_arena new_arena(void) { return (gz_arena){.limbs = room, .size = ROOM, .full = &full}; }

static inline gz_int from_mpz(gz_arena *arena, const mpz_t z) {
    size_t n = mpz_size(z);
    uint64_t *limb = gz_arena_take(arena, n);
    for (size_t i = 0; i < n; i++) limb[i] = mpz_getlimbn(z, (mp_size_t)i);
    return (gz_int){limb, mpz_sgn(z) < 0 ? -(int32_t)n : (int32_t)n};
}

static inline void to_mpz(mpz_t z, gz_int a) {
    mpz_import(z, (size_t)abs(a.size), -1, sizeof(uint64_t), 0, 0, a.limb);
    if (a.size < 0) mpz_neg(z, z);
}

#endif
