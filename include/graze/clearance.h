/// Clearance: how close links of a world come to each other during a motion, and when.
///
/// As in graze/world_distance.h, paddings and separations are subtracted, the least value is 0, and depth is not
/// measured.
#ifndef GRAZE_CLEARANCE_H
#define GRAZE_CLEARANCE_H

#include "graze/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Which pairs of links are listed, and how wide their brackets may be. Begin with graze_default_clearance_options().
typedef struct graze_clearance_options {
    size_t struct_size;
    size_t most;           ///< most pairs in the list, the closest ones; 0: no limit. Default: 1
    double distance;       ///< pairs that stay farther apart are not listed, ≥ 0; default: INFINITY
    double min_separation; ///< subtracted from a distance, as paddings are; rules APART have their own. Default: 0
    double tolerance;      ///< how far `upper` may be from `lower`, a length ≥ 0; 0: 2⁻²⁰ of the links' size
    uint64_t max_checks;   ///< nodes, faces and windows that a pair may take on a segment; 0: 10⁷
    int32_t gradients;     ///< nonzero: the result has gradients
} graze_clearance_options;

/// Two links and their least distance. Its size is fixed: fields of later versions go into `reserved`.
typedef struct graze_link_clearance {
    double lower, upper;                     ///< the exact least distance lies between them
    double time;                             ///< in [0, 1] of its segment; the distance there is at most `upper`
    uint64_t segment;                        ///< from 0
    uint32_t body_a, link_a, body_b, link_b; ///< in the order of bodies, then links
    uint32_t face_a, face_b;                 ///< closest triangles of the links at that time
    double point_a[3], point_b[3];           ///< their closest points, in the world, paddings not subtracted
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
    size_t segments;    ///< of a plan: pieces between distinct knots
    uint64_t pairs_tested, checks;
} graze_clearance_result;

GRAZE_DEFAULTS(graze_clearance_options, graze_default_clearance_options, graze_init_clearance_options)
GRAZE_DEFAULTS(graze_clearance_result, graze_default_clearance_result, graze_init_clearance_result)

/// For worlds of MODEL and STATIC bodies. Lists the pairs of links that come closest during a motion of one or more
/// segments, on the context's threads.
///
/// Guarantee: the exact least distance of a listed pair over all segments lies between `lower` and `upper`; the least
/// distance of any other pair is at least result->lower. `upper` is the distance at `time`; `lower` is proven for every
/// time. They differ by at most the tolerance, unless max_checks ran out, rounding is larger, or the cancel callback or
/// the deadline ended the call; then `lower` may be 0, and pairs that were not measured are not listed.
///
/// A gradient is the derivative of the least distance by the joint values at `time`. Multiply it by 1 − time for the
/// derivative by `from` of a straight motion, by time for the derivative by `to`, and by the weight of a Bézier value
/// for the derivative by that value; the time itself does not count, since the distance is least there. Plain rounding
/// arithmetic. A component is NaN if it is not unique, as in graze_world_distance(). All are NaN unless every time
/// farther than 2⁻⁵ of a segment away is proven to have a distance larger by 2⁻²⁰ of the links' size.
///
/// @param motions   motions[s·count + i] moves a body on segment s; each segment lists `count` bodies once each, others
///                  stand at zeros. For gradients, spherical and free joints must stand still or have straight rotation
///                  vectors (`rotvecs`), and screws are excluded: otherwise GRAZE_ERR_UNSUPPORTED
/// @param segments  1 or more
/// @param options   NULL for graze_default_clearance_options()
/// @param result    from graze_default_clearance_result(); on any status but GRAZE_OK it is empty, with lower = 0
///
/// Bits do not depend on the number of threads, unless the call is cancelled.
GRAZE_API graze_status graze_world_clearance(graze_context *context, const graze_world *world,
                                             const graze_body_motion *motions, size_t count, size_t segments,
                                             const graze_clearance_options *options, graze_clearance_result *result);

/// As graze_world_clearance(), but along a plan, as graze_world_plan() takes it. Segments are its pieces between
/// distinct knots.
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
