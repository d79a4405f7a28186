/* The proof of one pair, piece by piece. */
#include "verify/decide.h"
#include "verify/witness.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static bool refuse(char *reason, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool refuse(char *reason, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(reason, VERIFY_TEXT, format, list);
    va_end(list);
    return false;
}

/* ---- directions ---- */

/* A direction's length does not matter: any multiple that has integers. */
static void set_direction(mpz_t n[3], const double direction[3]) {
    int least = INT16_MAX;
    for (int c = 0; c < 3; c++) {
        int exponent;
        frexp(direction[c], &exponent);
        if (direction[c] != 0 && exponent < least) least = exponent;
    }
    for (int c = 0; c < 3; c++) {
        int exponent;
        double part = frexp(direction[c], &exponent);
        mpz_set_d(n[c], ldexp(part, 53));
        if (direction[c] != 0) mpz_mul_2exp(n[c], n[c], (mp_bitcnt_t)(exponent - least));
    }
}

/* start (1 - t) + end t > 0, and its square > length2: a dot product against separation * |n| */
static bool is_ahead(const mpz_t start, const mpz_t end, const dyadic *t, const mpz_t length2) {
    mpz_t value, rest;
    mpz_inits(value, rest, NULL);
    mpz_set_ui(rest, 1);
    mpz_mul_2exp(rest, rest, t->shift);
    mpz_sub(rest, rest, t->n);
    mpz_mul(value, start, rest);
    mpz_addmul(value, end, t->n); /* times 2^shift */
    bool ahead = mpz_sgn(value) > 0;
    if (ahead && mpz_sgn(length2) != 0) {
        mpz_mul(value, value, value);
        mpz_mul_2exp(rest, length2, 2 * t->shift);
        ahead = mpz_cmp(value, rest) > 0;
    }
    mpz_clears(value, rest, NULL);
    return ahead;
}

/* A minimum of linear functions that is above a bound at both ends is above it in between. */
static bool direction_separates(const integers *in, verify_kind kind, const double direction[3], const dyadic *a,
                                const dyadic *b) {
    mpz_t n[3], start, end, square, length2, w;
    mpz_inits(n[0], n[1], n[2], start, end, square, length2, w, NULL);
    set_direction(n, direction);
    for (int c = 0; c < 3; c++) mpz_addmul(square, n[c], n[c]);
    bool apart = true;
    int rows_a = verify_rows_a(kind), rows = verify_rows(kind);
    for (int i = 0; apart && i < rows_a; i++)
        for (int j = rows_a; apart && j < rows; j++) {
            mpz_add(w, in->separation, in->radii[i]);
            mpz_add(w, w, in->radii[j]);
            mpz_mul(length2, w, w);
            mpz_mul(length2, length2, square);
            mpz_set_ui(start, 0);
            mpz_set_ui(end, 0);
            for (int c = 0; c < 3; c++) {
                mpz_sub(w, in->x[0][j][c], in->x[0][i][c]);
                mpz_addmul(start, w, n[c]);
                mpz_sub(w, in->x[1][j][c], in->x[1][i][c]);
                mpz_addmul(end, w, n[c]);
            }
            apart = is_ahead(start, end, a, length2) && is_ahead(start, end, b, length2);
        }
    mpz_clears(n[0], n[1], n[2], start, end, square, length2, w, NULL);
    return apart;
}

/* ---- one pair ---- */

typedef struct checker {
    const verify_pair *pair;
    integers in;
    features all; /* made when first needed */
    bool made;
    double work; /* the most that is allowed */
} checker;

static const features *features_of(checker *c) {
    if (!c->made) features_init(&c->all, c->pair, false);
    c->made = true;
    return &c->all;
}

static bool check_piece(checker *c, size_t k, bool closed, const dyadic *a, const dyadic *b, char *reason) {
    const verify_pair *pair = c->pair;
    const verify_piece *piece = &pair->free[k];
    if (piece->proof == VERIFY_DIRECTION) {
        if (direction_separates(&c->in, pair->kind, piece->n, a, b)) return true;
        return refuse(reason, "piece %zu: its direction does not separate the pair on [%.17g, %.17g]", k, piece->t0,
                      piece->t1);
    }
    if (piece->proof == VERIFY_VOLUME) {
        if (pair->kind != VERIFY_VF && pair->kind != VERIFY_EE)
            return refuse(reason, "piece %zu: a pair of this kind has no volume", k);
        if (poly_work() > c->work) return refuse(reason, "piece %zu: too much work", k);
        if (feature_is_apart(&features_of(c)->list[0], a, b)) return true;
        return refuse(reason, "piece %zu: the volume does not stay away from zero on [%.17g, %.17g]", k, piece->t0,
                      piece->t1);
    }
    decision touches = features_touch_in(features_of(c), a, b, closed, c->work);
    if (touches == DECIDED_NO) return true;
    if (touches == DECIDED_YES)
        return refuse(reason, "piece %zu: the pair touches within [%.17g, %.17g]", k, piece->t0, piece->t1);
    return refuse(reason, "piece %zu: [%.17g, %.17g] is too hard to decide", k, piece->t0, piece->t1);
}

