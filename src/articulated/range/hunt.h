/* Looks for a pose within a range at which two links touch: poses at random, then downhill from those that are closest.
   Nothing is proven of what it does not find. */
#ifndef GZ_ARTICULATED_RANGE_HUNT_H
#define GZ_ARTICULATED_RANGE_HUNT_H

#include "articulated/range/range_proof.h"

/* True: search->touches has said so. */
bool gz_range_hunt(graze_context *context, const gz_range_links *links, const gz_range_search *search,
                   uint32_t samples);

#endif
