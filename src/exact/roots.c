#include "exact/roots.h"

#include "numerics/error_bounds.h"

#include <math.h>
#include <string.h>

/* ---- dyadic numbers ---- */

static gz_dyadic dyadic_from(gz_arena *arena, double t) {
    int exponent;
    int64_t n = (int64_t)(frexp(t, &exponent) * 0x1p53);
    if (n == 0) return (gz_dyadic){gz_int_zero(), 0};
    int twos = __builtin_ctzll((uint64_t)n);
    return (gz_dyadic){gz_int_from(arena, n >> twos), (size_t)(53 - exponent - twos)};
}

/* Gives both the same exponent. */
static void align(gz_arena *arena, gz_dyadic *a, gz_dyadic *b) {
    gz_dyadic *coarse = a->exponent < b->exponent ? a : b, *fine = coarse == a ? b : a;
    coarse->n = gz_int_shift_up(arena, coarse->n, fine->exponent - coarse->exponent);
    coarse->exponent = fine->exponent;
}

static int compare(gz_arena *arena, gz_dyadic a, gz_dyadic b) {
    size_t mark = gz_arena_mark(arena);
    align(arena, &a, &b);
    gz_arena_release(arena, mark);
    return gz_int_compare(a.n, b.n);
}

gz_root gz_root_from(gz_arena *arena, double t) {
    gz_dyadic number = dyadic_from(arena, t);
    return (gz_root){
        .p.degree = -1, .low = number, .high = number, .exact = true, .bracketed = true, .below = t, .above = t};
}

/* ---- narrowing ---- */

/* Takes a point inside the interval, where p has this sign, as its new end. */
static void settle(gz_root *root, gz_dyadic at, int sign) {
    root->exact = sign == 0;
    if (sign == 0 || sign == root->before) root->low = at;
    if (sign == 0 || sign != root->before) root->high = at;
}

/* A number in the interval, seen from the piece that `local` is for. */
static gz_dyadic from_piece(gz_arena *arena, const gz_root *root, gz_dyadic t) {
    gz_dyadic start = {root->start, root->depth};
    align(arena, &t, &start);
    return (gz_dyadic){gz_int_subtract(arena, t.n, start.n), t.exponent - root->depth + root->doublings};
}

/* Sign of p at a number in the interval; about `bits` bits of it should tell. */
static int sign_at(gz_arena *arena, const gz_root *root, gz_dyadic t, size_t bits) {
    size_t mark = gz_arena_mark(arena);
    int sign = gz_poly_sign_from(arena, &root->local, from_piece(arena, root, t), bits);
    gz_arena_release(arena, mark);
    return sign;
}

/* Halves the interval of a root that is not exact. */
static void halve(gz_arena *arena, gz_root *root) {
    align(arena, &root->low, &root->high);
    gz_dyadic middle = {gz_int_add(arena, root->low.n, root->high.n), root->low.exponent + 1};
    int sign = sign_at(arena, root, middle, GZ_FEW_BITS);
    settle(root, middle, sign);
}

/* −1, 0 or 1 as `at` is before, at or after the root. */
static int side_of(gz_arena *arena, gz_root *root, gz_dyadic at) {
    int from_low = compare(arena, at, root->low);
    if (root->exact) return from_low;
    if (from_low <= 0) return -1;
    if (compare(arena, at, root->high) >= 0) return 1;
    int sign = sign_at(arena, root, at, GZ_FEW_BITS);
    settle(root, at, sign);
    return sign == 0 ? 0 : sign == root->before ? -1 : 1;
}

int gz_root_side(gz_arena *arena, gz_root *root, double t) { return side_of(arena, root, dyadic_from(arena, t)); }

/* A double near the root, by Newton's method kept in the interval by bisection. Rounding may make it a poor guess: it
   is where the search starts, no more. */
static double guess(const gz_root *root) {
    double low = gz_int_nearly(root->low.n, (int64_t)root->low.exponent), c[GZ_DEGREE + 1];
    double high = gz_int_nearly(root->high.n, (int64_t)root->high.exponent);
    if (root->exact) return low;
    const gz_poly *p = &root->p;
    gz_poly_nearly(p, c);
    double t = 0.5 * (low + high);
    for (int i = 0; i < 64 && low < high; i++) {
        double value = c[p->degree], slope = 0;
        for (int k = p->degree - 1; k >= 0; k--) {
            slope = slope * t + value;
            value = value * t + c[k];
        }
        if ((value > 0) == (root->before > 0))
            low = t;
        else
            high = t;
        double next = t - value / slope;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (fabs(next - t) <= 0x1p-53 * t) return next;
        t = next;
    }
    return t;
}

