/// Ranges of motion: which links can touch at all while every joint takes any value within its limits?
///
/// For each pair of links the answer is a proof that they never touch for any combination of values, or a pose at which
/// they provably touch, or the share of the range that is not settled. Planners disable pairs by sampling, which is a
/// guess; this is a proof.
#ifndef GRAZE_RANGE_H
#define GRAZE_RANGE_H

#include "graze/articulated.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Range of one joint value. Begin with graze_default_joint_range(). In an array all have the struct_size of the first.
typedef struct graze_joint_range {
    size_t struct_size;
    double lower,
        upper; ///< finite, lower ≤ upper; equal: it is fixed. Values of spherical, planar and free joints must be fixed
    int32_t follows; ///< −1, or the number of another value, which follows none itself: this one is multiplier·that +
                     ///< offset, and its limits are not read. Angles beyond 2^20 and lengths beyond
                     ///< GRAZE_MAX_COORDINATE are refused, also for followers
    double multiplier, offset;
} graze_joint_range;

/// Options of a range query. Begin with graze_default_range_options().
typedef struct graze_range_options {
    size_t struct_size;
    double min_separation;     ///< distance that counts as contact, finite, ≥ 0
    const uint8_t *link_pairs; ///< as in graze_articulated_options
    uint64_t max_cells;        ///< most parts that a pair's range is cut into; 0: 2^20
    double least_share;        ///< parts this small or smaller are not cut again, in [2^-60, 1]; 0: 2^-40
    uint32_t samples;          ///< poses tried for a contact before the range is cut; default 1000
} graze_range_options;

/// One pair of links.
typedef struct graze_range_pair {
    uint32_t model_a, link_a, model_b, link_b; ///< in the order of models, then links
    /// CLEAR: they touch for no values in range. HIT: they touch at `pose`, proven. UNRESOLVED: neither
    graze_verdict verdict;
    graze_reason reason; ///< of UNRESOLVED: BUDGET (max_cells, least_share), CANCELLED, PRECISION
    double unresolved;   ///< share of the range of the joints between them that is not settled; CLEAR: 0
    uint64_t cells;      ///< parts that were searched, in the round that proved most
    const double *pose;  ///< values of all models: at the contact, or at the middle of the largest unsettled part.
                         ///< Those that follow another are rounded
    const double *lower, *upper; ///< UNRESOLVED: the ends of that part, values of all models; otherwise NULL
    double reserved[2];          ///< zeros
} graze_range_pair;

typedef struct graze_range_result {
    size_t struct_size;
    graze_range_pair *pairs; ///< release by graze_range_release()
    size_t pair_count;
    uint64_t cells;
    double *poses; ///< what `pose`, `lower` and `upper` of the pairs point into
    size_t values; ///< of all models
} graze_range_result;

GRAZE_DEFAULTS(graze_joint_range, graze_default_joint_range, graze_init_joint_range)
GRAZE_DEFAULTS(graze_range_options, graze_default_range_options, graze_init_range_options)
GRAZE_DEFAULTS(graze_range_result, graze_default_range_result, graze_init_range_result)

/// Settles every pair of links that graze_articulated_step() would test, on the context's threads. Bits do not depend
/// on their number, unless the cancel callback or the deadline ends the call: then all pairs are listed, and unsettled
/// ones are UNRESOLVED.
///
/// Guarantee: CLEAR holds for every real value in range and exact joints. It also means that neither link is inside the
/// other.
///
/// @param ranges   one for each joint value of all models, in their order; NULL if there are none
/// @param options  NULL for graze_default_range_options()
/// @param result   always written; on any status but GRAZE_OK it has no pairs
GRAZE_API graze_status graze_articulated_range(graze_context *context, const graze_model *const *models, size_t count,
                                               const graze_joint_range *ranges, const graze_range_options *options,
                                               graze_range_result *result);

/// As graze_articulated_range(), and writes a certificate: a text that `graze verify` checks in exact arithmetic,
/// without this library (docs/certificates.md). For CLEAR pairs it has the proof, for HIT the pose at which they touch,
/// and for UNRESOLVED a proof of everything but the share that is left.
///
/// On any status but GRAZE_OK the text given to `write` is incomplete.
GRAZE_API graze_status graze_range_certificate(graze_context *context, const graze_model *const *models, size_t count,
                                               const graze_joint_range *ranges, const graze_range_options *options,
                                               graze_write *write, void *user, graze_range_result *result);

/// Releases what a result holds.
GRAZE_API void graze_range_release(graze_context *context, graze_range_result *result);

#ifdef __cplusplus
}
#endif
#endif
