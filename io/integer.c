#include "io/integer.h"

#include <stdio.h>
#include <string.h>

enum { CHUNK = 9 }; /* decimal digits that fit a limb */

static void trim(io_integer *x) {
    while (x->count && x->limbs[x->count - 1] == 0) x->count--;
}

/* x = x × factor + more */
static void multiply_add(io_integer *x, uint32_t factor, uint32_t more) {
    uint64_t carry = more;
    for (size_t i = 0; i < x->count; i++) {
        carry += (uint64_t)x->limbs[i] * factor;
        x->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) x->limbs[x->count++] = (uint32_t)carry;
}

void io_integer_from_digits(io_integer *x, const char *digits, size_t length) {
    x->count = 0;
    while (length) {
        size_t here = length % CHUNK ? length % CHUNK : CHUNK;
        uint32_t value = 0, factor = 1;
        for (size_t i = 0; i < here; i++) {
            value = value * 10 + (uint32_t)(digits[i] - '0');
            factor *= 10;
        }
        multiply_add(x, factor, value);
        digits += here;
        length -= here;
    }
}

void io_integer_from_shifted(io_integer *x, uint64_t m, unsigned shift) {
    size_t whole = shift / 32;
    unsigned part = shift % 32;
    memset(x->limbs, 0, (whole + 3) * sizeof *x->limbs);
    x->limbs[whole] = (uint32_t)(m << part);
    x->limbs[whole + 1] = (uint32_t)(m << part >> 32);
    x->limbs[whole + 2] = part ? (uint32_t)(m >> (64 - part)) : 0;
    x->count = whole + 3;
    trim(x);
}

size_t io_integer_make_odd(io_integer *x) {
    size_t whole = 0;
    unsigned part = 0;
    while (x->limbs[whole] == 0) whole++;
    while ((x->limbs[whole] >> part & 1) == 0) part++;
    x->count -= whole;
    for (size_t i = 0; i < x->count; i++) {
        uint64_t both = x->limbs[whole + i];
        if (i + 1 < x->count) both |= (uint64_t)x->limbs[whole + i + 1] << 32;
        x->limbs[i] = (uint32_t)(both >> part);
    }
    trim(x);
    return 32 * whole + part;
}

size_t io_integer_bits(const io_integer *x) {
    if (x->count == 0) return 0;
    size_t bits = 32 * (x->count - 1);
    for (uint32_t high = x->limbs[x->count - 1]; high; high >>= 1) bits++;
    return bits;
}

static uint64_t low_word(const io_integer *x) { return x->limbs[0] | (x->count > 1 ? (uint64_t)x->limbs[1] << 32 : 0); }

/* True if x = y × q. */
static bool is_product(const io_integer *x, const io_integer *y, uint64_t q) {
    uint64_t low = q & 0xffffffff, high = q >> 32, carry = 0;
    uint32_t before = 0; /* the limb of y below this one */
    for (size_t i = 0; i < y->count + 2; i++) {
        uint32_t here = i < y->count ? y->limbs[i] : 0;
        uint64_t first = here * low,
                 second = before * high; /* their sum and the carry: at most 2^65, so in two parts */
        uint64_t sum = (first & 0xffffffff) + (second & 0xffffffff) + (carry & 0xffffffff);
        if ((uint32_t)sum != (i < x->count ? x->limbs[i] : 0)) return false;
        carry = (first >> 32) + (second >> 32) + (carry >> 32) + (sum >> 32);
        before = here;
    }
    return carry == 0 && x->count <= y->count + 2;
}

/* The quotient modulo 2^64 follows from the lowest words, since y is odd; then it is tried. */
bool io_integer_divide_odd(const io_integer *x, const io_integer *y, uint64_t *quotient) {
    uint64_t odd = low_word(y), inverse = odd; /* right in the lowest 3 bits, then in 6, 12, … */
    for (int i = 0; i < 5; i++) inverse *= 2 - odd * inverse;
    *quotient = low_word(x) * inverse;
    return is_product(x, y, *quotient);
}

/* x = x / 10^9; the remainder. */
static uint32_t take_chunk(io_integer *x) {
    uint64_t rest = 0;
    for (size_t i = x->count; i-- > 0;) {
        rest = rest << 32 | x->limbs[i];
        x->limbs[i] = (uint32_t)(rest / 1000000000);
        rest %= 1000000000;
    }
    trim(x);
    return (uint32_t)rest;
}

void io_integer_to_digits(io_integer *x, char text[IO_INTEGER_TEXT]) {
    uint32_t chunks[IO_INTEGER_TEXT / CHUNK];
    size_t count = 0;
    do {
        chunks[count++] = take_chunk(x);
    } while (x->count);
    int used = snprintf(text, IO_INTEGER_TEXT, "%u", (unsigned)chunks[count - 1]);
    while (--count > 0)
        used += snprintf(text + used, IO_INTEGER_TEXT - (size_t)used, "%09u", (unsigned)chunks[count - 1]);
}
