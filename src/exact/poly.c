#include "exact/poly.h"

#include "numerics/error_bounds.h"

#include <math.h>
#include <string.h>

static void trim(gz_poly *p, int degree) {
    while (degree >= 0 && p->c[degree].size == 0) degree--;
    p->degree = degree;
}

void gz_poly_sum_of_products(gz_arena *arena, const gz_poly_product *terms, size_t count, gz_poly *sum) {
    gz_product products[3 * (GZ_DEGREE + 1)];
    int degree = -1;
    for (size_t i = 0; i < count; i++) {
        if (gz_poly_is_zero(terms[i].a) || gz_poly_is_zero(terms[i].b)) continue;
        if (terms[i].a->degree + terms[i].b->degree > degree) degree = terms[i].a->degree + terms[i].b->degree;
    }
    for (int k = 0; k <= degree; k++) {
        size_t n = 0;
        for (size_t i = 0; i < count; i++) {
            const gz_poly *a = terms[i].a, *b = terms[i].b;
            for (int j = k > b->degree ? k - b->degree : 0; j <= k && j <= a->degree; j++)
                if (a->c[j].size && b->c[k - j].size)
                    products[n++] = (gz_product){a->c[j], b->c[k - j], terms[i].negative};
        }
        sum->c[k] = gz_int_sum_of_products(arena, products, n);
    }
    trim(sum, degree);
}

void gz_poly_add(gz_arena *arena, const gz_poly *a, const gz_poly *b, int sign, gz_poly *sum) {
    gz_poly out;
    int degree = a->degree > b->degree ? a->degree : b->degree;
    for (int k = 0; k <= degree; k++) {
        gz_int left = k <= a->degree ? a->c[k] : gz_int_zero(), right = k <= b->degree ? b->c[k] : gz_int_zero();
        out.c[k] = gz_int_add(arena, left, sign < 0 ? gz_int_negative(right) : right);
    }
    trim(&out, degree);
    *sum = out;
}

void gz_poly_scale(gz_arena *arena, const gz_poly *p, gz_int factor, gz_poly *scaled) {
    int degree = p->degree;
    for (int k = 0; k <= degree; k++) scaled->c[k] = gz_int_multiply(arena, p->c[k], factor);
    trim(scaled, degree);
}

void gz_poly_derivative(gz_arena *arena, const gz_poly *p, gz_poly *derivative) {
    int degree = p->degree;
    for (int k = 1; k <= degree; k++) derivative->c[k - 1] = gz_int_multiply(arena, p->c[k], gz_int_from(arena, k));
    derivative->degree = degree > 0 ? degree - 1 : -1;
}

gz_int gz_poly_value(gz_arena *arena, const gz_poly *p, gz_dyadic t) {
    gz_int value = p->degree < 0 ? gz_int_zero() : p->c[p->degree];
    for (int k = p->degree - 1; k >= 0; k--) {
        gz_int lifted = gz_int_shift_up(arena, p->c[k], t.exponent * (size_t)(p->degree - k));
        value = gz_int_add(arena, gz_int_multiply(arena, value, t.n), lifted);
    }
    return value;
}

size_t gz_poly_bits(const gz_poly *p) {
    size_t most = 0;
    for (int k = 0; k <= p->degree; k++)
        if (gz_int_bits(p->c[k]) > most) most = gz_int_bits(p->c[k]);
    return most;
}

static gz_int shift(gz_arena *arena, gz_int a, size_t up, size_t down) {
    return up >= down ? gz_int_shift_up(arena, a, up - down) : gz_int_shift_down(arena, a, down - up);
}