static double from_bits(uint64_t bits) {
    double t;
    memcpy(&t, &bits, sizeof t);
    return t;
}

static uint64_t to_bits(double t) {
    uint64_t bits;
    memcpy(&bits, &t, sizeof bits);
    return bits;
}

/* Doubles from 0 to 1 in the order of their bits: steps from the guess, each twice the last, until the root is between
   two; then bisection. */
void gz_root_bracket(gz_arena *arena, gz_root *root) {
    if (root->bracketed) return;
    root->bracketed = true;
    size_t mark = gz_arena_mark(arena);
    uint64_t below = 0, above = to_bits(1), step = 1, at = to_bits(guess(root));
    bool went_up = false, went_down = false;
    while (above - below > 1) {
        if (at <= below || at >= above) at = below + (above - below) / 2;
        int side = gz_root_side(arena, root, from_bits(at));
        if (side == 0) {
            below = above = at;
            break;
        }
        if (side < 0) {
            below = at;
            went_up = true;
        } else {
            above = at;
            went_down = true;
        }
        if (went_up && went_down) {
            at = below + (above - below) / 2;
        } else {
            at = side < 0 ? at + step : at - step;
            step *= 2;
        }
    }
    root->below = from_bits(below);
    root->above = from_bits(above);
    gz_int *values[2] = {&root->low.n, &root->high.n};
    gz_arena_keep(arena, mark, values, 2);
}

static size_t width_bits(gz_arena *arena, const gz_root *root) {
    size_t mark = gz_arena_mark(arena);
    gz_dyadic low = root->low, high = root->high;
    align(arena, &low, &high);
    size_t bits = gz_int_bits(gz_int_subtract(arena, high.n, low.n));
    gz_arena_release(arena, mark);
    return bits > low.exponent ? 0 : low.exponent - bits;
}

/* Both values of p at the ends of the interval, neither of which is 0, to `bits` bits and over the same number. Returns
   how many bits of p that took. */
static size_t end_values(gz_arena *arena, gz_root *root, size_t bits, gz_int value[2]) {
    const gz_dyadic low = from_piece(arena, root, root->low), high = from_piece(arena, root, root->high);
    size_t least = width_bits(arena, root) + root->doublings - root->depth + bits;
    for (;; root->lost += (least + root->lost) / 2) {
        size_t taken = least + root->lost;
        value[0] = gz_poly_short(arena, &root->local, low, taken);
        if (gz_int_bits(value[0]) < bits) continue;
        value[1] = gz_poly_short(arena, &root->local, high, taken);
        if (gz_int_bits(value[1]) < bits) continue;
        size_t over = gz_int_bits(value[gz_int_bits(value[1]) < gz_int_bits(value[0])]) - bits;
        root->lost -= over < root->lost ? over : root->lost;
        return taken;
    }
}

/* Cuts the interval into 2^parts pieces and tries the one where the chord between its ends crosses zero. True when the
   root is in it; if not, the interval is still shorter than before. (Abbott: quadratic interval refinement) */
static bool try_chord(gz_arena *arena, gz_root *root, size_t parts) {
    align(arena, &root->low, &root->high);
    gz_dyadic low = root->low, high = root->high;
    gz_int width = gz_int_subtract(arena, high.n, low.n), value[2];
    size_t taken = end_values(arena, root, parts + 16, value) + parts;
    gz_int drop = gz_int_subtract(arena, value[0], value[1]);
    gz_int piece_number = gz_int_divide(arena, gz_int_shift_up(arena, value[0], parts), drop);
    gz_dyadic from = {gz_int_shift_up(arena, low.n, parts), low.exponent + parts}, to = from;
    from.n = gz_int_add(arena, from.n, gz_int_multiply(arena, piece_number, width));
    to.n = gz_int_add(arena, from.n, width);
    int sign = sign_at(arena, root, from, taken);
    settle(root, from, sign);
    if (sign != root->before) return sign == 0;
    sign = sign_at(arena, root, to, taken);
    settle(root, to, sign);
    return sign != root->before;
}

