#include "exact/bigint.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 gz_wide;

uint64_t *gz_arena_take(gz_arena *arena, size_t limbs) {
    if (arena->size - arena->used < limbs) longjmp(*arena->full, 1);
    uint64_t *taken = arena->limbs + arena->used;
    arena->used += limbs;
    return taken;
}

/* Drops leading zeros and gives them back to the arena: `limb` is what was taken last. */
static gz_int finish(gz_arena *arena, const uint64_t *limb, size_t size, bool negative) {
    size_t taken = size;
    while (size > 0 && limb[size - 1] == 0) size--;
    arena->used -= taken - size;
    return (gz_int){limb, negative ? -(int32_t)size : (int32_t)size};
}

static size_t magnitude(gz_int a) { return (size_t)abs(a.size); }

void gz_arena_keep(gz_arena *arena, size_t mark, gz_int *const *values, size_t count) {
    /* first to the top, one behind the other, then down in the same order: no copy runs over one still to come */
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) gz_arena_release(arena, mark);
        for (size_t i = 0; i < count; i++) {
            size_t n = magnitude(*values[i]);
            uint64_t *copy = gz_arena_take(arena, n);
            if (n) memmove(copy, values[i]->limb, n * sizeof *copy);
            values[i]->limb = copy;
        }
    }
}

gz_int gz_int_from(gz_arena *arena, int64_t value) {
    uint64_t *limb = gz_arena_take(arena, 1);
    *limb = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    return finish(arena, limb, 1, value < 0);
}

static int compare_magnitudes(const uint64_t *a, size_t an, const uint64_t *b, size_t bn) {
    if (an != bn) return an < bn ? -1 : 1;
    for (size_t i = an; i-- > 0;)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

int gz_int_compare(gz_int a, gz_int b) {
    if ((a.size < 0) != (b.size < 0)) return a.size < 0 ? -1 : 1;
    int order = compare_magnitudes(a.limb, magnitude(a), b.limb, magnitude(b));
    return a.size < 0 ? -order : order;
}

gz_int gz_int_add(gz_arena *arena, gz_int a, gz_int b) {
    if (magnitude(a) < magnitude(b)) {
        gz_int swap = a;
        a = b;
        b = swap;
    }
    size_t an = magnitude(a), bn = magnitude(b);
    if ((a.size < 0) == (b.size < 0)) {
        uint64_t *sum = gz_arena_take(arena, an + 1);
        uint64_t carry = 0;
        size_t i = 0;
        for (; i < bn; i++) {
            uint64_t s = a.limb[i] + b.limb[i], over = s < b.limb[i];
            sum[i] = s + carry;
            carry = over | (sum[i] < s);
        }
        for (; i < an; i++) {
            sum[i] = a.limb[i] + carry;
            carry = sum[i] < carry;
        }
        sum[an] = carry;
        return finish(arena, sum, an + 1, a.size < 0);
    }
    if (compare_magnitudes(a.limb, an, b.limb, bn) < 0) {
        gz_int swap = a;
        a = b;
        b = swap;
    }
    /* |a| ≥ |b| and as many limbs or more */
    uint64_t *difference = gz_arena_take(arena, an);
    uint64_t borrow = 0;
    size_t i = 0;
    for (; i < bn; i++) {
        uint64_t s = a.limb[i] - b.limb[i], under = a.limb[i] < b.limb[i];
        difference[i] = s - borrow;
        borrow = under | (s < borrow);
    }
    for (; i < an; i++) {
        difference[i] = a.limb[i] - borrow;
        borrow = a.limb[i] < borrow;
    }
    return finish(arena, difference, an, a.size < 0);
}

gz_int gz_int_subtract(gz_arena *arena, gz_int a, gz_int b) { return gz_int_add(arena, a, gz_int_negative(b)); }

gz_int gz_int_multiply(gz_arena *arena, gz_int a, gz_int b) {
    size_t an = magnitude(a), bn = magnitude(b);
    if (an == 0 || bn == 0) return gz_int_zero();
    uint64_t *product = gz_arena_take(arena, an + bn);
    memset(product, 0, bn * sizeof *product);
    for (size_t i = 0; i < an; i++) {
        uint64_t carry = 0;
        for (size_t j = 0; j < bn; j++) {
            gz_wide s = (gz_wide)a.limb[i] * b.limb[j] + product[i + j] + carry;
            product[i + j] = (uint64_t)s;
            carry = (uint64_t)(s >> 64);
        }
        product[i + bn] = carry;
    }
    return finish(arena, product, an + bn, (a.size < 0) != (b.size < 0));
}

/* sum += a·b modulo 2^(64·n) */
static void add_product(uint64_t *sum, size_t n, gz_int a, gz_int b) {
    size_t an = magnitude(a), bn = magnitude(b);
    for (size_t i = 0; i < an; i++) {
        if (a.limb[i] == 0) continue; /* often so: coordinates of far apart exponents */
        uint64_t carry = 0;
        for (size_t j = 0; j < bn; j++) {
            gz_wide s = (gz_wide)a.limb[i] * b.limb[j] + sum[i + j] + carry;
            sum[i + j] = (uint64_t)s;
            carry = (uint64_t)(s >> 64);
        }
        for (size_t k = i + bn; carry && k < n; k++) {
            sum[k] += carry;
            carry = sum[k] < carry;
        }
    }
}

/* sum −= a·b modulo 2^(64·n) */
static void subtract_product(uint64_t *sum, size_t n, gz_int a, gz_int b) {
    size_t an = magnitude(a), bn = magnitude(b);
    for (size_t i = 0; i < an; i++) {
        if (a.limb[i] == 0) continue;
        uint64_t borrow = 0;
        for (size_t j = 0; j < bn; j++) {
            gz_wide p = (gz_wide)a.limb[i] * b.limb[j] + borrow;
            uint64_t low = (uint64_t)p;
            borrow = (uint64_t)(p >> 64) + (sum[i + j] < low);
            sum[i + j] -= low;
        }
        for (size_t k = i + bn; borrow && k < n; k++) {
            uint64_t old = sum[k];
            sum[k] -= borrow;
            borrow = old < borrow;
        }
    }
}

gz_int gz_int_sum_of_products(gz_arena *arena, const gz_product *terms, size_t count) {
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        size_t width = magnitude(terms[i].a) + magnitude(terms[i].b);
        if (width > n) n = width;
    }
    n++; /* for the carries of the sum and for its sign, in two's complement */
    uint64_t *sum = gz_arena_take(arena, n);
    memset(sum, 0, n * sizeof *sum);
    for (size_t i = 0; i < count; i++) {
        gz_int a = terms[i].a, b = terms[i].b;
        if (((a.size < 0) != (b.size < 0)) == terms[i].negative)
            add_product(sum, n, a, b);
        else
            subtract_product(sum, n, a, b);
    }
    bool negative = sum[n - 1] >> 63;
    if (negative) {
        uint64_t carry = 1;
        for (size_t i = 0; i < n; i++) {
            sum[i] = ~sum[i] + carry;
            carry = carry && sum[i] == 0;
        }
    }
    return finish(arena, sum, n, negative);
}