gz_int gz_poly_short(gz_arena *arena, const gz_poly *p, gz_dyadic t, size_t bits) {
    size_t mark = gz_arena_mark(arena), top = gz_poly_bits(p);
    if (t.exponent > bits) t = (gz_dyadic){gz_int_shift_down(arena, t.n, t.exponent - bits), bits};
    gz_int value = gz_int_zero();
    for (int k = p->degree; k >= 0; k--) {
        gz_int scaled = gz_int_shift_down(arena, gz_int_multiply(arena, value, t.n), t.exponent);
        value = gz_int_add(arena, scaled, shift(arena, p->c[k], bits, top));
    }
    gz_int *values[1] = {&value};
    gz_arena_keep(arena, mark, values, 1);
    return value;
}

int gz_poly_sign_from(gz_arena *arena, const gz_poly *p, gz_dyadic t, size_t bits) {
    size_t mark = gz_arena_mark(arena), all = 0;
    if (p->degree > 0) all = gz_poly_bits(p) + (size_t)p->degree * t.exponent;
    for (; bits <= all / 2; bits *= 2) {
        int sign = gz_short_sign(gz_poly_short(arena, p, t, bits));
        gz_arena_release(arena, mark);
        if (sign) return sign;
    }
    gz_int value = gz_poly_value(arena, p, t);
    gz_arena_release(arena, mark);
    return gz_int_sign(value);
}

int gz_poly_sign(gz_arena *arena, const gz_poly *p, gz_dyadic t) { return gz_poly_sign_from(arena, p, t, GZ_FEW_BITS); }

int gz_short_sign(gz_int value) { return gz_int_bits(value) > GZ_SHORT_ERROR_BITS ? gz_int_sign(value) : 0; }

void gz_poly_nearly(const gz_poly *p, double c[GZ_DEGREE + 1]) {
    int64_t top = (int64_t)gz_poly_bits(p);
    for (int k = 0; k <= p->degree; k++) c[k] = gz_int_nearly(p->c[k], top);
}

gz_rounded gz_poly_round(const gz_poly *p, double below) {
    gz_rounded rounded = {0, 0, 0};
    rounded.exponent = (int64_t)gz_poly_bits(p);
    double sum = 0;
    for (int k = p->degree; k >= 0; k--) {
        double c = gz_int_scaled_down(p->c[k], (size_t)rounded.exponent);
        rounded.value = rounded.value * below + c;
        sum = sum * below + fabs(c);
    }
    rounded.error = GZ_POLY_SLACK * sum + GZ_POLY_TINY;
    return rounded;
}

/* Common powers of two are the usual content and are taken out first: shifting is cheap. */
static void shed_twos(gz_arena *arena, gz_poly *p) {
    size_t twos = SIZE_MAX;
    for (int k = 0; k <= p->degree; k++) {
        if (p->c[k].size == 0) continue;
        size_t here = gz_int_twos(p->c[k]);
        if (here < twos) twos = here;
    }
    if (twos == 0) return;
    for (int k = 0; k <= p->degree; k++) p->c[k] = gz_int_shift_down(arena, p->c[k], twos);
}

void gz_poly_make_primitive(gz_arena *arena, gz_poly *p) {
    shed_twos(arena, p);
    gz_int content = gz_int_zero();
    for (int k = p->degree; k >= 0; k--)
        if (gz_int_bits(content) != 1) content = gz_int_gcd(arena, content, p->c[k]);
    if (p->c[p->degree].size < 0) content = gz_int_negative(content);
    if (content.size == 1 && content.limb[0] == 1) return;
    for (int k = 0; k <= p->degree; k++) p->c[k] = gz_int_divide(arena, p->c[k], content);
}

static uint64_t times(uint64_t a, uint64_t b) {
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    uint64_t folded = ((uint64_t)product & GZ_PRIME) + (uint64_t)(product >> 61);
    return folded >= GZ_PRIME ? folded - GZ_PRIME : folded;
}

/* The greatest common divisor modulo the prime, but for a factor; returns its degree, or −1 when the prime divides a's
   leading coefficient. If g divides both, its leading coefficient divides a's; when the prime does not divide that one,
   g keeps its degree modulo the prime and divides both there too. So no common divisor has a larger degree. */
