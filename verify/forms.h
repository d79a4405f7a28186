/* Functions of joint values that vary within a cell, each enclosed by c0 + c1·ξ1 + c2·ξ2 + … with every ξ in [-1, 1],
   and a bound on what that leaves out. The unit of all integers is 2^-FIXED_BITS, every rounding goes into the bound.

   Why each operation encloses what it should: docs/certificates.md, "Ranges". */
#ifndef GRAZE_VERIFY_FORMS_H
#define GRAZE_VERIFY_FORMS_H

#include "verify/enclosure.h"

#define FORM_TERMS 17 /* up to sixteen values between two links */

typedef struct form {
    int terms; /* those from here on are zero, whatever c holds */
    mpz_t c[FORM_TERMS];
    mpz_t r;
} form;

typedef struct form_frame {
    form m[3][4];
} form_frame;

void form_init(form *f);
void form_clear(form *f);

void form_set_whole(form *f, long value);
/* A number that does not depend on ξ. */
void form_set_number(form *f, const enclosure *number);
/* middle + half·ξ of that variable, from 1 on. */
void form_set_value(form *f, const enclosure *middle, const enclosure *half, int variable);

/* The result may be an operand of sums and of multiples, not of products. */
void form_add(form *f, const form *a, const form *b);
void form_scale(form *f, const form *a, const mpz_t factor);
void form_mul(form *f, const form *a, const form *b);
void form_add_mul(form *f, const form *a, const form *b); /* f += a*b */

/* |c1| + |c2| + … + r, and with |c0| too */
void form_spread(mpz_t spread, const form *a);
void form_most(mpz_t most, const form *a);

/* Sine and cosine of the angle half·ξ. */
void form_turn(form *sine, form *cosine, const enclosure *half, int variable);

void form_frame_init(form_frame *f);
void form_frame_clear(form_frame *f);
void form_frame_identity(form_frame *f);
/* a after b: the result is neither. */
void form_frame_compose(form_frame *f, const form_frame *a, const form_frame *b);

#endif