gz_int gz_int_shift_up(gz_arena *arena, gz_int a, size_t bits) {
    size_t an = magnitude(a);
    if (an == 0 || bits == 0) return a;
    size_t whole = bits / 64;
    unsigned part = bits % 64;
    uint64_t *shifted = gz_arena_take(arena, an + whole + 1);
    memset(shifted, 0, whole * sizeof *shifted);
    uint64_t carry = 0;
    for (size_t i = 0; i < an; i++) {
        shifted[whole + i] = a.limb[i] << part | carry;
        carry = part ? a.limb[i] >> (64 - part) : 0;
    }
    shifted[whole + an] = carry;
    return finish(arena, shifted, an + whole + 1, a.size < 0);
}

gz_int gz_int_shift_down(gz_arena *arena, gz_int a, size_t bits) {
    size_t an = magnitude(a), whole = bits / 64;
    unsigned part = bits % 64;
    if (whole >= an) return gz_int_zero();
    uint64_t *shifted = gz_arena_take(arena, an - whole);
    for (size_t i = whole; i < an; i++) {
        uint64_t above = i + 1 < an ? a.limb[i + 1] : 0;
        shifted[i - whole] = part ? a.limb[i] >> part | above << (64 - part) : a.limb[i];
    }
    return finish(arena, shifted, an - whole, a.size < 0);
}

size_t gz_int_bits(gz_int a) {
    size_t an = magnitude(a);
    return an ? 64 * an - (size_t)__builtin_clzll(a.limb[an - 1]) : 0;
}

size_t gz_int_twos(gz_int a) {
    size_t i = 0;
    while (a.limb[i] == 0) i++;
    return 64 * i + (size_t)__builtin_ctzll(a.limb[i]);
}

/* Divides |a| by |b|: the remainder is left in `rest` (an + 1 limbs, holding a·2^shift on the way), the quotient's
   an − bn + 1 limbs go to `quotient`. Knuth, algorithm D. */
