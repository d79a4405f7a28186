/* The pairs of units that move straight: the step of the mesh that joins them. */
#ifndef GZ_WORLD_STRAIGHT_H
#define GZ_WORLD_STRAIGHT_H

#include "world/answer.h"

/* Adds what graze_step finds to `found`; nothing where no two units move straight. */
graze_status gz_straight_step(gz_movers *movers, gz_contacts *found, graze_step_result *result);

#endif
