/* Links at a single time: triangles that are certainly in contact. */
#ifndef GZ_ARTICULATED_CROSSING_H
#define GZ_ARTICULATED_CROSSING_H

#include "articulated/node_pairs.h"
#include "articulated/touch.h"

/* Two triangles of the links that are proven to be in contact at time t, after at most `most` pairs of nodes. False
   proves nothing. */
bool gz_links_cross_at(gz_frames *frames, const gz_link_pair *pair, double t, int most, uint64_t *checks,
                       gz_touch *touch);

#endif
