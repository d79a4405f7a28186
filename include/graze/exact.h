/// Exact truth: whether and when a pair first touches, decided in integer arithmetic from the exact values of the
/// doubles.
#ifndef GRAZE_EXACT_H
#define GRAZE_EXACT_H

#include "graze/query.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Norm that measures distance when a separation is asked for.
typedef enum graze_norm {
    GRAZE_NORM_EUCLIDEAN = 0,
    GRAZE_NORM_MAX, ///< largest of the three coordinate differences, as Tight Inclusion defines separation
} graze_norm;

typedef struct graze_truth_options {
    size_t struct_size;
    double min_separation;
    graze_norm norm;
    double t_max;
} graze_truth_options;

/// The exact answer to a query: a first contact time as the root of an integer polynomial in an isolating interval.
typedef struct graze_truth graze_truth;

GRAZE_DEFAULTS(graze_truth_options, graze_default_truth_options, graze_init_truth_options)

/// Decides a query exactly. Takes every finite double; memory is bounded by the spread of the exponents.
/// @param context  NULL for the C library's allocator
/// @param truth    set to NULL on any status but GRAZE_OK. Destroy it with the same context
GRAZE_API graze_status graze_truth_find(graze_context *context, graze_kind kind, const graze_query *query,
                                        const graze_truth_options *options, graze_truth **truth);
GRAZE_API void graze_truth_destroy(graze_context *context, graze_truth *truth);

/* A NULL truth means no hit. Output pointers may be NULL. */

/// 1 if the pair touches in [0, t_max].
GRAZE_API int graze_truth_hit(const graze_truth *truth);

/// Adjacent doubles around the first contact: lower ≤ τ ≤ upper, equal when τ is a double. NaN without a hit.
GRAZE_API void graze_truth_bracket(const graze_truth *truth, double *lower, double *upper);

/// −1, 0 or 1: t is before, at or after the first contact. t may be anything but NaN. −1 without a hit.
GRAZE_API int graze_truth_compare(const graze_truth *truth, double t);

/// Degree of the primitive square-free integer polynomial whose root is the first contact; −1 without a hit.
GRAZE_API int graze_truth_degree(const graze_truth *truth);

/// Writes coefficient k (0: the constant term) in decimal; the leading one is positive. Returns its length without the
/// final NUL; at most `size` bytes are written.
GRAZE_API size_t graze_truth_coefficient(const graze_truth *truth, int k, char *buffer, size_t size);

/// Number of contact times in [0, t_max] counted with multiplicity; −1 when there are infinitely many. With a
/// separation contacts last for intervals and are not counted: −1 on a hit.
GRAZE_API int graze_truth_contact_count(const graze_truth *truth);

/// 1 if a contact lies on the boundary of the (t, u, v) domain: at t = 0 or t_max, or on an edge or end of a
/// primitive. With a separation: 1 on a hit.
GRAZE_API int graze_truth_on_boundary(const graze_truth *truth);

/// Encloses the contact's parameters at the first contact; u and v as in graze_result. NaN without a hit. The bounds
/// are 1e-12 apart or less unless the parameter is ill-conditioned in time. In GRAZE_NORM_MAX they are not computed:
/// [0, 1].
GRAZE_API void graze_truth_parameters(const graze_truth *truth, double u[2], double v[2]);

#ifdef __cplusplus
}
#endif
#endif