static void divide(uint64_t *rest, size_t an, gz_int b, uint64_t *divisor, uint64_t *quotient) {
    size_t bn = magnitude(b);
    unsigned shift = (unsigned)__builtin_clzll(b.limb[bn - 1]);
    for (size_t i = bn; i-- > 0;) divisor[i] = b.limb[i] << shift | (shift && i ? b.limb[i - 1] >> (64 - shift) : 0);
    rest[an] = 0;
    if (shift)
        for (size_t i = an + 1; i-- > 0;) rest[i] = rest[i] << shift | (i ? rest[i - 1] >> (64 - shift) : 0);
    uint64_t top = divisor[bn - 1], second = bn > 1 ? divisor[bn - 2] : 0;
    for (size_t j = an - bn + 1; j-- > 0;) {
        gz_wide head = (gz_wide)rest[j + bn] << 64 | rest[j + bn - 1];
        gz_wide guess = rest[j + bn] >= top ? UINT64_MAX : head / top;
        gz_wide left = head - guess * top;
        /* at most two too large */
        while (bn > 1 && !(left >> 64) && guess * second > (left << 64 | rest[j + bn - 2])) {
            guess--;
            left += top;
        }
        uint64_t q = (uint64_t)guess, borrow = 0;
        for (size_t i = 0; i < bn; i++) {
            gz_wide p = (gz_wide)q * divisor[i] + borrow;
            uint64_t low = (uint64_t)p;
            borrow = (uint64_t)(p >> 64) + (rest[i + j] < low);
            rest[i + j] -= low;
        }
        bool over = rest[j + bn] < borrow;
        rest[j + bn] -= borrow;
        if (over) {
            q--;
            uint64_t carry = 0;
            for (size_t i = 0; i < bn; i++) {
                gz_wide s = (gz_wide)rest[i + j] + divisor[i] + carry;
                rest[i + j] = (uint64_t)s;
                carry = (uint64_t)(s >> 64);
            }
            rest[j + bn] += carry;
        }
        quotient[j] = q;
    }
    if (shift)
        for (size_t i = 0; i < bn; i++) rest[i] = rest[i] >> shift | rest[i + 1] << (64 - shift);
}

gz_int gz_int_divide(gz_arena *arena, gz_int a, gz_int b) {
    size_t an = magnitude(a), bn = magnitude(b);
    if (an < bn) return gz_int_zero();
    uint64_t *quotient = gz_arena_take(arena, an - bn + 1);
    size_t mark = gz_arena_mark(arena);
    uint64_t *rest = gz_arena_take(arena, an + 1), *divisor = gz_arena_take(arena, bn);
    memcpy(rest, a.limb, an * sizeof *rest);
    divide(rest, an, b, divisor, quotient);
    gz_arena_release(arena, mark);
    return finish(arena, quotient, an - bn + 1, (a.size < 0) != (b.size < 0));
}

gz_int gz_int_remainder(gz_arena *arena, gz_int a, gz_int b) {
    size_t an = magnitude(a), bn = magnitude(b);
    if (an < bn) return a;
    uint64_t *rest = gz_arena_take(arena, an + 1);
    size_t mark = gz_arena_mark(arena);
    uint64_t *divisor = gz_arena_take(arena, bn), *quotient = gz_arena_take(arena, an - bn + 1);
    memcpy(rest, a.limb, an * sizeof *rest);
    divide(rest, an, b, divisor, quotient);
    gz_arena_release(arena, mark);
    arena->used -= an + 1 - bn;
    return finish(arena, rest, bn, a.size < 0);
}

/* The first 62 bits of the larger, and the bits of the smaller at the same places. */
static void leading_pair(gz_arena *arena, gz_int a, gz_int b, int64_t lead[2]) {
    size_t mark = gz_arena_mark(arena), shift = gz_int_bits(a) - 62;
    gz_int high = gz_int_shift_down(arena, a, shift), low = gz_int_shift_down(arena, b, shift);
    lead[0] = (int64_t)high.limb[0];
    lead[1] = low.size ? (int64_t)low.limb[0] : 0;
    gz_arena_release(arena, mark);
}

/* x·a + y·b */
static gz_int combine(gz_arena *arena, int64_t x, gz_int a, int64_t y, gz_int b) {
    uint64_t limb[2] = {(uint64_t)(x < 0 ? -x : x), (uint64_t)(y < 0 ? -y : y)};
    gz_product terms[2] = {{{&limb[0], limb[0] != 0}, a, x < 0}, {{&limb[1], limb[1] != 0}, b, y < 0}};
    return gz_int_sum_of_products(arena, terms, 2);
}

/* Lehmer: as long as the leading bits alone tell the quotients of Euclid's algorithm, its steps are gathered in a
   matrix [x y; z w], which is then applied to the whole numbers. */
