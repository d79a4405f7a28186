#include "exact/roots.h"

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

/* ---- isolation: Descartes' rule on bisected intervals (Vincent, Collins, Akritas) ---- */

/* Gives back what has been taken since the mark, but for the coefficients. */
static void keep_poly(gz_arena *arena, size_t mark, gz_poly *p) {
    gz_int *values[GZ_DEGREE + 1];
    for (int k = 0; k <= p->degree; k++) values[k] = &p->c[k];
    gz_arena_keep(arena, mark, values, (size_t)p->degree + 1);
}

/* p(x + 1) */
static void shift_by_one(gz_arena *arena, gz_poly *p) {
    size_t mark = gz_arena_mark(arena);
    for (int i = 0; i < p->degree; i++) {
        for (int j = p->degree - 1; j >= i; j--) p->c[j] = gz_int_add(arena, p->c[j], p->c[j + 1]);
        keep_poly(arena, mark, p);
    }
}

/* Sign changes of the coefficients of (x + 1)^n·p(1 / (x + 1)): 0 means no root in (0, 1), 1 means one simple root. */
static int variations(gz_arena *arena, const gz_poly *p) {
    size_t mark = gz_arena_mark(arena);
    gz_poly q = {.degree = p->degree};
    for (int k = 0; k <= p->degree; k++) q.c[k] = p->c[p->degree - k];
    shift_by_one(arena, &q);
    gz_arena_release(arena, mark);
    int count = 0, last = 0;
    for (int k = 0; k <= q.degree; k++) {
        int sign = gz_int_sign(q.c[k]);
        count += sign * last < 0;
        if (sign) last = sign;
    }
    return count;
}

/* A piece of [0, 1] still to look at: (k, k + length) / 2^depth with p mapped to (0, 1); or the point k / 2^depth. */
typedef struct piece {
    gz_poly p;
    gz_int k;
    size_t depth, doublings; /* length = 2^doublings */
    int variations;          /* 0: the point is a root */
} piece;

#define MAX_PIECES (2 * GZ_DEGREE)

typedef struct isolation {
    gz_arena *arena;
    size_t base; /* memory before it is not ours */
    piece pieces[MAX_PIECES];
    int pending; /* the last one is the leftmost */
    gz_root *roots;
    int count;
} isolation;

/* A deep search leaves one small set of numbers alive; all else is given back. */
static void compact(isolation *search) {
    gz_int *values[(MAX_PIECES + GZ_DEGREE) * (GZ_DEGREE + 2) + 2 * GZ_DEGREE];
    size_t n = 0;
    for (int i = 0; i < search->count; i++) {
        gz_root *root = &search->roots[i];
        values[n++] = &root->low.n;
        values[n++] = &root->high.n;
        values[n++] = &root->start;
        for (int k = 0; k <= root->local.degree; k++) values[n++] = &root->local.c[k];
    }
    for (int i = 0; i < search->pending; i++) {
        piece *next = &search->pieces[i];
        values[n++] = &next->k;
        for (int k = 0; k <= next->p.degree; k++) values[n++] = &next->p.c[k];
    }
    gz_arena_keep(search->arena, search->base, values, n);
}

static void split(isolation *search, const piece *whole) {
    gz_arena *arena = search->arena;
    int n = whole->p.degree;
    piece left = *whole, right, middle;
    left.depth++;
    left.k = gz_int_shift_up(arena, whole->k, 1);
    for (int k = 0; k <= n; k++) left.p.c[k] = gz_int_shift_up(arena, whole->p.c[k], (size_t)(n - k));
    right = left;
    right.k = gz_int_add(arena, left.k, gz_int_shift_up(arena, gz_int_from(arena, 1), whole->doublings));
    shift_by_one(arena, &right.p);
    left.variations = variations(arena, &left.p);
    right.variations = variations(arena, &right.p);
    if (right.variations) search->pieces[search->pending++] = right;
    if (right.p.c[0].size == 0) {
        middle = (piece){.p.degree = -1, .k = right.k, .depth = right.depth};
        search->pieces[search->pending++] = middle;
    }
    if (left.variations) search->pieces[search->pending++] = left;
}