static int gcd_modulo_prime(const gz_poly *a, const gz_poly *b, uint64_t gcd[GZ_DEGREE + 1]) {
    uint64_t r[2][GZ_DEGREE + 1];
    int degree[2] = {a->degree, b->degree};
    for (int k = 0; k <= a->degree; k++) r[0][k] = gz_int_modulo_prime(a->c[k]);
    for (int k = 0; k <= b->degree; k++) r[1][k] = gz_int_modulo_prime(b->c[k]);
    if (r[0][degree[0]] == 0) return -1;
    while (degree[1] >= 0 && r[1][degree[1]] == 0) degree[1]--;
    int big = degree[0] < degree[1];
    while (degree[1 - big] > 0) {
        uint64_t *p = r[big], *q = r[1 - big];
        int n = degree[big], m = degree[1 - big];
        uint64_t lead = p[n], other = q[m];
        /* p = other·p − lead·t^(n−m)·q: the leading terms cancel */
        for (int k = 0; k < n; k++) {
            uint64_t left = times(other, p[k]), right = k >= n - m ? times(lead, q[k - n + m]) : 0;
            p[k] = left >= right ? left - right : left + GZ_PRIME - right;
        }
        do n--;
        while (n >= 0 && p[n] == 0);
        degree[big] = n;
        if (n < m) big = 1 - big;
    }
    if (degree[1 - big] == 0) return 0;
    memcpy(gcd, r[big], sizeof r[big]);
    return degree[big];
}

bool gz_poly_surely_coprime(const gz_poly *a, const gz_poly *b) {
    uint64_t gcd[GZ_DEGREE + 1];
    return gcd_modulo_prime(a, b, gcd) == 0;
}

/* lead(b)^(deg a − deg b + 1)·a mod b, and the quotient where it is asked for. deg a ≥ deg b. */
static void pseudo_divide(gz_arena *arena, const gz_poly *a, const gz_poly *b, gz_poly *quotient, gz_poly *rest) {
    gz_poly r = *a;
    int steps = a->degree - b->degree + 1;
    gz_int lead = b->c[b->degree];
    if (quotient) quotient->degree = a->degree - b->degree;
    for (int s = steps - 1; s >= 0; s--) {
        /* r = lead·r − top·t^s·b */
        gz_int top = r.c[b->degree + s];
        for (int k = 0; k < b->degree + s; k++) {
            gz_product terms[2] = {{lead, r.c[k], false}, {top, k >= s ? b->c[k - s] : gz_int_zero(), true}};
            r.c[k] = gz_int_sum_of_products(arena, terms, 2);
        }
        if (quotient) {
            quotient->c[s] = top;
            for (int k = s + 1; k < steps; k++) quotient->c[k] = gz_int_multiply(arena, quotient->c[k], lead);
        }
    }
    trim(&r, b->degree - 1);
    *rest = r;
}

static gz_int power(gz_arena *arena, gz_int base, int exponent) {
    gz_int value = gz_int_from(arena, 1);
    for (int i = 0; i < exponent; i++) value = gz_int_multiply(arena, value, base);
    return value;
}

#define SMALL (INT64_C(1) << 30)

/* over / under = residue modulo the prime, both small; false when there are none. Euclid's algorithm, stopped halfway.
 */
static bool small_fraction(uint64_t residue, int64_t *over, int64_t *under) {
    int64_t a = (int64_t)GZ_PRIME, b = (int64_t)residue, x = 0, y = 1;
    while (b >= SMALL) {
        int64_t q = a / b, next;
        next = a - q * b, a = b, b = next;
        next = x - q * y, x = y, y = next;
    }
    *over = y < 0 ? -b : b;
    *under = y < 0 ? -y : y;
    return *under < SMALL;
}

/* A common divisor of the largest degree there can be, when its coefficients are small, as they are for contacts at
   simple times: guessed from its residues, proven by division. */
