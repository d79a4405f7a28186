/* A contact shown by two points: one of each primitive, with the radii interpolated between its corners. */
#ifndef GRAZE_VERIFY_WITNESS_H
#define GRAZE_VERIFY_WITNESS_H

#include "verify/features.h"

/* True if u and v are parameters of the pair and the two points are, at time t, no farther apart than the separation
   and their two radii. */
bool witness_holds(const integers *in, verify_kind kind, const double at[2], const dyadic *t);

/* Parameters at toi_upper that are as good as double finds them; nothing is proven. */
void witness_guess(const verify_pair *pair, double at[2]);

#endif