/* Cuts the interval down, the more the better that went so far. */
static void narrow_once(gz_arena *arena, gz_root *root) {
    size_t mark = gz_arena_mark(arena);
    if (root->parts < 2) {
        halve(arena, root);
        root->parts = 2;
    } else {
        root->parts = try_chord(arena, root, root->parts) ? 2 * root->parts : root->parts / 2;
    }
    gz_int *values[2] = {&root->low.n, &root->high.n};
    gz_arena_keep(arena, mark, values, 2);
}

void gz_root_narrow(gz_arena *arena, gz_root *root, size_t bits) {
    while (!root->exact && width_bits(arena, root) < bits) narrow_once(arena, root);
}

/* ---- signs ---- */

/* Sign of q at a root with its bracket known, from doubles; 0 when unsure. */
static int sign_rounded(gz_arena *arena, const gz_root *root, const gz_poly *q) {
    if (arena->integers_only) return 0;
    gz_rounded rounded = gz_poly_round(q, root->below);
    return (rounded.value > rounded.error) - (rounded.value < -rounded.error);
}

/* Sign of q on all of [low, high], or 0 when unsure. */
static int sign_around(gz_arena *arena, const gz_root *root, const gz_poly *q) {
    size_t mark = gz_arena_mark(arena);
    gz_int value = gz_poly_short(arena, q, root->low, width_bits(arena, root));
    gz_arena_release(arena, mark);
    return gz_short_sign(value);
}

/* True if q, not zero, vanishes at a root that is not exact. p has no other root in [low, high] and none at its ends,
   and so has the common divisor: it vanishes at the root if and only if it changes sign. */
static bool vanishes(gz_arena *arena, const gz_root *root, const gz_poly *q) {
    if (gz_poly_surely_coprime(&root->p, q)) return false;
    size_t mark = gz_arena_mark(arena);
    gz_poly common;
    gz_poly_gcd(arena, &root->p, q, &common);
    bool changes = gz_poly_sign(arena, &common, root->low) != gz_poly_sign(arena, &common, root->high);
    gz_arena_release(arena, mark);
    return changes;
}

int gz_root_sign(gz_arena *arena, gz_root *root, const gz_poly *q) {
    if (q == root->of || gz_poly_is_zero(q)) return 0;
    gz_root_bracket(arena, root);
    int sign = sign_rounded(arena, root, q);
    if (sign) return sign;
    if (root->exact) return gz_poly_sign(arena, q, root->low);
    sign = sign_around(arena, root, q);
    if (sign || vanishes(arena, root, q)) return sign;
    while (sign == 0) {
        narrow_once(arena, root);
        if (root->exact) return gz_poly_sign(arena, q, root->low);
        sign = sign_around(arena, root, q);
    }
    return sign;
}

int gz_root_compare(gz_arena *arena, gz_root *a, gz_root *b) {
    gz_root_bracket(arena, a);
    gz_root_bracket(arena, b);
    if (a->below != b->below) return a->below < b->below ? -1 : 1;
    if (a->above != b->above) return a->above < b->above ? -1 : 1;
    if (a->below == a->above) return 0;
    /* both strictly between the same adjacent doubles */
    if (a->exact && b->exact) return compare(arena, a->low, b->low);
    if (a->exact) return -gz_root_compare(arena, b, a);
    if (side_of(arena, b, a->low) >= 0) return 1;
    if (side_of(arena, b, a->high) <= 0) return -1;
    /* b is where a's polynomial has no other root than a, so its sign there tells */
    int sign = gz_root_sign(arena, b, &a->p);
    return sign == 0 ? 0 : sign == a->before ? 1 : -1;
}

gz_root gz_root_between(gz_arena *arena, gz_root *first, gz_root *second) {
    while (compare(arena, first->high, second->low) >= 0) {
        if (!first->exact) halve(arena, first);
        if (!second->exact) halve(arena, second);
    }
    gz_dyadic low = first->high, high = second->low;
    align(arena, &low, &high);
    gz_dyadic middle = {gz_int_add(arena, low.n, high.n), low.exponent + 1};
    return (gz_root){.p.degree = -1, .low = middle, .high = middle, .exact = true};
}

