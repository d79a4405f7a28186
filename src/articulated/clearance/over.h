/* Two links over a window of time: proof that they stay a distance apart. */
#ifndef GZ_ARTICULATED_CLEARANCE_OVER_H
#define GZ_ARTICULATED_CLEARANCE_OVER_H

#include "articulated/touch.h"

/* A direction in the frame of b along which two links were apart. */
typedef struct gz_guide {
    gz_vec3 n;
    bool set;
} gz_guide;

/* Proven: at every time of the frames' window the links are at least `beyond` farther apart than contact. False: that
   is not so, or needs a shorter window. `checks` counts nodes and faces that are looked at. */
bool gz_apart_over(gz_frames *frames, const gz_link_pair *pair, double beyond, gz_guide guide, uint64_t *checks);

#endif
