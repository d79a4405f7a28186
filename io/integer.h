/* Long integers as query files write them: decimal text, powers of two, and the one division that a rational needs. */
#ifndef GRAZE_IO_INTEGER_H
#define GRAZE_IO_INTEGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest number that is read, in digits. A double needs 309 above and 324 below the line; what is not reduced may
   need more. The time that a number takes grows with the square of its length: this many take less than a millisecond.
 */
#define IO_MAX_DIGITS 10000
#define IO_INTEGER_LIMBS 1040 /* 10^IO_MAX_DIGITS < 2^(32 × 1040) */

/* Not negative. The highest limb is not zero; zero has no limbs. */
typedef struct io_integer {
    uint32_t limbs[IO_INTEGER_LIMBS]; /* lowest first */
    size_t count;
} io_integer;

/* From at most IO_MAX_DIGITS decimal digits. */
void io_integer_from_digits(io_integer *x, const char *digits, size_t length);
/* m × 2^shift, shift from 0 to 1100. */
void io_integer_from_shifted(io_integer *x, uint64_t m, unsigned shift);

/* Divides by the largest power of two that leaves an integer, and returns its exponent. x is not zero. */
size_t io_integer_make_odd(io_integer *x);
size_t io_integer_bits(const io_integer *x);

/* x / y where that is an integer below 2^64; both are odd. */
bool io_integer_divide_odd(const io_integer *x, const io_integer *y, uint64_t *quotient);

#define IO_INTEGER_TEXT 400 /* a result of io_integer_from_shifted and its NUL */
/* Writes decimal digits; x becomes 0. */
void io_integer_to_digits(io_integer *x, char text[IO_INTEGER_TEXT]);

#endif
