/* enclosure.c for Eva: an enclosure is made, and of any number of terms. */
#include "verify/enclosure.h"
#include "__fc_builtin.h"
static void take(const enclosure *f) {
    /*@ assert terms_fit: 0 <= f->terms <= ENCLOSURE_TERMS; */
    for (int k = 0; k < ENCLOSURE_TERMS; k++) number_take(f->c[k]);
    number_take(f->r);
}
static void put(enclosure *f) {
    take(f);
    f->terms = Frama_C_interval(0, ENCLOSURE_TERMS);
}
static void put_number(enclosure *f) {
    take(f);
    f->terms = 1;
}
bool fixed_floor(mpz_t n, double x, int exponent) {
    number_set_double(n, x);
    (void)exponent;
    return Frama_C_interval(0, 1);
}
void enclosure_init(enclosure *f) {
    f->terms = 0;
    for (int k = 0; k < ENCLOSURE_TERMS; k++) number_init(f->c[k]);
    number_init(f->r);
}
void enclosure_clear(enclosure *f) {
    for (int k = 0; k < ENCLOSURE_TERMS; k++) number_clear(f->c[k]);
    number_clear(f->r);
}
void enclosure_init_all(enclosure *f, int count) {
    for (int i = 0; i < count; i++) enclosure_init(&f[i]);
}
void enclosure_clear_all(enclosure *f, int count) {
    for (int i = 0; i < count; i++) enclosure_clear(&f[i]);
}
void enclosure_copy(enclosure *f, const enclosure *a) {
    take(f), take(a);
    f->terms = a->terms;
}
void enclosure_set_whole(enclosure *f, long value) { (void)value, put_number(f); }
void enclosure_set_double(enclosure *f, double x, int exponent) {
    (void)exponent, number_set_double(f->r, x), put_number(f);
}
void enclosure_add(enclosure *f, const enclosure *a, const enclosure *b) { take(a), take(b), put(f); }
void enclosure_sub(enclosure *f, const enclosure *a, const enclosure *b) { take(a), take(b), put(f); }
void enclosure_scale(enclosure *f, const enclosure *a, const mpz_t factor) { take(a), number_take(factor), put(f); }
void enclosure_scale_long(enclosure *f, const enclosure *a, long factor) { (void)factor, take(a), put(f); }
void enclosure_divide_long(enclosure *f, const enclosure *a, unsigned long divisor) {
    /*@ assert divides: divisor > 0; */
    take(a), put(f);
}
void enclosure_shift(enclosure *f, const enclosure *a, long bits) {
    /*@ assert can_be_turned: bits > -0x7fffffff; */
    take(a), put(f);
}
void enclosure_mul(enclosure *f, const enclosure *a, const enclosure *b) {
    /*@ assert not_in_place: f != a && f != b; */
    take(a), take(b), put(f);
}
void enclosure_add_mul(enclosure *f, const enclosure *a, const enclosure *b) { take(a), take(b), put(f); }
void enclosure_most(mpz_t most, const enclosure *a) { number_take(most), take(a); }
bool enclosure_sqrt(enclosure *f, const enclosure *a) {
    take(a), put_number(f);
    return Frama_C_interval(0, 1);
}
bool enclosure_divide(enclosure *f, const enclosure *a, const enclosure *b) {
    take(a), take(b), put_number(f);
    return Frama_C_interval(0, 1);
}
void enclosure_sine(enclosure *sine, enclosure *cosine, const enclosure *angle) { take(angle), put(sine), put(cosine); }
