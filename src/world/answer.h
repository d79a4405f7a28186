/* Contacts of a world, from primitives to what a caller reads. */
#ifndef GZ_WORLD_ANSWER_H
#define GZ_WORLD_ANSWER_H

#include "world/near.h"

/* A pair that touches, or is unresolved. */
typedef struct gz_touching {
    gz_near_pair near;
    graze_pair_result joined; /* with the ids that count through all units */
} gz_touching;

typedef struct gz_contacts {
    graze_context *context;
    gz_touching *pairs;
    size_t count, room;
} gz_contacts;

/* Room for the pair, whose ids are filled in. False where there is no memory. */
bool gz_contacts_add(gz_contacts *found, const gz_movers *movers, const gz_near_pair *near, const graze_result *result);
void gz_contacts_release(gz_contacts *found);

/* A pair of the mesh that joins the units which move straight. */
gz_near_pair gz_near_of_straight(const gz_units *units, graze_pair pair);

/* Sorted by kind, a, b; of one pair the first time alone. */
void gz_contacts_sort(gz_contacts *found);
/* The one that limits the step; NULL where there is none. */
const gz_touching *gz_contacts_first(const gz_contacts *found);

/* Of two units of a world, whose numbers are those of movers. */
graze_link_contact gz_unit_contact(const gz_units *units, const gz_near_pair *near, const graze_result *result);
graze_link_contact gz_touching_contact(const gz_movers *movers, const gz_touching *pair);

#endif
