/* A barrier on the squared distance. */
#ifndef GZ_POTENTIAL_BARRIER_H
#define GZ_POTENTIAL_BARRIER_H

#include "potential/gap.h"

/* b and its first two derivatives by the squared distance; false where it is 0 all around. `value` is INFINITY, and the
   derivatives are 0, where a logarithmic barrier is broken. */
typedef struct gz_barrier_value {
    double value, first, second;
} gz_barrier_value;
bool gz_barrier_at(const gz_gap *gap, double offset, const graze_potential_options *options, gz_barrier_value *barrier);

/* The term of a contact whose gap is known; NULL: it is farther than anything acts. */
void gz_contact_term_of(const graze_contact *contact, const double (*x)[3], const gz_gap *gap,
                        const graze_potential_options *options, graze_order order, graze_term *term);

#endif
