/* Bernstein sign classification: roots of the coplanarity cubic f are told apart by the signs of its coefficients, and
   whether the primitives meet at a root by the signs of low-order polynomials at chosen points; no root is computed and
   every sign is exact, in integers (Tang, Tong, Wang and Manocha 2014).
   The classification needs a cubic that curves one way only. Where f has an inflection the method reports a collision:
   the curve would have to be split at a point that is not known exactly. */
#include "compared/narrow/root_parity.h"
#include "exact/arena.h"

#include <math.h>

/* f on [0, 1], concave there: f'' ≤ 0. It has at most one root where it rises and one where it falls; at a double root
   they are the same. */
typedef struct curve {
    gz_arena *arena;
    gz_poly f, slope;
    int start, end; /* signs of f at 0 and 1 */
} curve;

typedef enum branch { RISING, FALLING } branch;

static gz_int coefficient(const gz_poly *p, int k) { return k <= p->degree ? p->c[k] : gz_int_zero(); }

static void trim(gz_poly *p) {
    while (p->degree >= 0 && gz_int_sign(p->c[p->degree]) == 0) p->degree--;
}

/* Sign of p at over / under, under > 0. */
static int sign_at(gz_arena *arena, const gz_poly *p, gz_int over, gz_int under) {
    if (p->degree < 0) return 0;
    gz_int value = p->c[p->degree], power = under;
    for (int k = p->degree - 1; k >= 0; k--) {
        gz_product terms[2] = {{value, over, false}, {p->c[k], power, false}};
        value = gz_int_sum_of_products(arena, terms, 2);
        if (k > 0) power = gz_int_multiply(arena, power, under);
    }
    return gz_int_sign(value);
}

/* p(t) with t = (m / 2^shift)·s, times 2^(shift·degree): a polynomial in s. */
static void rescale_time(gz_arena *arena, gz_poly *p, gz_int m, size_t shift) {
    gz_int power = gz_int_from(arena, 1);
    for (int k = 0; k <= p->degree; k++) {
        gz_int scaled = gz_int_multiply(arena, p->c[k], power);
        p->c[k] = gz_int_shift_up(arena, scaled, shift * (size_t)(p->degree - k));
        power = gz_int_multiply(arena, power, m);
    }
}

/* scale·a = quotient·b + rest with some scale > 0 and a rest of lower degree than b, which is not 0. */
static void divide(gz_arena *arena, const gz_poly *a, const gz_poly *b, gz_poly *quotient, gz_poly *rest) {
    bool negative = gz_int_sign(b->c[b->degree]) < 0;
    gz_int lead = negative ? gz_int_negative(b->c[b->degree]) : b->c[b->degree];
    *rest = *a;
    *quotient = (gz_poly){.degree = a->degree >= b->degree ? a->degree - b->degree : -1};
    while (rest->degree >= b->degree) {
        int shift = rest->degree - b->degree;
        gz_int top = rest->c[rest->degree];
        if (negative) top = gz_int_negative(top);
        for (int k = 0; k <= quotient->degree; k++) quotient->c[k] = gz_int_multiply(arena, quotient->c[k], lead);
        quotient->c[shift] = gz_int_add(arena, quotient->c[shift], top);
        for (int k = 0; k < rest->degree; k++) {
            gz_product terms[2] = {{rest->c[k], lead, false}, {gz_int_zero(), gz_int_zero(), true}};
            if (k >= shift) terms[1] = (gz_product){b->c[k - shift], top, true};
            rest->c[k] = gz_int_sum_of_products(arena, terms, 2);
        }
        rest->degree--;
        trim(rest);
    }
    trim(quotient);
}

