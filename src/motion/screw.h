/* The origin of a link whose motion is a screw: it turns about one fixed axis while it slides along it. */
#ifndef GZ_MOTION_SCREW_H
#define GZ_MOTION_SCREW_H

#include "motion/taylor.h"

/* With θ the angle turned by in unit time the origin is at start + t·slide + S(t)·swing + C(t)·bend, where
   S = sin(θt)/θ and C = (1 − cos θt)/θ²: smooth in θ, however small that is. */
typedef struct gz_screw {
    double angle; /* θ */
    double slide[3], swing[3], bend[3];
    double stretch; /* at least |swing + slide| / |way|, and 1 */
} gz_screw;

/* The screw about the unit vector `axis` that leads by `way` while it turns by `angle`. False where none does: a whole
   number of turns, or nearly one, ends where it began. */
bool gz_screw_about(const double axis[3], double angle, const double way[3], gz_screw *screw);

/* S and C over a window. */
void gz_screw_models(const gz_screw *screw, gz_window window, gz_taylor *s, gz_taylor *c);

#endif
