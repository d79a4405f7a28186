#include "gmp.h"
#include "__fc_builtin.h"
void number_init(mpz_ptr x) { x->made = 1; }
void number_take(mpz_srcptr x) { /*@ assert number_is_made: x->made == 1; */
}
void number_clear(mpz_ptr x) {
    number_take(x);
    x->made = 0;
}
void number_init_all(mpz_ptr *list) {
    for (; *list; list++) number_init(*list);
}
void number_clear_all(mpz_ptr *list) {
    for (; *list; list++) number_clear(*list);
}
void number_put(mpz_ptr x) { number_take(x); }
void number_set(mpz_ptr x, mpz_srcptr a) {
    number_take(x);
    number_take(a);
}
void number_set2(mpz_ptr x, mpz_srcptr a, mpz_srcptr b) {
    number_take(x);
    number_take(a);
    number_take(b);
}
int number_sign(mpz_srcptr x) {
    number_take(x);
    return Frama_C_interval(-1, 1);
}
int number_compare(mpz_srcptr x, mpz_srcptr y) {
    number_take(x);
    number_take(y);
    return Frama_C_interval(-1, 1);
}
unsigned long number_count(mpz_srcptr x) {
    number_take(x);
    return Frama_C_unsigned_long_interval(0, 0x100000);
}
void number_set_double(mpz_ptr x, double d) {
    number_take(x);
    /*@ assert number_is_finite: \is_finite(d); */
}
double number_get(long *exponent, mpz_srcptr x) {
    number_take(x);
    *exponent = Frama_C_long_interval(-0x1000000, 0x1000000);
    return Frama_C_double_interval(-1, 1);
}
