/* Findings of a search, as users read them: features, point, normal, and a proof of contact. */
#ifndef GZ_ARTICULATED_CONTACT_H
#define GZ_ARTICULATED_CONTACT_H

#include "articulated/search.h"

/* The contact of pair `index`, which has one. */
graze_link_contact gz_contact_of(gz_search *search, size_t index);

#endif
