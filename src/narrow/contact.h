/* Where two primitives are closest at a given time: parameters, point and normal of a hit. */
#ifndef GZ_NARROW_CONTACT_H
#define GZ_NARROW_CONTACT_H

#include "graze/query.h"

/* Fills u, v, point and normal of a result from the closest points of the two primitives at result->toi. They are
   ordinary floating-point results: nothing is proven of them. The point lies on the face (edge b). Where the primitives
   touch at toi the normal is that of the face (the cross product of the edges), on the side that the vertex (edge a)
   comes from; it is NaN only where motion and shape leave it open. Kinds VF and EE. */
void gz_contact_fill(graze_kind kind, const graze_query *query, graze_result *result);

#endif
