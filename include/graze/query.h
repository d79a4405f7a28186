/// One pair of primitives on straight paths: does it touch, when and where?
#ifndef GRAZE_QUERY_H
#define GRAZE_QUERY_H

#include "graze/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Which primitives, and how the rows of a query are read.
typedef enum graze_kind {
    GRAZE_VF = 0, ///< vertex–face: vertex, face corner 0, 1, 2
    GRAZE_EE,     ///< edge–edge: a0, a1, b0, b1
    GRAZE_PE,     ///< point–edge: point, e0, e1; the fourth row is not read
    GRAZE_PP,     ///< point–point: a, b; the third and fourth row are not read
} graze_kind;

/// "vf", "ee", "pe", "pp"; NULL for an unknown value.
GRAZE_API const char *graze_kind_name(graze_kind kind);
/// Returns 0 and leaves *kind alone if no kind has that name.
GRAZE_API int graze_kind_find(const char *name, graze_kind *kind);

/// Four points, each on a straight line from x0 at t = 0 to x1 at t = 1: x(t) = (1−t)·x0 + t·x1.
typedef struct graze_query {
    double x0[4][3];
    double x1[4][3];
} graze_query;

typedef struct graze_query_f32 {
    float x0[4][3];
    float x1[4][3];
} graze_query_f32;

/// In the plane: GRAZE_PE is point, segment end, segment end; GRAZE_PP the first two rows.
typedef struct graze_query_2d {
    double x0[3][2];
    double x1[3][2];
} graze_query_2d;

/// Ways to answer a query. docs/methods.md compares them.
typedef enum graze_method {
    GRAZE_METHOD_DEFAULT = 0,
    GRAZE_METHOD_CERTIFIED, ///< directional certificates; conservative, three-valued
    GRAZE_METHOD_EXACT,     ///< certificates, and exact arithmetic for what they leave
    GRAZE_METHOD_ORACLE,    ///< exact arithmetic only
    GRAZE_METHOD_TI,        ///< Tight Inclusion
    GRAZE_METHOD_IRF,       ///< multivariate interval root finder
    GRAZE_METHOD_UIRF,      ///< univariate interval root finder
    GRAZE_METHOD_FPRF,      ///< floating-point cubic root finder; misses contacts
    GRAZE_METHOD_MSRF,      ///< minimum-separation root finder; misses contacts
    GRAZE_METHOD_RP,        ///< root parity in floating point; misses even counts
    GRAZE_METHOD_RRP,       ///< root parity in rationals; misses even counts
    GRAZE_METHOD_BSC,       ///< Bernstein sign classification
    GRAZE_METHOD_TCCD,      ///< TightCCD
    GRAZE_METHOD_ACCD,      ///< additive conservative advancement; not conservative in floats
    GRAZE_METHOD_SAFE,      ///< failure-proof cubic
    GRAZE_METHOD_PROVOT,    ///< the basic cubic test; misses contacts
} graze_method;

/// Options of a query. Begin with graze_default_options(), then change what you need. The defaults are right without
/// knowledge of the scene.
typedef struct graze_options {
    size_t struct_size;
    graze_method method;
    double min_separation; ///< distance that counts as contact, Euclidean, finite, ≥ 0
    /// End of the time interval, in [0, 1]. 0 tests only t = 0, and a hit has toi 0. Lowering t_max never changes the
    /// bits of an earlier toi of `certified`, `exact` and `oracle` (to keep ties, use the double after a known toi)
    double t_max;
    /// Gap at which an unproven hit is reported, a length ≥ 0; 0: the method's default. `certified`: such a pair comes
    /// within min_separation + tolerance; a smaller tolerance costs only time
    double tolerance;
    uint64_t max_checks;     ///< work allowed to one query; 0: the method's default
    double inside_tolerance; ///< slack of the inside test (η of `fprf`), for methods that have one; 0: their default
    /// Bytes from one graze_result to the next in the caller's array, at least the struct's size in version 0.2; 0:
    /// that size. At most this many bytes of each result are written, so the longer graze_result of a later version
    /// never overwrites the next element
    size_t result_stride;
} graze_options;

/// Result for a pair.
typedef struct graze_result {
    graze_verdict verdict;
    graze_reason reason; ///< why, where verdict is GRAZE_UNRESOLVED
    int32_t proven;      ///< HIT: 1 if a contact at or before toi_upper is proven, 0 if only the tolerance was reached
    double toi;          ///< proven: no contact in [0, toi). CLEAR: t_max. toi itself may be the contact
    double toi_upper;    ///< proven hits: first contact is at or before it; else INFINITY
    double u; ///< VF: contact = f0 + u·(f1−f0) + v·(f2−f0); EE: along a; PE: along the edge; NaN without a hit
    double v; ///< EE: along b
    double point[3];  ///< where they touch (at toi); NaN without a hit
    double normal[3]; ///< unit, from the face (edge b, edge, point b) towards the vertex (edge a, point, point a) just
                      ///< before contact
    uint64_t checks;  ///< boxes or probes that this answer took
} graze_result;

