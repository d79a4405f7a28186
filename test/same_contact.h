/* Whether two contacts of links have the same bits. Bytes between members have none that count. */
#ifndef GRAZE_TEST_SAME_CONTACT_H
#define GRAZE_TEST_SAME_CONTACT_H

#include "graze/articulated.h"

#include <stdbool.h>
#include <string.h>

#define SAME_BITS(a, b) (memcmp(&(a), &(b), sizeof(a)) == 0)

static inline bool same_contact(const graze_link_contact *a, const graze_link_contact *b) {
    return a->verdict == b->verdict && a->reason == b->reason && a->proven == b->proven && SAME_BITS(a->toi, b->toi) &&
           SAME_BITS(a->toi_upper, b->toi_upper) && a->model_a == b->model_a && a->link_a == b->link_a &&
           a->model_b == b->model_b && a->link_b == b->link_b && a->has_pair == b->has_pair && a->inside == b->inside &&
           a->pair.kind == b->pair.kind && a->pair.a == b->pair.a && a->pair.b == b->pair.b &&
           SAME_BITS(a->point, b->point) && SAME_BITS(a->normal, b->normal) && SAME_BITS(a->u, b->u) &&
           SAME_BITS(a->v, b->v) && SAME_BITS(a->reserved, b->reserved);
}

#endif
