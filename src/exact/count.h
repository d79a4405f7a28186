/* The number of contacts, for the methods that go by its parity. */
#ifndef GZ_EXACT_COUNT_H
#define GZ_EXACT_COUNT_H

#include "exact/integer_pair.h"

typedef struct gz_contact_count {
    int times;     /* in [0, t_max], with multiplicity; −1: infinitely many */
    bool boundary; /* one is at t = 0, at t_max, or on an edge or end of a primitive */
} gz_contact_count;

/* Separation 0. A contact has the multiplicity of its root of f (PE: of q × e, PP: of q). Where that is zero all the
   time, contacts either last or are counted once. */
gz_contact_count gz_count_contacts(gz_pair *pair, double t_max);

#endif
