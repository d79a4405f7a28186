/// Distances between the links of a world in one pose: the closest pairs, or all within a distance.
///
/// Depth is not measured: links that touch or overlap have distance 0. For a link inside a closed link it is the
/// distance of their surfaces; graze_world_valid() reports that case.
#ifndef GRAZE_WORLD_DISTANCE_H
#define GRAZE_WORLD_DISTANCE_H

#include "graze/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Which pairs of links are listed. Begin with graze_default_world_distance_options().
typedef struct graze_world_distance_options {
    size_t struct_size;
    size_t most;           ///< most pairs in the list, the closest ones; 0: no limit. Default: 1
    double distance;       ///< pairs that are farther apart are not listed, ≥ 0; default: INFINITY
    double min_separation; ///< subtracted from a distance, as paddings are; rules APART have their own. Default: 0
    int32_t gradients;     ///< nonzero: the result has gradients
} graze_world_distance_options;

/// Two links and their distance. Its size is fixed: fields of later versions go into `reserved`.
typedef struct graze_link_gap {
    double lower, upper; ///< bounds of the exact distance minus paddings and separation, which is at least 0
    uint32_t body_a, link_a, body_b, link_b; ///< in the order of bodies, then links
    uint32_t face_a, face_b;                 ///< closest triangles of the links
    double point_a[3], point_b[3];           ///< their closest points, in the world, paddings not subtracted
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
    double *gradients;  ///< NULL, or value_count derivatives of each gap, one gap after the other. Owned, as `gaps`
    size_t value_count; ///< joint values of all bodies, in the order of bodies, then values
    uint64_t pairs_tested;
} graze_world_distance_result;

GRAZE_DEFAULTS(graze_world_distance_options, graze_default_world_distance_options, graze_init_world_distance_options)
GRAZE_DEFAULTS(graze_world_distance_result, graze_default_world_distance_result, graze_init_world_distance_result)

/// Lists the pairs of links of a world that are closest, with their points.
///
/// Guarantee: the exact distance of a listed pair lies between `lower` and `upper`; the distance of any other pair is
/// at least result->lower. Every pair within options->distance is listed, as far as `most` allows; a farther pair only
/// if its bounds do not decide. Of pairs whose bounds overlap either may count as closer.
///
/// A gradient is the derivative of the distance by the joint values, in plain rounding arithmetic. A component is NaN
/// if it is not unique: other points of the two links are as close, to within 2⁻⁴⁴ of the links' size, and move
/// differently, by more than 2⁻¹⁰ of their speed. All components are NaN if the normal is. Values that do not move the
/// links relative to each other have 0. Rotation vectors have a derivative for each of their three components.
///
/// @param pose     `count` bodies that do not stand at zeros, each listed once; only `from` of their motions is read
/// @param options  NULL for graze_default_world_distance_options()
/// @param result   from graze_default_world_distance_result(); on any status but GRAZE_OK it is empty, with lower = 0
///
/// Memory comes from the context. Bits depend only on the arguments.
GRAZE_API graze_status graze_world_distance(graze_context *context, const graze_world *world,
                                            const graze_body_motion *pose, size_t count,
                                            const graze_world_distance_options *options,
                                            graze_world_distance_result *result);

/// Computes the derivatives of the time of a contact by the joint values at the start and at the end.
///
/// With the normal n of the contact and the relative velocity v of its points, the time changes by −⟨n, change of
/// v⟩/⟨n, v⟩. Plain rounding arithmetic. A component is NaN if it is not unique just before the contact, as in
/// graze_world_distance(). All are NaN if the contact is at 0, has no normal, only grazes, or if another pair of links
/// is as close.
///
/// @param motions  those of the graze_world_step() that found `contact`. Moving joint values go straight from `from` to
///                 `to`: a changing rotation vector, `turns`, `cubic`, `bezier`, `screws` and `rotvecs` are
///                 GRAZE_ERR_UNSUPPORTED
/// @param options  of that call; NULL for graze_default_articulated_options()
/// @param contact  a hit, mode EARLIEST or ALL
/// @param from     a derivative for each joint value of all bodies, in the order of bodies, then values; `from` and
///                 `to` are written only on GRAZE_OK
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
