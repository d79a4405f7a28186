/// Distances between the links of a world in one pose: the closest pairs, or all within a distance.
///
/// Depth is not measured: links that touch or overlap have the distance 0, however deep they are in each other. A link
/// inside a closed one has the distance of their surfaces; graze_world_valid() finds it.
#ifndef GRAZE_WORLD_DISTANCE_H
#define GRAZE_WORLD_DISTANCE_H

#include "graze/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Selection of the listed pairs of links. Fill it by graze_default_world_distance_options().
typedef struct graze_world_distance_options {
    size_t struct_size;
    size_t most;           ///< the list has no more pairs than this, the closest ones; 0: no limit. Default: 1
    double distance;       ///< pairs that are farther apart are not listed, ≥ 0; default: INFINITY
    double min_separation; ///< taken off a distance, as paddings are; rules APART have their own. Default: 0
    int32_t gradients;     ///< nonzero: the result has gradients
} graze_world_distance_options;

/// Two links and their distance. It does not grow: fields of later versions take their place in `reserved`.
typedef struct graze_link_gap {
    double lower, upper; ///< the exact distance less paddings and separation, and at least 0, lies between them
    uint32_t body_a, link_a, body_b, link_b; ///< in the order of bodies, then links
    uint32_t face_a, face_b;                 ///< triangles of the links that are closest
    double point_a[3], point_b[3];           ///< their closest points, in the world; paddings are not taken off
    double normal[3];   ///< unit, from link_b towards link_a; NaN where links cross or are too close to tell
    double reserved[8]; ///< zeros
} graze_link_gap;

/// Result of graze_world_distance().
typedef struct graze_world_distance_result {
    size_t struct_size;
    double lower;         ///< pairs that are not listed are at least this far apart; INFINITY: all are listed
    graze_link_gap *gaps; ///< sorted by `upper`, then by links. Owned: graze_world_distance_release
    size_t gap_count;
    size_t gap_size;    ///< bytes from one of `gaps` to the next, at least sizeof(graze_link_gap)
    double *gradients;  ///< NULL, or value_count derivatives of each gap, one gap after the other. Owned as `gaps` are
    size_t value_count; ///< joint values of all bodies, in the order of bodies, then values
    uint64_t pairs_tested;
} graze_world_distance_result;

GRAZE_DEFAULTS(graze_world_distance_options, graze_default_world_distance_options, graze_init_world_distance_options)
GRAZE_DEFAULTS(graze_world_distance_result, graze_default_world_distance_result, graze_init_world_distance_result)

/// Lists the pairs of links of a world that are closest, with their points.
///
/// Guarantee: the exact distance of a listed pair lies between `lower` and `upper`; of one that is not listed it is at
/// least result->lower. Every pair whose distance is at most options->distance is listed, as far as `most` allows; one
/// that is farther only where that is not certain. Of pairs whose bounds overlap either may count as the closer one.
///
/// A gradient is that of the distance with respect to joint values, in plain rounding arithmetic. A component is NaN
/// where it is not unique, because other points of the two links are as close, to within 2⁻⁴⁴ of the links' size, and
/// move differently, by more than 2⁻¹⁰ of their speed; all components are NaN where the normal is. Values that do not
/// move the links against each other have 0. For a rotation vector the derivative is that of its three components.
///
/// @param pose     `count` bodies that do not stand at zeros, each listed once; of the motions `from` alone is read
/// @param options  NULL for graze_default_world_distance_options()
/// @param result   from graze_default_world_distance_result(); on any status but GRAZE_OK it is empty, with lower = 0
///
/// Memory comes from the context. The bits depend on nothing but the arguments.
GRAZE_API graze_status graze_world_distance(graze_context *context, const graze_world *world,
                                            const graze_body_motion *pose, size_t count,
                                            const graze_world_distance_options *options,
                                            graze_world_distance_result *result);

/// Derivatives of the time of a contact with respect to where joint values start and where they go.
///
/// With n the normal of the contact and v the velocity of its points against each other, the time changes by
/// −⟨n, change of v⟩/⟨n, v⟩. Plain rounding arithmetic. A component is NaN where it is not unique, as of
/// graze_world_distance(), just before the contact; all are NaN where the contact is at 0, has no normal or merely
/// grazes, and where another pair of links is as close.
///
/// @param motions  those of the graze_world_step() that found `contact`; joint values that move do so straight from
///                 `from` to `to`: a rotation vector that changes, `turns`, `cubic`, `bezier`, `screws` and `rotvecs`
///                 are GRAZE_ERR_UNSUPPORTED
/// @param options  of that call; NULL for graze_default_articulated_options()
/// @param contact  a hit, mode EARLIEST or ALL
/// @param from     a derivative for each joint value of all bodies, in the order of bodies, then values; written on
///                 GRAZE_OK alone, as `to` is
GRAZE_API graze_status graze_world_toi_gradient(graze_context *context, const graze_world *world,
                                                const graze_body_motion *motions, size_t count,
                                                const graze_articulated_options *options,
                                                const graze_link_contact *contact, double *from, double *to);

/// Releases result->gaps and result->gradients.
GRAZE_API void graze_world_distance_release(graze_context *context, graze_world_distance_result *result);

#ifdef __cplusplus
}
#endif
#endif
