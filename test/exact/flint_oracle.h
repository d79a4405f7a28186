/* A second, slow, independent oracle on FLINT, Arb and Calcium: it shares no arithmetic with src/exact.
 *
 * Where src/exact walks a decision tree, this one collects every time at which anything could change, sorts these
 * algebraic numbers, and asks at each in turn whether the two primitives, standing still, are within the separation. */
#ifndef GRAZE_TEST_FLINT_ORACLE_H
#define GRAZE_TEST_FLINT_ORACLE_H

#include "graze/exact.h"

#include <calcium/qqbar.h>
#include <stdbool.h>

typedef struct flint_answer {
    bool hit;
    qqbar_t time; /* the first contact; 0 without a hit */
} flint_answer;

void flint_answer_init(flint_answer *answer);
void flint_answer_clear(flint_answer *answer);

/* separation is Euclidean. */
void flint_decide(graze_kind kind, const graze_query *query, double separation, double t_max, flint_answer *answer);

/* −1, 0, 1: sign of t − time, for a finite double t. */
int flint_compare(double t, const flint_answer *answer);

/* True if the polynomial with these decimal coefficients (constant first) has `time` as a root, is primitive and
   square-free with a positive leading coefficient. */
bool flint_polynomial_fits(char *const *coefficients, int degree, const flint_answer *answer);

#endif
