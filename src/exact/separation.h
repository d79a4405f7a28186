/* A separation d > 0: the first time at which the distance is d or less. */
#ifndef GZ_EXACT_SEPARATION_H
#define GZ_EXACT_SEPARATION_H

#include "exact/root_search.h"

/* Euclidean distance. */
void gz_solve_separation(gz_pair *pair, double t_max, gz_root_search *search);

/* Largest of the three coordinate differences. The place of a contact is not worked out: u and v are all of [0, 1]. */
void gz_solve_separation_max(gz_pair *pair, double t_max, gz_root_search *search);

#endif
