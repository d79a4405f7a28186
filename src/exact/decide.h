/* The exact decision as the other rooms call it: no object, no decimal strings, no allocation in the ordinary case. */
#ifndef GZ_EXACT_DECIDE_H
#define GZ_EXACT_DECIDE_H

#include "graze/exact.h"

#include <stdbool.h>

typedef struct gz_exact_answer {
    bool hit;
    double lower, upper; /* adjacent doubles around the first contact, equal when it is one; NaN without a hit */
    double u[2], v[2];   /* enclosures of the contact's parameters; NaN without a hit */
} gz_exact_answer;

/* Decides whether the pair comes within `separation` (Euclidean) in [0, t_max]. The integers are in the
   scratch of the context's worker, on the stack without a context. False when they outgrow it: nothing is known then,
   and `answer` is not written. */
bool gz_exact_decide(graze_context *context, uint32_t worker, graze_kind kind, const graze_query *query,
                     double separation, double t_max, gz_exact_answer *answer);

/* As gz_exact_decide, but points of a have the first radius and those of b the second: within the sum of all three. */
bool gz_exact_decide_thick(graze_context *context, uint32_t worker, graze_kind kind, const graze_query *query,
                           double separation, const double radii[2], double t_max, gz_exact_answer *answer);

#endif