void gz_root_polynomial(gz_arena *arena, const gz_root *root, gz_poly *p) {
    if (root->p.degree <= 0) {
        /* t = 0, which is asked about without a polynomial: t itself */
        *p = (gz_poly){.degree = 1, .c = {gz_int_zero(), gz_int_from(arena, 1)}};
        return;
    }
    if (!gz_poly_square_free(arena, &root->p, p)) *p = root->p;
    gz_poly_make_primitive(arena, p);
}

/* ---- fractions ---- */

/* over / under as a double, off by less than 2^-50 of it (and 2^-1074): two numbers cut to 53 bits and one division. */
static double quotient(gz_int over, gz_int under, int64_t exponent) {
    int64_t a, b;
    double value = gz_int_leading(over, &a) / gz_int_leading(under, &b);
    return ldexp(value, (int)fmax(-1200, fmin(1200, (double)(a - b + exponent))));
}

static void clamp(double value[2]) {
    value[0] = fmin(fmax(value[0], 0), 1);
    value[1] = fmin(fmax(value[1], 0), 1);
}

void gz_enclose_integers(const gz_int above[2], const gz_int below[2], int64_t exponent, double value[2]) {
    value[0] = value[1] = 0;
    if (gz_int_sign(above[0]) > 0) value[0] = quotient(above[0], below[1], exponent) * GZ_CUT_DOWN - GZ_ENCLOSE_TINY;
    if (gz_int_sign(above[1]) > 0) value[1] = quotient(above[1], below[0], exponent) * GZ_CUT_UP + GZ_ENCLOSE_TINY;
    clamp(value);
}

/* Takes `bits` bits of an exact root, and of any other root as many as its interval is worth. */
static void fraction_around(gz_arena *arena, const gz_root *root, const gz_poly *over, const gz_poly *under,
                            size_t bits, double value[2]) {
    size_t mark = gz_arena_mark(arena);
    if (!root->exact) bits = width_bits(arena, root);
    gz_int a = gz_poly_short(arena, over, root->low, bits), b = gz_poly_short(arena, under, root->low, bits);
    gz_int error = gz_int_from(arena, 1 << GZ_SHORT_ERROR_BITS);
    const gz_int above[2] = {gz_int_subtract(arena, a, error), gz_int_add(arena, a, error)};
    const gz_int below[2] = {gz_int_subtract(arena, b, error), gz_int_add(arena, b, error)};
    int64_t scale = (int64_t)gz_poly_bits(over) - (int64_t)gz_poly_bits(under);
    value[0] = 0;
    value[1] = 1;
    if (gz_int_sign(below[0]) > 0) gz_enclose_integers(above, below, scale, value);
    gz_arena_release(arena, mark);
}

bool gz_enclose_quotient(double a, double a_error, double b, double b_error, double scale, double value[2]) {
    if (b <= 2 * b_error) return false;
    /* each bound is rounded four times */
    value[0] = scale * ((a - a_error) / (b + b_error)) * GZ_ENCLOSE_DOWN - GZ_ENCLOSE_TINY;
    value[1] = scale * ((a + a_error) / (b - b_error)) * GZ_ENCLOSE_UP + GZ_ENCLOSE_TINY;
    clamp(value);
    return value[1] - value[0] < 0x1p-40;
}

/* As fraction_around, but in doubles; false when that is not narrow enough. */
static bool fraction_rounded(const gz_root *root, const gz_poly *over, const gz_poly *under, double value[2]) {
    gz_rounded a = gz_poly_round(over, root->below), b = gz_poly_round(under, root->below);
    int64_t power = a.exponent - b.exponent;
    if (power < -500 || power > 500) return false;
    return gz_enclose_quotient(a.value, a.error, b.value, b.error, ldexp(1, (int)power), value);
}

void gz_root_fraction(gz_arena *arena, gz_root *root, const gz_poly *over, const gz_poly *under, double value[2]) {
    gz_root_bracket(arena, root);
    if (!arena->integers_only && fraction_rounded(root, over, under, value)) return;
    fraction_around(arena, root, over, under, 96, value);
    for (size_t bits = 96; bits <= 1536 && value[1] - value[0] > 0x1p-44; bits *= 2) {
        gz_root_narrow(arena, root, bits);
        fraction_around(arena, root, over, under, bits, value);
    }
}
