/* Enclosures and forms of any number of terms, with any coefficients. */
#include "verify/forms.h"

#include "__fc_builtin.h"
#include <float.h>

static double any(void) { return Frama_C_double_interval(-DBL_MAX, DBL_MAX); }

/* All whose sizes count. Of numbers, as roots and quotients are taken of, one term or none. */
static void enclosures(int a_terms, int b_terms) {
    enclosure a, b, f, g;
    mpz_t most;
    enclosure_init(&a), enclosure_init(&b), enclosure_init(&f), enclosure_init(&g);
    mpz_init(most);
    a.terms = a_terms, b.terms = b_terms;
    enclosure_add(&f, &a, &b);
    enclosure_sub(&g, &b, &a);
    enclosure_sub(&g, &g, &b);
    enclosure_mul(&f, &a, &b);
    enclosure_add_mul(&f, &a, &b);
    enclosure_scale_long(&g, &a, Frama_C_long_interval(-0x7fffffffL, 0x7fffffffL));
    enclosure_divide_long(&g, &a, Frama_C_unsigned_long_interval(1, 120));
    enclosure_shift(&g, &a, Frama_C_long_interval(-2200, 2200));
    enclosure_most(most, &a);
    enclosure_sine(&f, &g, &a);
    if (a_terms <= 1 && b_terms <= 1) {
        enclosure_sqrt(&f, &a);
        enclosure_divide(&g, &a, &b);
    }
    enclosure_set_whole(&f, Frama_C_long_interval(-0x7fffffffL, 0x7fffffffL));
    enclosure_set_double(&g, any(), Frama_C_interval(-1074, 1024));
    mpz_clear(most);
    enclosure_clear(&a), enclosure_clear(&b), enclosure_clear(&f), enclosure_clear(&g);
}

static void forms(int a_terms, int b_terms) {
    form a, b, f, g;
    enclosure middle, half;
    mpz_t most;
    form_init(&a), form_init(&b), form_init(&f), form_init(&g);
    enclosure_init(&middle), enclosure_init(&half);
    mpz_init(most);
    a.terms = a_terms, b.terms = b_terms;
    middle.terms = Frama_C_interval(0, 1), half.terms = Frama_C_interval(0, 1);
    form_add(&f, &a, &b);
    form_mul(&f, &a, &b);
    form_add_mul(&f, &a, &b);
    form_scale(&g, &a, most);
    form_spread(most, &a);
    form_most(most, &a);
    form_set_value(&f, &middle, &half, Frama_C_interval(0, FORM_TERMS - 1));
    form_turn(&f, &g, &half, Frama_C_interval(0, FORM_TERMS - 1));
    form_set_number(&f, &middle);
    mpz_clear(most);
    enclosure_clear(&middle), enclosure_clear(&half);
    form_clear(&a), form_clear(&b), form_clear(&f), form_clear(&g);
}

static void frames(void) {
    form_frame f, a, b;
    form_frame_init(&f), form_frame_init(&a), form_frame_init(&b);
    form_frame_identity(&a);
    form_frame_identity(&b);
    form_frame_compose(&f, &a, &b);
    form_frame_clear(&f), form_frame_clear(&a), form_frame_clear(&b);
}

int main(void) {
    for (int a = 0; a <= ENCLOSURE_TERMS; a++)
        for (int b = 0; b <= ENCLOSURE_TERMS; b++) enclosures(a, b);
    for (int a = 0; a <= FORM_TERMS; a += 4)
        for (int b = 0; b <= FORM_TERMS; b++) forms(a, b);
    frames();
    return 0;
}