static bool check_free(checker *c, char *reason) {
    const verify_pair *pair = c->pair;
    double reached = 0;
    bool clear = pair->verdict == VERIFY_CLEAR, good = true;
    dyadic a, b;
    dyadic_init(&a);
    dyadic_init(&b);
    for (size_t k = 0; good && k < pair->free_count; k++) {
        const verify_piece *piece = &pair->free[k];
        if (piece->t0 != reached)
            good =
                refuse(reason, "piece %zu begins at %.17g, but what is before it ends at %.17g", k, piece->t0, reached);
        else if (!(piece->t1 > piece->t0))
            good = refuse(reason, "piece %zu ends at %.17g, where it begins", k, piece->t1);
        if (!good) break;
        reached = piece->t1;
        dyadic_set_double(&a, piece->t0);
        dyadic_set_double(&b, piece->t1);
        good = check_piece(c, k, clear && k + 1 == pair->free_count, &a, &b, reason);
    }
    dyadic_clear(&a);
    dyadic_clear(&b);
    if (good && reached != pair->toi)
        good = refuse(reason, "the pieces end at %.17g, not at toi, %.17g", reached, pair->toi);
    return good;
}

static bool contact_holds(checker *c, verify_contact proof) {
    dyadic a, b;
    dyadic_init(&a);
    dyadic_init(&b);
    dyadic_set_double(&a, c->pair->toi);
    dyadic_set_double(&b, c->pair->toi_upper);
    bool holds = false;
    if (proof == VERIFY_WITNESS)
        holds = witness_holds(&c->in, c->pair->kind, c->pair->at, &b);
    else if (!c->in.uniform)
        holds = false; /* the features are wider than the pair is */
    else if (proof == VERIFY_CROSSING)
        holds = (c->pair->kind == VERIFY_VF || c->pair->kind == VERIFY_EE) &&
                feature_crosses(&features_of(c)->list[0], &a, &b);
    else if (proof == VERIFY_TOUCHING)
        holds = features_touch_at(features_of(c), &b);
    else if (proof == VERIFY_CONTACT_DECIDED)
        holds = features_touch_in(features_of(c), &a, &b, true, c->work) == DECIDED_YES;
    dyadic_clear(&a);
    dyadic_clear(&b);
    return holds;
}

static checker begin(const verify_pair *pair) {
    checker c = {.pair = pair, .work = VERIFY_WORK_PAIR + VERIFY_WORK_PIECE * (double)pair->free_count};
    poly_work_begin();
    integers_init(&c.in, pair);
    return c;
}

static void end(checker *c) {
    integers_clear(&c->in);
    if (c->made) features_clear(&c->all);
}

bool verify_check(const verify_pair *pair, char reason[VERIFY_TEXT]) {
    bool bounded = pair->toi_upper != INFINITY, claims = pair->contact != VERIFY_NO_CONTACT;
    if (pair->verdict == VERIFY_CLEAR && pair->toi != pair->t_max)
        return refuse(reason, "clear, but toi is %.17g and t_max %.17g", pair->toi, pair->t_max);
    if (pair->verdict != VERIFY_HIT && (bounded || claims))
        return refuse(reason, "a contact is claimed, but the verdict is not hit");
    if (bounded != claims) return refuse(reason, "toi_upper needs a proof of the contact, and a proof toi_upper");
    if (bounded && !(pair->toi <= pair->toi_upper && pair->toi_upper <= pair->t_max))
        return refuse(reason, "toi_upper is %.17g: not between toi, %.17g, and t_max", pair->toi_upper, pair->toi);
    if (pair->verdict != VERIFY_CLEAR && !bounded && !(pair->toi < pair->t_max))
        return refuse(reason, "toi is t_max, and no contact is proven: the verdict must be clear");
    checker c = begin(pair);
    bool good = check_free(&c, reason);
    if (good && claims && !contact_holds(&c, pair->contact))
        good = refuse(reason, "%s in [%.17g, %.17g]",
                      pair->contact == VERIFY_CROSSING   ? "the volume does not cross zero with the contact inside"
                      : pair->contact == VERIFY_TOUCHING ? "the pair does not touch at the later time"
                      : pair->contact == VERIFY_WITNESS  ? "the two points are not close enough at the later time"
                                                         : "no contact is found",
                      pair->toi, pair->toi_upper);
    end(&c);
    return good;
}

verify_contact verify_find_contact(verify_pair *pair) {
    static const verify_contact order[] = {VERIFY_CROSSING, VERIFY_TOUCHING, VERIFY_CONTACT_DECIDED, VERIFY_WITNESS};
    checker c = begin(pair);
    verify_contact found = VERIFY_NO_CONTACT;
    for (int i = 0; !found && i < 4; i++) {
        if (order[i] == VERIFY_WITNESS) witness_guess(pair, pair->at);
        if (contact_holds(&c, order[i])) found = order[i];
    }
    end(&c);
    return found;
}
