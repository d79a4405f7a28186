/* GMP for Eva: a number is whether it is made, and its value is any. Bodies: gmp.c. */
#ifndef EVA_GMP_H
#define EVA_GMP_H
#include <stdbool.h>
#include <stddef.h>

typedef struct number {
    int made; /* 1 from init to clear */
} number;
typedef number mpz_t[1], mpq_t[1];
typedef number *mpz_ptr;
typedef const number *mpz_srcptr;
typedef unsigned long mp_bitcnt_t;

void number_init(mpz_ptr x);
void number_clear(mpz_ptr x);
void number_init_all(mpz_ptr *list);
void number_clear_all(mpz_ptr *list);
void number_take(mpz_srcptr x);           /* it is read */
void number_set(mpz_ptr x, mpz_srcptr a); /* from one */
void number_set2(mpz_ptr x, mpz_srcptr a, mpz_srcptr b);
void number_put(mpz_ptr x); /* from no number */
int number_sign(mpz_srcptr x);
int number_compare(mpz_srcptr x, mpz_srcptr y);
unsigned long number_count(mpz_srcptr x);
void number_set_double(mpz_ptr x, double d); /* finite */

#define mpz_init number_init
#define mpq_init number_init
#define mpz_clear number_clear
#define mpq_clear number_clear
#define mpz_inits(...) number_init_all((mpz_ptr[]){__VA_ARGS__})
#define mpq_inits(...) number_init_all((mpz_ptr[]){__VA_ARGS__})
#define mpz_clears(...) number_clear_all((mpz_ptr[]){__VA_ARGS__})
#define mpq_clears(...) number_clear_all((mpz_ptr[]){__VA_ARGS__})
#define mpz_set number_set
#define mpq_set number_set
#define mpq_set_z number_set
#define mpz_neg number_set
#define mpq_neg number_set
#define mpz_abs number_set
#define mpz_sqrt number_set
#define mpz_set_ui(x, u) ((void)(u), number_put(x))
#define mpz_set_si(x, u) ((void)(u), number_put(x))
#define mpq_set_ui(x, u, v) ((void)(u), (void)(v), number_put(x))
#define mpz_init_set_ui(x, u) (number_init(x), (void)(u))
#define mpz_init_set_si(x, u) (number_init(x), (void)(u))
#define mpz_init_set(x, a) (number_init(x), number_set(x, a))
#define mpz_set_d number_set_double
#define mpq_set_d number_set_double
#define mpz_add number_set2
#define mpq_add number_set2
#define mpz_sub number_set2
#define mpq_sub number_set2
#define mpz_mul number_set2
#define mpq_mul number_set2
#define mpz_gcd number_set2
#define mpz_divexact number_set2
#define mpz_cdiv_q number_set2
#define mpz_fdiv_q number_set2
#define mpz_addmul(x, a, b) (number_take(x), number_set2(x, a, b))
#define mpz_submul(x, a, b) (number_take(x), number_set2(x, a, b))
#define mpz_addmul_ui(x, a, u) (number_take(x), (void)(u), number_set(x, a))
#define mpz_submul_ui(x, a, u) (number_take(x), (void)(u), number_set(x, a))
#define number_set_ui(x, a, u) ((void)(u), number_set(x, a))
#define mpz_mul_ui number_set_ui
#define mpz_mul_si number_set_ui
#define mpz_mul_2exp number_set_ui
#define mpz_add_ui number_set_ui
#define mpz_sub_ui number_set_ui
#define mpz_pow_ui number_set_ui
#define mpz_fdiv_q_2exp number_set_ui
#define mpz_cdiv_q_2exp number_set_ui
#define mpz_tdiv_q_2exp number_set_ui
#define mpz_cdiv_q_ui number_set_ui
#define mpz_tdiv_q_ui number_set_ui
#define mpz_fdiv_q_ui number_set_ui
#define mpq_div_2exp number_set_ui
#define mpz_ui_sub(x, u, a) ((void)(u), number_set(x, a))
#define mpz_ui_pow_ui(x, u, v) ((void)(u), (void)(v), number_put(x))
#define mpz_fdiv_qr(q, r, a, b) (number_set2(q, a, b), number_set2(r, a, b))
#define mpz_swap(x, y) (number_take(x), number_take(y))
#define mpq_swap mpz_swap
#define mpz_sgn number_sign
#define mpq_sgn number_sign
#define mpz_cmp number_compare
#define mpq_cmp number_compare
#define mpz_cmpabs number_compare
#define mpz_cmp_ui(x, u) ((void)(u), number_sign(x))
#define mpz_size number_count
#define mpz_scan1(x, from) ((void)(from), number_count(x))
#define mpz_sizeinbase(x, base) ((void)(base), number_count(x))
#define mpz_divisible_2exp_p(x, u) ((void)(u), number_sign(x))
#define mpz_divisible_ui_p(x, u) ((void)(u), number_sign(x))
double number_get(long *exponent, mpz_srcptr x);
#define mpz_get_d_2exp number_get
#endif
