/* Root isolation: Descartes' rule on pieces of [0, 1] (Vincent, Collins, Akritas), which are halved, or left at once
   for the part of them that holds all their roots. docs/numerics.md, section 5. */
#include "exact/roots.h"

#include <math.h>
#include <string.h>

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

/* Sign changes of the coefficients of (x + 1)^n·p(1 / (x + 1)), from p's coefficients divided by 2^cut; −1 when that
   leaves a sign open. Each is a sum of p's times binomials, which add up to 2^8 at most, so cutting costs less than
   2^8. */
static int variations_cut(gz_arena *arena, const gz_poly *p, size_t cut) {
    size_t mark = gz_arena_mark(arena);
    gz_poly q = {.degree = p->degree};
    for (int k = 0; k <= p->degree; k++) {
        gz_int c = p->c[p->degree - k];
        q.c[k] = cut ? gz_int_shift_down(arena, c, cut) : c;
    }
    shift_by_one(arena, &q);
    gz_arena_release(arena, mark);
    int count = 0, last = 0;
    for (int k = 0; k <= q.degree; k++) {
        if (cut && gz_int_bits(q.c[k]) <= 8) return -1;
        int sign = gz_int_sign(q.c[k]);
        count += sign * last < 0;
        if (sign) last = sign;
    }
    return count;
}

/* 0 means no root in (0, 1), 1 means one simple root. */
static int variations(gz_arena *arena, const gz_poly *p) {
    size_t bits = gz_poly_bits(p);
    int count = bits > 1024 ? variations_cut(arena, p, bits - 256) : -1;
    return count >= 0 ? count : variations_cut(arena, p, 0);
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

/* A place in [0, 1] where many roots may lie close together, about 2^-bits from it. */
typedef struct cluster {
    double at;
    int bits;
    bool drowned; /* that is what rounding lets see; they may be far closer */
} cluster;

/* `count` roots of p that lie close together surround a simple root of its derivative of order count − 1, which
   Newton's method finds in doubles; there p is about the product of the distances to them. A guess, no more. */
static cluster guess_cluster(const gz_poly *p, int count) {
    double c[GZ_DEGREE + 1], taylor[GZ_DEGREE + 1], size = 0;
    gz_poly_nearly(p, c);
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
    return (cluster){at, -ilogb(fmax(fmin(product, 1), 0x1p-1000)) / count, fabs(value) <= 4 * noise};
}

/* Goes on to what seems to surround the roots; false when that did not work. Tries no finer than the place is known,
   as fine as the distance seems, and all that is not much farther from 0; with some room, for Descartes' rule is blind
   to what is near the end of a piece. */
static bool jump_to(isolation *search, const piece *whole, cluster near) {
    int zero = near.at > 0 ? -ilogb(near.at) : 1000, finest = 48 + zero;
    const int tries[3] = {near.drowned ? finest : 0, near.bits - 3 < finest ? near.bits - 3 : finest, zero - 8};
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