/* p(x + by) */
static void shift_by(gz_arena *arena, gz_poly *p, gz_int by) {
    size_t mark = gz_arena_mark(arena);
    for (int i = 0; i < p->degree; i++) {
        for (int j = p->degree - 1; j >= i; j--)
            p->c[j] = gz_int_add(arena, p->c[j], gz_int_multiply(arena, p->c[j + 1], by));
        keep_poly(arena, mark, p);
    }
}

/* Replaces a piece by its part (start, start + 2) / 2^bits when the rest of it has no root: sign changes of parts and
   simple roots between them never add up to more than those of the whole, so a part that has them all leaves none.
   False, and nothing is changed, when it has not. */
static bool jump(isolation *search, const piece *whole, size_t bits, gz_int start) {
    gz_arena *arena = search->arena;
    size_t mark = gz_arena_mark(arena);
    int n = whole->p.degree;
    piece part = *whole;
    part.depth += bits;
    part.doublings++;
    part.k = gz_int_add(arena, gz_int_shift_up(arena, whole->k, bits), gz_int_shift_up(arena, start, whole->doublings));
    for (int k = 0; k <= n; k++) part.p.c[k] = gz_int_shift_up(arena, whole->p.c[k], bits * (size_t)(n - k));
    if (start.size) shift_by(arena, &part.p, start);
    for (int k = 1; k <= n; k++) part.p.c[k] = gz_int_shift_up(arena, part.p.c[k], (size_t)k);
    if (variations(arena, &part.p) < whole->variations) {
        gz_arena_release(arena, mark);
        return false;
    }
    search->pieces[search->pending++] = part;
    return true;
}

/* n / 2^exponent, at most about 1 */
static double nearly(gz_int n, int64_t exponent) {
    int64_t own;
    double value = gz_int_leading(n, &own);
    int64_t power = own - exponent;
    return power < -2000 ? 0 : ldexp(value, (int)power);
}

/* The coefficients in doubles, divided by a power of two so that the largest are about 1. */
static void nearly_all(const gz_poly *p, double c[GZ_DEGREE + 1]) {
    int64_t top = (int64_t)gz_poly_bits(p);
    for (int k = 0; k <= p->degree; k++) c[k] = nearly(p->c[k], top);
}

/* A place in [0, 1] where many roots may lie close together, and how far from it they lie. */
typedef struct cluster {
    double at, radius;
    bool drowned; /* the radius is what rounding lets see; it may be far less */
} cluster;

/* `count` roots of p that lie close together surround a simple root of its derivative of order count − 1, which
   Newton's method finds in doubles; there p is about the product of the distances to them. A guess, no more. */
static cluster guess_cluster(const gz_poly *p, int count) {
    double c[GZ_DEGREE + 1], taylor[GZ_DEGREE + 1], size = 0;
    nearly_all(p, c);
    double at = 0.5;
    for (int i = 0; i < 50; i++) {
        /* Taylor coefficients there, up to the one of order `count` */
        memcpy(taylor, c, sizeof c);
        for (int order = 0; order <= count; order++)
            for (int k = p->degree - 1; k >= order; k--) taylor[k] += at * taylor[k + 1];
        double next = at - taylor[count - 1] / (count * taylor[count]);
        if (!(next > 0)) next = 0;
        if (next > 1) next = 1;
        double moved = fabs(next - at);
        at = next;
        if (moved <= 0x1p-50 * at) break;
    }
    double value = 0;
    for (int k = p->degree; k >= 0; k--) {
        value = value * at + c[k];
        size = size * at + fabs(c[k]);
    }
    double noise = 0x1p-50 * size;
    double product = (fabs(value) + noise) / fabs(taylor[count]);
    return (cluster){at, pow(product, 1.0 / count), fabs(value) <= 4 * noise};
}

