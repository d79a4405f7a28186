/* Separation 0: which polynomials' roots can be a first contact, and whether the pair touches at a given time. */
#ifndef GZ_EXACT_TOUCH_H
#define GZ_EXACT_TOUCH_H

#include "exact/integer_pair.h"

/* three for each of four points and segments */
#define GZ_MAX_CANDIDATES 12

typedef struct gz_candidates {
    const gz_poly *p[GZ_MAX_CANDIDATES];
    int count;
} gz_candidates;

/* The polynomials, none of them zero, that the first contact is a root of unless it is at t = 0. */
void gz_touch_candidates(gz_pair *pair, gz_candidates *candidates);

/* True if the pair touches at this time, and where. */
bool gz_touch_test(gz_pair *pair, gz_root *root, gz_place *place);

/* The inside conditions of VF or EE at a root of f whose bracket is known, in doubles. TOUCHES only where all of them
   are more than zero; then `place` holds bounds of u and v. */
typedef enum gz_filtered { GZ_FILTER_UNSURE, GZ_FILTER_APART, GZ_FILTER_TOUCHES } gz_filtered;
gz_filtered gz_touch_filter(const gz_pair *pair, const gz_root *root, gz_place *place);

/* Bounds of u and v of the closest points at any time from `below` to the next double at which the pair is within
   `reach`, a length in the unit of the query. False where doubles do not tell. */
bool gz_bound_parameters(gz_pair *pair, double below, double reach, gz_place *place);

#endif