/* −1, 0 or 1 as the point over / under in (0, 1) is before, at or after the root on a branch. */
static int side_of_root(const curve *c, branch on, gz_int over, gz_int under) {
    int value = sign_at(c->arena, &c->f, over, under);
    if (value == 0) {
        int slope = sign_at(c->arena, &c->slope, over, under);
        if (slope == 0 || (slope > 0) == (on == RISING)) return 0;
        return slope > 0 ? -1 : 1; /* the other branch's root */
    }
    if (value > 0) return on == RISING ? 1 : -1;
    return sign_at(c->arena, &c->slope, over, under) > 0 ? -1 : 1;
}

/* Sign of a linear polynomial at the root on a branch. `point` gets its zero where that is in [0, 1]. */
static int linear_sign(const curve *c, branch on, const gz_poly *line, gz_int point[2]) {
    if (line->degree < 1) return line->degree < 0 ? 0 : gz_int_sign(line->c[0]);
    int rise = gz_int_sign(line->c[1]);
    gz_int over = rise > 0 ? gz_int_negative(line->c[0]) : line->c[0];
    gz_int under = rise > 0 ? line->c[1] : gz_int_negative(line->c[1]);
    /* its zero before 0 or after 1: the root, in [0, 1], is on the other side */
    if (gz_int_sign(over) < 0) return rise;
    if (gz_int_compare(over, under) > 0) return -rise;
    point[0] = over, point[1] = under;
    return -rise * side_of_root(c, on, over, under);
}

/* Sign of g at the root on a branch: g is reduced by f to a quadratic h, and f to L·h + K with L and K linear; where f
   is 0, L·h = −K. */
static int sign_at_root(const curve *c, branch on, const gz_poly *g) {
    gz_poly quotient, h, line, rest;
    gz_int point[2];
    divide(c->arena, g, &c->f, &quotient, &h);
    if (h.degree < 2) return linear_sign(c, on, &h, point);
    divide(c->arena, &c->f, &h, &line, &rest);
    int along = linear_sign(c, on, &line, point);
    if (along == 0 && line.degree == 1) return sign_at(c->arena, &h, point[0], point[1]); /* the root itself */
    int across = linear_sign(c, on, &rest, point);
    return -across * along;
}

/* True if f reaches 0 between two negative ends: at its top, where f' = 0, f is the rest of f by f'. */
static bool reaches_zero(const curve *c) {
    gz_int zero = gz_int_zero(), one = gz_int_from(c->arena, 1);
    if (sign_at(c->arena, &c->slope, zero, one) <= 0 || sign_at(c->arena, &c->slope, one, one) >= 0) return false;
    gz_poly quotient, rest;
    divide(c->arena, &c->f, &c->slope, &quotient, &rest);
    if (rest.degree < 1) return rest.degree < 0 || gz_int_sign(rest.c[0]) >= 0;
    int rise = gz_int_sign(rest.c[1]);
    gz_int over = rise > 0 ? gz_int_negative(rest.c[0]) : rest.c[0];
    gz_int under = rise > 0 ? rest.c[1] : gz_int_negative(rest.c[1]);
    if (gz_int_sign(over) < 0) return rise > 0;
    if (gz_int_compare(over, under) > 0) return rise < 0;
    return rise * sign_at(c->arena, &c->slope, over, under) >= 0; /* a positive slope there: the top comes after */
}

static bool inside_at_root(const curve *c, branch on, const gz_poly *inside, int count) {
    for (int i = 0; i < count; i++)
        if (sign_at_root(c, on, &inside[i]) < 0) return false;
    return true;
}

static bool inside_at_end(gz_arena *arena, const gz_poly *inside, int count, int64_t t) {
    for (int i = 0; i < count; i++)
        if (sign_at(arena, &inside[i], gz_int_from(arena, t), gz_int_from(arena, 1)) < 0) return false;
    return true;
}

/* True if a curve without inflection has a root at which the primitives meet. */
static bool meets(const curve *c, const gz_poly *inside, int count) {
    if (c->start == 0 && inside_at_end(c->arena, inside, count, 0)) return true;
    if (c->end == 0 && inside_at_end(c->arena, inside, count, 1)) return true;
    bool up = c->start >= 0 || c->end >= 0 || reaches_zero(c);
    if (!up) return false;
    if (c->start < 0 && inside_at_root(c, RISING, inside, count)) return true;
    return c->end < 0 && inside_at_root(c, FALLING, inside, count);
}