gz_int gz_int_gcd(gz_arena *arena, gz_int a, gz_int b) {
    size_t mark = gz_arena_mark(arena);
    a.size = abs(a.size);
    b.size = abs(b.size);
    if (gz_int_compare(a, b) < 0) {
        gz_int swap = a;
        a = b;
        b = swap;
    }
    while (b.size > 1) {
        int64_t lead[2], x = 1, y = 0, z = 0, w = 1;
        leading_pair(arena, a, b, lead);
        while (lead[1] + z != 0 && lead[1] + w != 0) {
            int64_t q = (lead[0] + x) / (lead[1] + z), next;
            if (q != (lead[0] + y) / (lead[1] + w)) break;
            next = x - q * z, x = z, z = next;
            next = y - q * w, y = w, w = next;
            next = lead[0] - q * lead[1], lead[0] = lead[1], lead[1] = next;
        }
        gz_int larger = y == 0 ? b : combine(arena, x, a, y, b);
        b = y == 0 ? gz_int_remainder(arena, a, b) : combine(arena, z, a, w, b);
        a = larger;
        gz_int *values[2] = {&a, &b};
        gz_arena_keep(arena, mark, values, 2);
    }
    if (b.size == 0) return a;
    gz_int rest = gz_int_remainder(arena, a, b);
    uint64_t m = b.limb[0], n = rest.size ? rest.limb[0] : 0;
    while (n) {
        uint64_t next = m % n;
        m = n;
        n = next;
    }
    gz_arena_release(arena, mark);
    uint64_t *limb = gz_arena_take(arena, 1);
    *limb = m;
    return finish(arena, limb, 1, false);
}

uint64_t gz_int_modulo_prime(gz_int a) {
    /* 2^64 = 8 modulo 2^61 − 1 */
    uint64_t rest = 0;
    for (size_t i = magnitude(a); i-- > 0;) {
        gz_wide s = ((gz_wide)rest << 3) + (a.limb[i] & GZ_PRIME) + (a.limb[i] >> 61);
        uint64_t folded = ((uint64_t)s & GZ_PRIME) + (uint64_t)(s >> 61);
        rest = folded >= GZ_PRIME ? folded - GZ_PRIME : folded;
    }
    return a.size < 0 && rest ? GZ_PRIME - rest : rest;
}

double gz_int_leading(gz_int a, int64_t *exponent) {
    size_t an = magnitude(a), bits = gz_int_bits(a);
    *exponent = (int64_t)bits;
    if (an == 0) return 0;
    unsigned lead = (unsigned)__builtin_clzll(a.limb[an - 1]);
    uint64_t top = a.limb[an - 1] << lead;
    if (an > 1 && lead) top |= a.limb[an - 2] >> (64 - lead);
    double value = (double)(top >> 11) * 0x1p-53;
    return a.size < 0 ? -value : value;
}

double gz_int_nearly(gz_int a, int64_t bits) {
    int64_t own;
    double value = gz_int_leading(a, &own);
    int64_t power = own - bits;
    return power < -2000 ? 0 : ldexp(value, (int)power);
}

double gz_int_scaled_down(gz_int a, size_t bits) {
    int64_t own;
    double value = gz_int_leading(a, &own), scale;
    int64_t power = own - (int64_t)bits;
    if (power < -1000) return 0;
    uint64_t image = (uint64_t)(power + 1023) << 52; /* 2^power */
    memcpy(&scale, &image, sizeof scale);
    return value * scale;
}

size_t gz_int_decimal_size(gz_int a) {
    /* 20 digits hold 66 bits */
    return 20 * magnitude(a) + 3;
}

size_t gz_int_decimal(gz_arena *arena, gz_int a, char *text) {
    const uint64_t chunk = UINT64_C(10000000000000000000);
    size_t mark = gz_arena_mark(arena), n = magnitude(a);
    uint64_t *rest = gz_arena_take(arena, n);
    if (n) memcpy(rest, a.limb, n * sizeof *rest);
    char *end = text;
    if (n == 0) *end++ = '0';
    while (n > 0) {
        uint64_t digits = 0;
        for (size_t i = n; i-- > 0;) {
            gz_wide s = (gz_wide)digits << 64 | rest[i];
            rest[i] = (uint64_t)(s / chunk);
            digits = (uint64_t)(s % chunk);
        }
        while (n > 0 && rest[n - 1] == 0) n--;
        /* all 19 digits but for the last chunk, which has no leading zeros */
        for (int i = 0; i < 19 && (n > 0 || digits > 0); i++) {
            *end++ = (char)('0' + digits % 10);
            digits /= 10;
        }
    }
    if (a.size < 0) *end++ = '-';
    *end = '\0';
    for (char *low = text, *high = end - 1; low < high; low++, high--) {
        char swap = *low;
        *low = *high;
        *high = swap;
    }
    gz_arena_release(arena, mark);
    return (size_t)(end - text);
}