/* Goes on to what seems to surround the roots; false when that did not work. Tries no finer than the place is known,
   as fine as the distance seems, and all that is not much farther from 0; with some room, for Descartes' rule is blind
   to what is near the end of a piece. */
static bool jump_to(isolation *search, const piece *whole, cluster near) {
    int zero = near.at > 0 ? -ilogb(near.at) : 1000, finest = 48 + zero;
    int seen = -ilogb(fmax(near.radius, 0x1p-1000)) - 4;
    const int tries[3] = {near.drowned ? finest : 0, seen < finest ? seen : finest, zero - 8};
    for (int i = 0; i < 3; i++) {
        int bits = tries[i];
        if (bits < 4 || (i > 0 && tries[i - 1] > 0 && bits >= tries[i - 1])) continue;
        int64_t start = (int64_t)nearbyint(ldexp(near.at, bits)) - 1;
        if (bits < 60 && start > (INT64_C(1) << bits) - 2) start = (INT64_C(1) << bits) - 2;
        if (jump(search, whole, (size_t)bits, gz_int_from(search->arena, start > 0 ? start : 0))) return true;
    }
    return false;
}

/* Goes on from a piece with several sign changes: where they seem to come from roots close together, to these at once,
   for else it would take a halving for every bit of their distance; if not, by halving. */
static void divide(isolation *search, const piece *whole) {
    if (!jump_to(search, whole, guess_cluster(&whole->p, whole->variations))) split(search, whole);
}

/* A number m such that p has no root in (0, 2^-m]: there its first term outweighs the others, eight at most. It is
   2^(bits − 1)·x^first or more, and each of them less than an eighth of that. */
static size_t free_bits(const gz_poly *p) {
    int first = 0;
    while (p->c[first].size == 0) first++;
    int64_t m = 1;
    for (int k = first + 1; k <= p->degree; k++) {
        int64_t over = (int64_t)gz_int_bits(p->c[k]) - (int64_t)gz_int_bits(p->c[first]) + 4;
        if (over > m * (k - first)) m = (over + k - first - 1) / (k - first);
    }
    return (size_t)m;
}

/* From here on p over a piece is kept: near other roots its values are less by a power of the piece's length, and p
   itself would have to be computed to as many more bits. */
#define DEEP 64

/* Goes on from a piece with one root to a part of it at one of its ends, when the root is in it, so close to roots at
   or beyond that end that it is better looked for at that scale. `from_end` is p seen from 1, but for signs. */
static bool approach(isolation *search, const piece *whole, const gz_poly *from_end) {
    gz_arena *arena = search->arena;
    for (int end = 0; end < 2; end++) {
        size_t free = free_bits(end ? from_end : &whole->p);
        if (free < DEEP + 16) continue;
        size_t bits = free - 16;
        gz_int last = gz_int_shift_up(arena, gz_int_from(arena, 1), bits);
        gz_int start = end ? gz_int_subtract(arena, last, gz_int_from(arena, 2)) : gz_int_zero();
        if (jump(search, whole, bits, start)) return true;
    }
    return false;
}

/* Takes the ends of a root's interval inwards where p vanishes there, past none but them. */
static void leave_ends(gz_arena *arena, gz_root *root, const gz_poly *p, const gz_poly *from_end) {
    const gz_int length = gz_int_subtract(arena, root->high.n, root->low.n);
    if (p->c[0].size == 0) {
        size_t bits = free_bits(p);
        root->low.n = gz_int_add(arena, gz_int_shift_up(arena, root->low.n, bits), length);
        root->low.exponent += bits;
    }
    if (from_end->c[0].size == 0) {
        size_t bits = free_bits(from_end);
        root->high.n = gz_int_subtract(arena, gz_int_shift_up(arena, root->high.n, bits), length);
        root->high.exponent += bits;
    }
}

