/* The contact of two primitives: parameters, point and normal of a hit. Ordinary floating point: nothing is proven of
 * them.
 */
#ifndef GZ_PAIR_CONTACT_H
#define GZ_PAIR_CONTACT_H

#include "pair/motion.h"

/* Fills u, v, point and normal of a result whose toi is set. The point lies on the face (edge b, the edge, point b).
   Where the primitives touch at toi the normal is that of the face (the cross product of the edges), on the side that
   the vertex (edge a) comes from, or the way they come where that lies in the plane. `pair` is that of the query, or of
   one scaled. */
GZ_PAIR_FN void gz_contact_fill(const gz_motion *pair, const graze_query *query, double u, double v,
                                graze_result *result);

/* As gz_contact_fill, but with a known normal, of any length. */
GZ_PAIR_FN void gz_contact_fill_along(const gz_motion *pair, const graze_query *query, double u, double v, v_vec normal,
                                      graze_result *result);

/* As gz_contact_fill, but at the closest points at toi; coordinates within GRAZE_MAX_COORDINATE. */
GZ_PAIR_FN void gz_contact_find(graze_kind kind, const graze_query *query, graze_result *result);

#endif