static bool collides(gz_arena *arena, const gz_narrow_call *call, const graze_query *query) {
    gz_pair pair;
    gz_pair_load(&pair, arena, call->kind, query, 0);
    if (gz_poly_is_zero(&pair.f)) {
        /* always coplanar: a contact, if there is one, begins on the boundary of the domain */
        gz_parity_exact exact;
        gz_parity_exact_load(&exact, arena, call->kind, query, call->question.t_max);
        return gz_parity_contact(call->kind, &gz_parity_exact_signs, &exact);
    }
    gz_pair_make_inside(&pair);
    if (call->question.t_max < 1) {
        int exponent;
        gz_int m = gz_int_from(arena, (int64_t)(frexp(call->question.t_max, &exponent) * 0x1p53));
        rescale_time(arena, &pair.f, m, (size_t)(53 - exponent));
        for (int i = 0; i < pair.inside_count; i++) rescale_time(arena, &pair.inside[i], m, (size_t)(53 - exponent));
    }

    /* three times the Bernstein coefficients */
    gz_int c[4], three = gz_int_from(arena, 3);
    for (int k = 0; k < 4; k++) c[k] = coefficient(&pair.f, k);
    gz_int c0 = gz_int_multiply(arena, c[0], three), first = gz_int_add(arena, c0, c[1]);
    gz_int second = gz_int_add(arena, gz_int_add(arena, first, c[1]), c[2]);
    gz_int total = gz_int_add(arena, gz_int_add(arena, c[0], c[1]), gz_int_add(arena, c[2], c[3]));
    int signs[4] = {gz_int_sign(c0), gz_int_sign(first), gz_int_sign(second), gz_int_sign(total)};
    if (signs[0] && signs[0] == signs[1] && signs[0] == signs[2] && signs[0] == signs[3]) return false;

    /* f''/2 at both ends */
    int bend0 = gz_int_sign(c[2]);
    int bend1 = gz_int_sign(gz_int_add(arena, c[2], gz_int_multiply(arena, c[3], three)));
    if (bend0 * bend1 < 0) return true;
    curve bent = {.arena = arena, .f = pair.f, .start = signs[0], .end = signs[3]};
    if (bend0 > 0 || bend1 > 0) {
        for (int k = 0; k <= bent.f.degree; k++) bent.f.c[k] = gz_int_negative(bent.f.c[k]);
        bent.start = -bent.start, bent.end = -bent.end;
    }
    gz_poly_derivative(arena, &bent.f, &bent.slope);
    return meets(&bent, pair.inside, pair.inside_count);
}

typedef struct question {
    const gz_narrow_call *call;
    const graze_query *query;
    bool contact;
} question;

static void decide(void *state, gz_arena *arena) {
    question *q = state;
    q->contact = collides(arena, q->call, q->query);
}

static void solve(const gz_narrow_call *call, const graze_query *query, graze_result *result) {
    question q = {.call = call, .query = query};
    bool decided = gz_with_arena((gz_arena_home){.context = call->context, .worker = call->worker}, decide, &q);
    result->checks = 1;
    call->counts->checks++;
    call->counts->oracle_calls++;
    if (!decided)
        result->reason = GRAZE_REASON_MEMORY;
    else if (q.contact)
        result->verdict = GRAZE_HIT;
    else
        gz_result_clear(result, call->question.t_max);
}

const gz_method gz_method_bsc = {
    .info = {.method = GRAZE_METHOD_BSC,
             .name = "bsc",
             .summary = "Bernstein sign classification; an inflection is reported as a collision",
             .available = 1,
             .kinds = 1u << GRAZE_VF | 1u << GRAZE_EE},
    .solve = solve,
    .no_separation = 1,
};
