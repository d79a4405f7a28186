/* True if a pair touches, decided from its features alone. */
#ifndef GRAZE_VERIFY_DECIDE_H
#define GRAZE_VERIFY_DECIDE_H

#include "verify/features.h"

typedef enum decision { DECIDED_NO, DECIDED_YES, UNDECIDED } decision;

/* At a time. */
bool features_touch_at(const features *all, const dyadic *t);

/* In [a, b]; without `closed` in [a, b). UNDECIDED where it would take more work than `limit` (poly_work). */
decision features_touch_in(const features *all, const dyadic *a, const dyadic *b, bool closed, double limit);

/* True if the excess of a feature is positive (`plain`: not zero) on all of [a, b]. */
bool feature_is_apart(const feature *f, const dyadic *a, const dyadic *b);

/* True if the plain volume polynomial f->excess has different signs at a and b while the contact stays strictly inside
   both primitives: then they touch in between. */
bool feature_crosses(const feature *f, const dyadic *a, const dyadic *b);

#endif
