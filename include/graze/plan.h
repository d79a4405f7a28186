/// Whole plans: joints that follow splines over seconds, as planners and controllers emit them.
///
/// A path is a B-spline of degree 1 to 7 for every joint value of a body. Straight segments, cubic and quintic splines,
/// trapezoids and Bézier pieces are all of this form: a knot that is repeated as often as the degree ends a piece.
#ifndef GRAZE_PLAN_H
#define GRAZE_PLAN_H

#include "graze/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Path of one body. Fill it by graze_default_path(). In an array all paths have the struct_size of the first.
typedef struct graze_path {
    size_t struct_size;
    uint32_t body;       ///< a body of the world; each moves by one path at most
    uint32_t degree;     ///< 1 … GRAZE_MAX_DEGREE
    size_t count;        ///< of control points, more than `degree`
    const double *knots; ///< count + degree + 1 times in seconds, none before the one ahead of it; of those between the
                         ///< ends none more than `degree` times. The plan begins at knots[degree], ends at knots[count]
    const double *control; ///< `count` rows, a value for each joint value of the body in each. Scalar and planar joints
} graze_path;

/// Result of graze_world_plan().
typedef struct graze_plan_result {
    size_t struct_size;
    graze_verdict verdict; ///< CLEAR: nothing touches from beginning to end
    graze_reason reason;   ///< of UNRESOLVED
    double time;           ///< in seconds, rounded down: nothing touches before it; CLEAR: the end
    double time_upper;     ///< HIT: a contact is proven at or before it, rounded up; else INFINITY
    size_t segment;        ///< the piece between two knots in which that is, from 0; CLEAR: `segments`
    size_t segments;       ///< pieces between two knots that differ
    double toi;            ///< `time` as a part of its segment, in [0, 1]
    uint64_t checks;
    int32_t has_contact;        ///< `contact` is set
    graze_link_contact contact; ///< its times are those of the segment; models are bodies
} graze_plan_result;

GRAZE_DEFAULTS(graze_path, graze_default_path, graze_init_path)
GRAZE_DEFAULTS(graze_plan_result, graze_default_plan_result, graze_init_plan_result)

/// First contact along a plan, on the context's threads: the same bits for any number of them.
///
/// Guarantee: nothing touches before `time`, for the splines that knots and control points define as exact numbers.
///
/// @param paths    bodies that move; all paths begin at one time and end at one. Bodies without a path stand at zeros
/// @param options  NULL for graze_default_articulated_options(). Mode EARLIEST or ANY; t_max must be 1; check_inside
///                 checks the beginning of the plan
/// @param result   always written; on any status but GRAZE_OK it is { GRAZE_UNRESOLVED, time = -INFINITY }
GRAZE_API graze_status graze_world_plan(graze_context *context, const graze_world *world, const graze_path *paths,
                                        size_t count, const graze_articulated_options *options,
                                        graze_plan_result *result);

/// Writes the proof that a plan is clear: a text that `graze verify` checks in exact arithmetic, without this library,
/// for the splines as knots and control points define them (docs/certificates.md). It looks for no contact: ask
/// graze_world_plan() first.
///
/// @param paths    as for graze_world_plan(), where `body` is the number of a model
/// @param options  link_pairs, min_separation and max_checks (tests of a pair of links in a piece) are read; t_max must
///                 be 1, check_inside is GRAZE_ERR_UNSUPPORTED
/// @param result   CLEAR: the text is whole. UNRESOLVED: links come too close to each other in `segment` for a proof
///                 (PRECISION), or it took too much (BUDGET), and the text is incomplete
GRAZE_API graze_status graze_plan_certificate(graze_context *context, const graze_model *const *models, size_t count,
                                              const graze_path *paths, size_t path_count,
                                              const graze_articulated_options *options, graze_write *write, void *user,
                                              graze_plan_result *result);

#ifdef __cplusplus
}
#endif
#endif
