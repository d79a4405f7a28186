/// One pair of primitives whose points move on cubic curves: does it touch, when and where?
///
/// For simulators of higher order in time. Positions p0, p1 and velocities v0, v1 at the ends of a step of unit length
/// give the control points p0, p0 + v0/3, p1 − v1/3, p1. A quadratic with control points q0, q1, q2 gives q0, (q0 +
/// 2·q1)/3, (2·q1 + q2)/3, q2.
#ifndef GRAZE_CURVE_H
#define GRAZE_CURVE_H

#include "graze/query.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Four points, each on the cubic Bézier curve of its four control points:
/// x_i(t) = (1−t)³·x[i][0] + 3(1−t)²t·x[i][1] + 3(1−t)t²·x[i][2] + t³·x[i][3], rows as in graze_query.
typedef struct graze_curve_query {
    double x[4][4][3]; ///< row, control point, coordinate
} graze_curve_query;

/// Finds the first time at which the two primitives come within `min_separation` of each other.
///
/// Guarantee: contact never begins before `result->toi`. GRAZE_CLEAR is a proof that there is none in [0, t_max].
/// GRAZE_UNRESOLVED means that `max_checks` ran out, or that rounding hides more; `toi` is still safe to step to. At
/// the toi of an unproven hit the pair is within min_separation + tolerance: it grazes, or touches the rim of a face.
/// `toi` is a bound for the exact paths of the control points. It is 0 only if the pair starts in contact, or closer to
/// it than rounding can tell, about 2⁻⁴⁸ of the size of pair and motion.
///
/// @param options  NULL for graze_default_options(). The method is the default or `certified`; others are
///                 GRAZE_ERR_UNSUPPORTED. `tolerance` 0: hits are refined as far as doubles go, and told from misses
///                 down to 2⁻⁴⁰ of the pair's size; otherwise the search ends when the gap is below it
/// @param result   always written; on any status but GRAZE_OK it is { GRAZE_UNRESOLVED, toi = 0 }
///
/// Does not allocate, lock or log; any number of threads may call it at once.
GRAZE_API graze_status graze_ccd_curve(graze_kind kind, const graze_curve_query *query, const graze_options *options,
                                       graze_result *result);

/// graze_ccd_curve for `count` queries of one kind, on the context's threads, with the bits of single calls. On bad
/// input graze_context_last_error() names the first bad query, and all results are UNRESOLVED.
///
/// @param context  NULL for one thread and no allocation
GRAZE_API graze_status graze_ccd_curve_batch(graze_context *context, graze_kind kind, const graze_curve_query *queries,
                                             size_t count, const graze_options *options, graze_result *results);

#ifdef __cplusplus
}
#endif
#endif
