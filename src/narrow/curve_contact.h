/* Proofs that a pair on cubic curves is in contact, in interval arithmetic: no constants but those of intervals.h. */
#ifndef GZ_NARROW_CURVE_CONTACT_H
#define GZ_NARROW_CURVE_CONTACT_H

#include "narrow/curve_pair.h"

/* Proven: vertex and face, or two edges, touch in (t0, t1]. The four points lie in a plane at some time between, since
   their volume changes its sign, and at all times between a contact in that plane would be strictly inside both. `m` is
   any vector: a normal of the face, or of both edges. Each point may be off its curve by `wide` along each axis, and
   moves on without a jump. */
bool gz_curve_crosses(graze_kind kind, const graze_curve_query *query, v_vec m, double wide, double t0, double t1);

/* Proven: at time t the points with parameters u, v, as in graze_result, are no farther apart than `reach`. */
bool gz_curve_within(graze_kind kind, const graze_curve_query *query, double t, double u, double v, double reach);

#endif