static bool small_gcd(gz_arena *arena, const gz_poly *a, const gz_poly *b, gz_poly *gcd) {
    uint64_t residue[GZ_DEGREE + 1];
    int64_t c[GZ_DEGREE + 1], common = 1;
    int degree = gcd_modulo_prime(a, b, residue);
    if (degree < 1 || degree > a->degree || degree > b->degree) return false; /* b may be 0 modulo the prime */
    uint64_t inverse = 1; /* of the leading one, its power of the prime − 2 */
    for (int bit = 60; bit >= 0; bit--) {
        inverse = times(inverse, inverse);
        if ((GZ_PRIME - 2) >> bit & 1) inverse = times(inverse, residue[degree]);
    }
    for (int k = degree; k >= 0; k--) {
        int64_t under;
        if (!small_fraction(times(times(residue[k], inverse), (uint64_t)common), &c[k], &under)) return false;
        common *= under;
        for (int j = k + 1; j <= degree; j++) c[j] *= under;
        for (int j = k; j <= degree; j++)
            if (common >= SMALL || c[j] >= SMALL || c[j] <= -SMALL) return false;
    }
    gz_poly guess = {.degree = degree}, rest_a, rest_b;
    for (int k = 0; k <= degree; k++) guess.c[k] = gz_int_from(arena, c[k]);
    size_t mark = gz_arena_mark(arena);
    pseudo_divide(arena, a, &guess, NULL, &rest_a);
    pseudo_divide(arena, b, &guess, NULL, &rest_b);
    gz_arena_release(arena, mark);
    *gcd = guess; /* may be a or b */
    return gz_poly_is_zero(&rest_a) && gz_poly_is_zero(&rest_b);
}

/* Else a subresultant remainder sequence: every division below is exact and the coefficients stay as small as can be
   had without taking greatest common divisors of integers. */
void gz_poly_gcd(gz_arena *arena, const gz_poly *a, const gz_poly *b, gz_poly *gcd) {
    gz_poly p = a->degree >= b->degree ? *a : *b, q = a->degree >= b->degree ? *b : *a;
    if (small_gcd(arena, a, b, gcd)) {
        gz_poly_make_primitive(arena, gcd);
        return;
    }
    gz_int g = gz_int_from(arena, 1), h = g;
    for (;;) {
        int delta = p.degree - q.degree;
        gz_poly rest;
        pseudo_divide(arena, &p, &q, NULL, &rest);
        if (gz_poly_is_zero(&rest)) break;
        gz_int divisor = gz_int_multiply(arena, g, power(arena, h, delta));
        for (int k = 0; k <= rest.degree; k++) rest.c[k] = gz_int_divide(arena, rest.c[k], divisor);
        p = q;
        q = rest;
        g = p.c[p.degree];
        /* h = g^delta / h^(delta − 1) */
        if (delta > 0) h = gz_int_divide(arena, power(arena, g, delta), power(arena, h, delta - 1));
    }
    *gcd = q;
    if (gcd->degree == 0)
        gcd->c[0] = gz_int_from(arena, 1);
    else
        gz_poly_make_primitive(arena, gcd);
}

void gz_poly_divide(gz_arena *arena, const gz_poly *p, const gz_poly *by, gz_poly *quotient) {
    gz_poly rest;
    pseudo_divide(arena, p, by, quotient, &rest);
    gz_poly_make_primitive(arena, quotient);
}

bool gz_poly_square_free(gz_arena *arena, const gz_poly *p, gz_poly *free) {
    if (p->degree < 2) return false;
    size_t mark = gz_arena_mark(arena);
    gz_poly derivative, common;
    gz_poly_derivative(arena, p, &derivative);
    if (gz_poly_surely_coprime(p, &derivative)) {
        gz_arena_release(arena, mark);
        return false;
    }
    gz_poly_gcd(arena, p, &derivative, &common);
    if (common.degree == 0) {
        gz_arena_release(arena, mark);
        return false;
    }
    gz_poly_divide(arena, p, &common, free);
    return true;
}
