/// Clearance: how close two links of a world come to each other while it moves, and when.
///
/// As of distances (graze/world_distance.h) paddings and separations are taken off, what is left is at least 0, and
/// depth is not measured.
#ifndef GRAZE_CLEARANCE_H
#define GRAZE_CLEARANCE_H

#include "graze/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Selection of the listed pairs of links, and the width of their brackets. Fill it by
/// graze_default_clearance_options().
typedef struct graze_clearance_options {
    size_t struct_size;
    size_t most;           ///< the list has no more pairs than this, the closest ones; 0: no limit. Default: 1
    double distance;       ///< pairs that stay farther apart are not listed, ≥ 0; default: INFINITY
    double min_separation; ///< taken off a distance, as paddings are; rules APART have their own. Default: 0
    double tolerance;      ///< how far `upper` may be from `lower`, a length ≥ 0; 0: 2⁻²⁰ of the links' size
    uint64_t max_checks;   ///< nodes, faces and windows that a pair may take on a segment; 0: 10⁷
    int32_t gradients;     ///< nonzero: the result has gradients
} graze_clearance_options;

/// Two links and the least distance that they have. It does not grow: fields of later versions take their place in
/// `reserved`.
typedef struct graze_link_clearance {
    double lower, upper;                     ///< the exact least distance lies between them
    double time;                             ///< in [0, 1] of its segment; the distance there is `upper` at most
    uint64_t segment;                        ///< from 0
    uint32_t body_a, link_a, body_b, link_b; ///< in the order of bodies, then links
    uint32_t face_a, face_b;                 ///< triangles of the links that are closest then
    double point_a[3], point_b[3];           ///< their closest points, in the world; paddings are not taken off
    double normal[3];   ///< unit, from link_b towards link_a; NaN where links cross or are too close to tell
    double reserved[8]; ///< zeros
} graze_link_clearance;

/// Result of graze_world_clearance() and graze_world_plan_clearance().
typedef struct graze_clearance_result {
    size_t struct_size;
    double lower;                ///< pairs that are not listed stay at least this far apart; INFINITY: all are listed
    graze_link_clearance *pairs; ///< sorted by `upper`, then by links. Owned: graze_clearance_release
    size_t pair_count;
    size_t pair_size;   ///< bytes from one of `pairs` to the next, at least sizeof(graze_link_clearance)
    double *gradients;  ///< NULL, or value_count derivatives of each pair, one pair after the other. Owned as `pairs`
    size_t value_count; ///< joint values of all bodies, in the order of bodies, then values
    size_t segments;    ///< of a plan: pieces between two knots that differ
    uint64_t pairs_tested, checks;
} graze_clearance_result;

GRAZE_DEFAULTS(graze_clearance_options, graze_default_clearance_options, graze_init_clearance_options)
GRAZE_DEFAULTS(graze_clearance_result, graze_default_clearance_result, graze_init_clearance_result)

/// For worlds of MODEL and STATIC bodies. Lists the pairs of links that come closest during a motion of one or more
/// segments, on the context's threads.
///
/// Guarantee: the exact least distance of a listed pair over all segments lies between `lower` and `upper`; that of one
/// that is not listed is at least result->lower. `upper` is the distance at a time that is named; `lower` is a proof
/// for every time. They are within the tolerance of each other, unless max_checks ran out or rounding is larger.
///
/// A gradient is that of the least distance with respect to the joint values at `time`: since the time is where the
/// distance is least, the derivative with respect to `from` and `to` of a straight motion is 1 − time and time as much,
/// and that with respect to a Bézier value its weight as much. Plain rounding arithmetic. A component is NaN where it
/// is not unique, as of graze_world_distance(); all are NaN where another time, farther than 2⁻⁵ of a segment away, is
/// not proven to have a distance that is larger by 2⁻²⁰ of the links' size.
///
/// @param motions   motions[s·count + i] moves a body on segment s; on each segment `count` bodies that do not stand at
///                  zeros, each listed once. For gradients spherical and free joints stand, or have straight rotation
///                  vectors (`rotvecs`), and there are no screws: else GRAZE_ERR_UNSUPPORTED
/// @param segments  1 or more
/// @param options   NULL for graze_default_clearance_options()
/// @param result    from graze_default_clearance_result(); on any status but GRAZE_OK it is empty, with lower = 0
///
/// The bits depend on nothing but the arguments, not on the number of threads.
GRAZE_API graze_status graze_world_clearance(graze_context *context, const graze_world *world,
                                             const graze_body_motion *motions, size_t count, size_t segments,
                                             const graze_clearance_options *options, graze_clearance_result *result);

/// As graze_world_clearance(), but along a plan, as graze_world_plan() takes it. Segments are its pieces between two
/// knots that differ.
GRAZE_API graze_status graze_world_plan_clearance(graze_context *context, const graze_world *world,
                                                  const graze_path *paths, size_t count,
                                                  const graze_clearance_options *options,
                                                  graze_clearance_result *result);

/// Releases result->pairs and result->gradients.
GRAZE_API void graze_clearance_release(graze_context *context, graze_clearance_result *result);

#ifdef __cplusplus
}
#endif
#endif
