/* Why looking at the features is enough. The closest points of two primitives lie on a pair of features, inside both,
   and a feature whose closest points are inside is never closer than the primitives: so at a single time the pair is
   within the separation exactly when a feature with extent is. Over time, a first contact after the start is at the
   separation exactly, so it is a root of `excess` of some feature. Where that polynomial is zero throughout, the pair
   has moved along the feature's boundary of contact, and what begins there begins on a smaller feature:
   docs/certificates.md. */
#include "verify/decide.h"

/* Bisection goes as deep as this. A time in double has 1074 bits; roots that are closer than that are not told apart.
 */
#define MAX_SPLITS 6000

bool features_touch_at(const features *all, const dyadic *t) {
    for (int k = 0; k < all->count; k++) {
        const feature *f = &all->list[k];
        int excess = poly_sign_at(&f->excess, t);
        if (f->plain ? excess != 0 : excess > 0) continue;
        if (poly_sign_at(&f->extent, t) <= 0) continue;
        bool inside = true;
        for (int i = 0; inside && i < f->inside_count; i++) inside = poly_sign_at(&f->inside[i], t) >= 0;
        if (inside) return true;
    }
    return false;
}

/* Roots of one feature's excess, and the conditions at them. */
typedef struct search {
    sturm roots;
    int count;         /* of conditions */
    sturm shared[4];   /* roots at which the condition is zero, and so holds */
    sturm turns[4];    /* roots of the condition */
    const poly *of[4]; /* the condition: >= 0 */
    int splits;        /* left */
    double limit;      /* of the work */
} search;

/* True if a root in (a, b] satisfies all conditions. */
static decision look(search *s, const dyadic *a, const dyadic *b) {
    int count = sturm_count(&s->roots, a, b);
    if (count == 0) return DECIDED_NO;
    bool known = count == 1;
    for (int i = 0; known && i < s->count; i++) {
        if (sturm_count(&s->shared[i], a, b) > 0) continue;
        if (sturm_count(&s->turns[i], a, b) > 0)
            known = false;
        else if (poly_sign_at(s->of[i], b) < 0) /* it has the same sign on all of (a, b] */
            return DECIDED_NO;
    }
    if (known) return DECIDED_YES;
    if (s->splits-- <= 0 || poly_work() > s->limit) return UNDECIDED;
    dyadic middle;
    dyadic_init(&middle);
    dyadic_middle(&middle, a, b);
    decision first = look(s, a, &middle);
    if (first == DECIDED_NO) first = look(s, &middle, b);
    dyadic_clear(&middle);
    return first;
}

static decision feature_touches(const feature *f, const dyadic *a, const dyadic *b, bool closed, double limit) {
    if (poly_work() > limit) return UNDECIDED;
    if (f->excess.degree < 0 || f->extent.degree < 0) return DECIDED_NO;
    poly roots, common;
    poly_init(&roots);
    poly_init(&common);
    poly_other_roots(&roots, &f->excess, &f->extent);
    if (!closed) poly_drop_root(&roots, b);
    search s = {.splits = MAX_SPLITS, .limit = limit};
    sturm_init(&s.roots, &roots);
    decision answer = DECIDED_NO;
    if (sturm_count(&s.roots, a, b) > 0) {
        for (int i = 0; i < f->inside_count; i++) {
            const poly *condition = &f->inside[i];
            if (condition->degree < 0) continue; /* zero throughout: holds */
            s.of[s.count] = condition;
            poly_gcd(&common, &roots, condition);
            sturm_init(&s.shared[s.count], &common);
            poly_simple_roots(&common, condition);
            sturm_init(&s.turns[s.count++], &common);
        }
        answer = look(&s, a, b);
    }
    for (int i = 0; i < s.count; i++) {
        sturm_clear(&s.shared[i]);
        sturm_clear(&s.turns[i]);
    }
    sturm_clear(&s.roots);
    poly_clear(&roots);
    poly_clear(&common);
    return answer;
}

decision features_touch_in(const features *all, const dyadic *a, const dyadic *b, bool closed, double limit) {
    if (features_touch_at(all, a)) return DECIDED_YES;
    decision answer = DECIDED_NO;
    for (int k = 0; k < all->count; k++) {
        decision one = feature_touches(&all->list[k], a, b, closed, limit);
        if (one == DECIDED_YES) return one;
        if (one == UNDECIDED) answer = one;
    }
    return answer;
}

bool feature_is_apart(const feature *f, const dyadic *a, const dyadic *b) {
    int start = poly_sign_at(&f->excess, a);
    if (f->plain ? start == 0 : start <= 0) return false;
    return !poly_has_root(&f->excess, a, b);
}

static bool stays_positive(const poly *p, const dyadic *a, const dyadic *b) {
    return poly_sign_at(p, a) > 0 && !poly_has_root(p, a, b);
}

bool feature_crosses(const feature *f, const dyadic *a, const dyadic *b) {
    if (!f->plain || poly_sign_at(&f->excess, a) * poly_sign_at(&f->excess, b) >= 0) return false;
    if (!stays_positive(&f->extent, a, b)) return false;
    for (int i = 0; i < f->inside_count; i++)
        if (!stays_positive(&f->inside[i], a, b)) return false;
    return true;
}