/// Facts about a method.
typedef struct graze_method_info {
    graze_method method;
    const char *name;         ///< as on the command line
    const char *summary;      ///< one line
    int available;            ///< this build has it
    int conservative;         ///< never misses a contact, in floating point
    int exact;                ///< no false alarm either
    int gives_toi;            ///< else toi is 0 on a hit
    double default_tolerance; ///< 0: automatic, 2⁻⁴⁰ of the pair's size
    uint64_t default_max_checks;
    unsigned kinds; ///< bit (1u << graze_kind) for each kind it answers
} graze_method_info;

GRAZE_DEFAULTS(graze_options, graze_default_options, graze_init_options)

/// Finds the first time at which the two primitives come within `min_separation` of each other.
///
/// Every point moves on a straight line from `x0` at t = 0 to `x1` at t = 1. Primitives and time are closed:
/// touching counts, also at t = 0 and at t_max.
///
/// Guarantee (methods with `conservative` set): contact never begins before `result->toi`. GRAZE_CLEAR is a proof that
/// there is none in [0, t_max]. For one pair the proof has no premise; whole meshes must not intersect at the start
/// (graze/step.h). GRAZE_UNRESOLVED means that a limit was reached; nothing touches before `toi`. Times belong to exact
/// paths: rounded positions at toi may touch. graze_step_to writes positions that do not.
///
/// @param options  NULL for graze_default_options()
/// @param result   always written; on any status but GRAZE_OK it is { GRAZE_UNRESOLVED, toi = 0 }
///
/// Does not allocate, lock or log; any number of threads may call it at once. Exact arithmetic that outgrows the stack
/// (coordinates from 1 down to 2⁻¹⁰⁷⁴, for example) ends in GRAZE_UNRESOLVED with reason MEMORY. A context has room for
/// it. All other answers have the same bits with and without a context.
GRAZE_API graze_status graze_ccd(graze_kind kind, const graze_query *query, const graze_options *options,
                                 graze_result *result);

/// As graze_ccd, but every point is a ball: radii[i] ≥ 0 belongs to row i, and each primitive is the convex hull of its
/// balls, so its radius varies linearly. Contact is a distance of at most `min_separation` between the hulls. `u`, `v`
/// and `point` are on the primitive itself, inside the hull.
///
/// Methods `certified` and `exact`; others: GRAZE_ERR_UNSUPPORTED. `exact` is exact if the radii are equal within each
/// of the two primitives. Otherwise it proves what `certified` proves: toi and toi_upper are bounds, not adjacent
/// doubles, a hit may be unproven, and GRAZE_REASON_PRECISION is possible. toi > 0 is then promised only for a start
/// gap larger than rounding can hide, about 2⁻⁴⁸ of the pair's size.
///
/// @param radii  NULL: as graze_ccd
GRAZE_API graze_status graze_ccd_thick(graze_kind kind, const graze_query *query, const double *radii,
                                       const graze_options *options, graze_result *result);

/// graze_ccd for `count` queries of one kind, on the context's threads or its back end (graze_context_options). Results
/// are bit-identical to those of one thread. On bad input graze_context_last_error() names the first bad query, and all
/// results are UNRESOLVED.
///
/// @param context  NULL for one thread and no allocation
GRAZE_API graze_status graze_ccd_batch(graze_context *context, graze_kind kind, const graze_query *queries,
                                       size_t count, const graze_options *options, graze_result *results);

/// Coordinates of a batch: x0 and x1 in separate arrays, as array libraries keep them.
typedef struct graze_query_arrays {
    size_t struct_size;
    const double *x0, *x1;
    /// bytes from one query to the next, from row to row, from coordinate to coordinate; negative ones and 0 are fine.
    /// {0, 0, 0}: {96, 24, 8}, an array of shape (count, 4, 3)
    ptrdiff_t strides0[3], strides1[3];
} graze_query_arrays;

/// No arrays, and strides {0, 0, 0}.
GRAZE_DEFAULTS(graze_query_arrays, graze_default_query_arrays, graze_init_query_arrays)

/// graze_ccd_batch on such arrays, with the same bits. Only the rows of the kind are read.
///
/// @param result_stride  replaces that of the options, unless it is 0
GRAZE_API graze_status graze_ccd_batch_strided(graze_context *context, graze_kind kind,
                                               const graze_query_arrays *arrays, size_t count,
                                               const graze_options *options, graze_result *results,
                                               size_t result_stride);

/// float32 twins, with the same guarantees. `certified` and `exact` probe in float arithmetic, which has its own proof,
/// and finish in double what that leaves open, mostly contacts. `safe` works in float; the other methods convert the
/// coordinates to double.
GRAZE_API graze_status graze_ccd_f32(graze_kind kind, const graze_query_f32 *query, const graze_options *options,
                                     graze_result *result);
GRAZE_API graze_status graze_ccd_batch_f32(graze_context *context, graze_kind kind, const graze_query_f32 *queries,
                                           size_t count, const graze_options *options, graze_result *results);

/// Points and segments in the plane; `kind` is GRAZE_PE or GRAZE_PP. point[2] and normal[2] of the result are 0.
GRAZE_API graze_status graze_ccd_2d(graze_kind kind, const graze_query_2d *query, const graze_options *options,
                                    graze_result *result);

/// NULL for an unknown value. GRAZE_METHOD_DEFAULT gives the method that it stands for.
GRAZE_API const graze_method_info *graze_method_get(graze_method method);
/// NULL if no method has that name.
GRAZE_API const graze_method_info *graze_method_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
