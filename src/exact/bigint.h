/* Integers of any size, in an arena.
 *
 * Values are never changed once made: an operation takes room for its result from the arena and gives back what it did
 * not need. Memory is given back in bulk, by returning to a mark. When the arena is full the whole computation is left
 * by a jump to its door, which may start again with more room; so nothing in between has to look for failure. */
#ifndef GZ_EXACT_BIGINT_H
#define GZ_EXACT_BIGINT_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gz_arena {
    uint64_t *limbs;
    size_t used, size;
    jmp_buf *full;      /* where to go when there is no room */
    bool integers_only; /* no filter in floating point; for tests, the answers are the same */
} gz_arena;

/* |size| limbs, least first, the last one not zero; negative when size is. Zero has no limbs. */
typedef struct gz_int {
    const uint64_t *limb;
    int32_t size;
} gz_int;

/* ± a·b */
typedef struct gz_product {
    gz_int a, b;
    bool negative;
} gz_product;

uint64_t *gz_arena_take(gz_arena *arena, size_t limbs);
static inline size_t gz_arena_mark(const gz_arena *arena) { return arena->used; }
static inline void gz_arena_release(gz_arena *arena, size_t mark) { arena->used = mark; }

/* Gives back everything since the mark but these values, which are moved. */
void gz_arena_keep(gz_arena *arena, size_t mark, gz_int *const *values, size_t count);

static inline int gz_int_sign(gz_int a) { return (a.size > 0) - (a.size < 0); }
static inline gz_int gz_int_negative(gz_int a) { return (gz_int){a.limb, -a.size}; }
static inline gz_int gz_int_zero(void) { return (gz_int){0}; }

gz_int gz_int_from(gz_arena *arena, int64_t value);
gz_int gz_int_add(gz_arena *arena, gz_int a, gz_int b);
gz_int gz_int_subtract(gz_arena *arena, gz_int a, gz_int b);
gz_int gz_int_multiply(gz_arena *arena, gz_int a, gz_int b);
/* a·2^bits */
gz_int gz_int_shift_up(gz_arena *arena, gz_int a, size_t bits);
/* a / 2^bits, cut towards zero */
gz_int gz_int_shift_down(gz_arena *arena, gz_int a, size_t bits);
/* The sum of products: what determinants and polynomials are made of. At most 2^32 terms. */
gz_int gz_int_sum_of_products(gz_arena *arena, const gz_product *terms, size_t count);
/* a / b, cut towards zero */
gz_int gz_int_divide(gz_arena *arena, gz_int a, gz_int b);
/* a mod b, with the sign of a */
gz_int gz_int_remainder(gz_arena *arena, gz_int a, gz_int b);
/* ≥ 0; gcd(0, 0) = 0 */
gz_int gz_int_gcd(gz_arena *arena, gz_int a, gz_int b);

int gz_int_compare(gz_int a, gz_int b);
/* Length of |a| in bits; 0 for 0. */
size_t gz_int_bits(gz_int a);
/* Number of times that 2 divides a, which is not 0. */
size_t gz_int_twos(gz_int a);
/* a mod 2^61 − 1, in [0, 2^61 − 1) */
uint64_t gz_int_modulo_prime(gz_int a);
#define GZ_PRIME ((UINT64_C(1) << 61) - 1)

/* A double in [½, 1) (or 0) and an exponent with a = value·2^exponent but for less than 2^-52 of it: the first 53 bits
   of a, the rest cut off. */
double gz_int_leading(gz_int a, int64_t *exponent);

/* a / 2^bits, at most about 1, as ldexp gives it. */
double gz_int_nearly(gz_int a, int64_t bits);
/* a / 2^bits for |a| < 2^bits, off by less than 2^-52 of it; 0 where it is less than 2^-1000. */
double gz_int_scaled_down(gz_int a, size_t bits);

/* Room for the decimal digits of a, its sign and the final NUL. */
size_t gz_int_decimal_size(gz_int a);
/* Writes the digits and returns their number (with the sign). */
size_t gz_int_decimal(gz_arena *arena, gz_int a, char *text);

#endif
