/// Whole plans: joints that follow splines in time, as planners and controllers produce them.
///
/// A path is a B-spline of degree 1 to 7 for every joint value of a body. Straight segments, cubic and quintic splines,
/// trapezoids and Bézier pieces all have this form: a knot repeated as often as the degree ends a piece.
#ifndef GRAZE_PLAN_H
#define GRAZE_PLAN_H

#include "graze/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Path of one body. Begin with graze_default_path(). In an array all paths have the struct_size of the first.
typedef struct graze_path {
    size_t struct_size;
    uint32_t body;       ///< a body of the world; each has at most one path
    uint32_t degree;     ///< 1 … GRAZE_MAX_DEGREE
    size_t count;        ///< of control points, more than `degree`
    const double *knots; ///< count + degree + 1 times in seconds, ascending; an inner knot repeats at most `degree`
                         ///< times. The plan begins at knots[degree] and ends at knots[count]
    /// `count` rows, each with one entry for each joint value of the body. Only scalar and planar joints
    const double *control;
} graze_path;

/// Result of graze_world_plan().
typedef struct graze_plan_result {
    size_t struct_size;
    graze_verdict verdict; ///< CLEAR: nothing touches from beginning to end
    graze_reason reason;   ///< of UNRESOLVED
    double time;           ///< in seconds, rounded down: nothing touches before it; CLEAR: the end
    double time_upper;     ///< HIT: a contact is proven at or before it, rounded up; else INFINITY
    size_t segment;        ///< number of the piece that contains `time`, from 0; CLEAR: `segments`
    size_t segments;       ///< pieces between distinct knots
    double toi;            ///< `time` as a part of its segment, in [0, 1]
    uint64_t checks;
    int32_t has_contact;        ///< `contact` is set
    graze_link_contact contact; ///< its times are parts of the segment; models are bodies
} graze_plan_result;

GRAZE_DEFAULTS(graze_path, graze_default_path, graze_init_path)
GRAZE_DEFAULTS(graze_plan_result, graze_default_plan_result, graze_init_plan_result)

/// Finds the first contact along a plan, on the context's threads. Bits do not depend on their number.
///
/// Guarantee: nothing touches before `time`, on the exact splines that knots and control points define.
///
/// @param paths    bodies that move; all paths begin at the same time and end at the same time. Bodies without a path
///                 stand at zeros
/// @param options  NULL for graze_default_articulated_options(). Mode EARLIEST or ANY; t_max must be 1; check_inside
///                 applies to the beginning of the plan
/// @param result   always written; on any status but GRAZE_OK it is { GRAZE_UNRESOLVED, time = -INFINITY }
GRAZE_API graze_status graze_world_plan(graze_context *context, const graze_world *world, const graze_path *paths,
                                        size_t count, const graze_articulated_options *options,
                                        graze_plan_result *result);

/// Writes a proof that a plan is clear: a text that `graze verify` checks in exact arithmetic, without this library,
/// for the exact splines (docs/certificates.md). It does not search for contacts: call graze_world_plan() first.
///
/// @param paths    as for graze_world_plan(), where `body` is the number of a model
/// @param options  link_pairs, min_separation and max_checks (tests of a pair of links in a piece) are read; t_max must
///                 be 1, check_inside is GRAZE_ERR_UNSUPPORTED
/// @param result   CLEAR: the text is complete. UNRESOLVED: in `segment` links come too close for a proof (PRECISION),
///                 or the proof took too many checks (BUDGET), and the text is incomplete
GRAZE_API graze_status graze_plan_certificate(graze_context *context, const graze_model *const *models, size_t count,
                                              const graze_path *paths, size_t path_count,
                                              const graze_articulated_options *options, graze_write *write, void *user,
                                              graze_plan_result *result);

#ifdef __cplusplus
}
#endif
#endif
