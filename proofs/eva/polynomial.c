/* polynomial.c for Eva: a polynomial is made, and its degree is any. */
#include "verify/polynomial.h"
#include "__fc_builtin.h"
void poly_work_begin(void) {}
double poly_work(void) { return Frama_C_double_interval(0, 0x1p40); }
void dyadic_init(dyadic *t) {
    mpz_init(t->n);
    t->shift = 0;
}
void dyadic_clear(dyadic *t) { mpz_clear(t->n); }
void dyadic_set_double(dyadic *t, double x) {
    /*@ assert not_negative: x >= 0; */
    number_take(t->n);
    t->shift = Frama_C_unsigned_long_interval(0, 1126);
}
void dyadic_middle(dyadic *t, const dyadic *a, const dyadic *b) {
    number_set2(t->n, a->n, b->n);
    t->shift = Frama_C_unsigned_long_interval(0, 0x10000);
}
void poly_init(poly *p) {
    for (int i = 0; i < POLY_TERMS; i++) number_init(p->c[i]);
    p->degree = -1;
}
static void take(const poly *p) {
    for (int i = 0; i < POLY_TERMS; i++) {
        /*@ assert coefficient_is_made: p->c[i]->made == 1; */
    }
    /*@ assert degree_fits: -1 <= p->degree < POLY_TERMS; */
}
void poly_clear(poly *p) {
    take(p);
    for (int i = 0; i < POLY_TERMS; i++) p->c[i]->made = 0;
}
static void put(poly *p) {
    take(p);
    p->degree = Frama_C_interval(-1, POLY_TERMS - 1);
}
void poly_copy(poly *p, const poly *a) { take(a), put(p); }
void poly_set_constant(poly *p, long value) { (void)value, put(p); }
void poly_set_line(poly *p, const mpz_t start, const mpz_t end) { number_take(start), number_take(end), put(p); }
void poly_add(poly *p, const poly *a, const poly *b) { take(a), take(b), put(p); }
void poly_sub(poly *p, const poly *a, const poly *b) { take(a), take(b), put(p); }
void poly_mul(poly *p, const poly *a, const poly *b) { take(a), take(b), put(p); }
void poly_scale(poly *p, const poly *a, const mpz_t factor) { take(a), number_take(factor), put(p); }
int poly_sign_at(const poly *p, const dyadic *t) { return take(p), number_sign(t->n); }
void poly_gcd(poly *p, const poly *a, const poly *b) { take(a), take(b), put(p); }
void poly_other_roots(poly *p, const poly *a, const poly *b) { take(a), take(b), put(p); }
void poly_simple_roots(poly *p, const poly *a) { take(a), put(p); }
void poly_drop_root(poly *a, const dyadic *t) { number_take(t->n), put(a); }
void sturm_init(sturm *s, const poly *p) {
    take(p);
    s->count = Frama_C_interval(1, POLY_TERMS);
    for (int i = 0; i < POLY_TERMS; i++) poly_init(&s->terms[i]);
}
void sturm_clear(sturm *s) {
    for (int i = 0; i < POLY_TERMS; i++) poly_clear(&s->terms[i]);
}
int sturm_count(const sturm *s, const dyadic *a, const dyadic *b) {
    number_take(a->n), number_take(b->n), take(&s->terms[0]);
    return Frama_C_interval(-POLY_TERMS, POLY_TERMS);
}
int poly_has_root(const poly *p, const dyadic *a, const dyadic *b) {
    take(p), number_take(a->n), number_take(b->n);
    return Frama_C_interval(0, 1);
}