static void emit(isolation *search, const piece *found, const gz_poly *from_end) {
    gz_root *root = &search->roots[search->count++];
    *root =
        (gz_root){.low = {found->k, found->depth}, .high = {found->k, found->depth}, .exact = true, .local.degree = -1};
    if (found->variations == 0) return;
    root->exact = false;
    root->parts = 16;
    gz_int length = gz_int_shift_up(search->arena, gz_int_from(search->arena, 1), found->doublings);
    root->high.n = gz_int_add(search->arena, found->k, length);
    int first = 0;
    while (found->p.c[first].size == 0) first++;
    root->before = gz_int_sign(found->p.c[first]);
    if (found->depth >= DEEP) {
        root->local = found->p;
        root->start = found->k;
        root->depth = found->depth;
        root->doublings = found->doublings;
    }
    leave_ends(search->arena, root, &found->p, from_end);
}

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

int gz_roots_isolate(gz_arena *arena, const gz_poly *p, gz_root roots[GZ_DEGREE]) {
    /* a root at 0 is not asked for */
    int zeros = 0;
    while (p->c[zeros].size == 0) zeros++;
    gz_poly stripped = {.degree = p->degree - zeros};
    for (int k = 0; k <= stripped.degree; k++) stripped.c[k] = p->c[k + zeros];
    int changes = variations(arena, &stripped);
    gz_dyadic one = {gz_int_from(arena, 1), 0};
    bool at_one = gz_poly_sign(arena, &stripped, one) == 0;
    if (changes > 1) {
        /* only simple roots can be told apart by bisection */
        gz_poly free;
        if (gz_poly_square_free(arena, &stripped, &free)) {
            stripped = free;
            changes = variations(arena, &stripped);
        }
    }
    isolation search = {.arena = arena, .base = gz_arena_mark(arena), .roots = roots};
    if (changes) search.pieces[search.pending++] = (piece){.p = stripped, .variations = changes};
    while (search.pending) {
        piece next = search.pieces[--search.pending];
        if (next.variations > 1) {
            divide(&search, &next);
        } else {
            gz_poly from_end = next.p;
            shift_by_one(arena, &from_end);
            if (next.variations == 0 || !approach(&search, &next, &from_end)) emit(&search, &next, &from_end);
        }
        if (search.pending) compact(&search);
    }
    for (int i = 0; i < search.count; i++) {
        gz_root *root = &roots[i];
        root->of = p;
        root->p = stripped;
        if (root->local.degree < 0) root->local = stripped;
    }
    if (at_one)
        roots[search.count++] = (gz_root){
            .of = p, .p = stripped, .low = one, .high = one, .exact = true, .bracketed = true, .below = 1, .above = 1};
    return search.count;
}

/* ---- narrowing ---- */

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
    double low = nearly(root->low.n, (int64_t)root->low.exponent), c[GZ_DEGREE + 1];
    double high = nearly(root->high.n, (int64_t)root->high.exponent);
    if (root->exact) return low;
    const gz_poly *p = &root->p;
    nearly_all(p, c);
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

/* Whether q, not zero, vanishes at a root that is not exact. p has no other root in [low, high] and none at its ends,
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

/* Of a root that is exact, `bits` bits are taken; of another, what its interval is worth. */
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
    if (gz_int_sign(below[0]) > 0) {
        if (gz_int_sign(above[0]) > 0) value[0] = quotient(above[0], below[1], scale) * (1 - 0x1p-49) - 0x1p-1074;
        value[1] = 0;
        if (gz_int_sign(above[1]) > 0) value[1] = quotient(above[1], below[0], scale) * (1 + 0x1p-49) + 0x1p-1074;
    }
    clamp(value);
    gz_arena_release(arena, mark);
}

bool gz_enclose_quotient(double a, double a_error, double b, double b_error, double scale, double value[2]) {
    if (b <= 2 * b_error) return false;
    /* each bound is rounded four times */
    value[0] = scale * ((a - a_error) / (b + b_error)) * (1 - 0x1p-50) - 0x1p-1074;
    value[1] = scale * ((a + a_error) / (b - b_error)) * (1 + 0x1p-50) + 0x1p-1074;
    clamp(value);
    return value[1] - value[0] < 0x1p-40;
}

/* The same in doubles; false when that is not narrow enough. */
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
