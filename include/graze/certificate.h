/// Certificates: proofs of verdicts that a small independent program can check.
#ifndef GRAZE_CERTIFICATE_H
#define GRAZE_CERTIFICATE_H

#include "graze/query.h"

#ifdef __cplusplus
extern "C" {
#endif

/// On [t0, t1] every point of B is more than min_separation ahead of every point of A along `direction`. A is the
/// vertex, edge a, or the first point; B the face, edge b, the edge, or the second point. With radii: every corner of B
/// is ahead of every corner of A by more than min_separation and their two radii.
///
/// A zero direction (VF and EE): on [t0, t1] the vertex and the face's plane, or the lines of the edges, are farther
/// apart than min_separation (plus the largest radius of A and of B). A direction of NaN: exact arithmetic decided, and
/// this is the only entry. docs/numerics.md, section 4.8, says how to check each.
typedef struct graze_certificate_entry {
    double direction[3];
    double t0, t1;
} graze_certificate_entry;

/// Answers a query by `certified` and records the proof: intervals that join from 0 to t_max when the verdict is
/// CLEAR, from 0 to toi otherwise.
///
/// @param entries   room for `capacity` entries
/// @param count     number of entries in the proof; if it exceeds `capacity`, the list is cut and the status is
///                  GRAZE_ERR_OUT_OF_MEMORY
/// @param result    always written; on any status but GRAZE_OK it is { GRAZE_UNRESOLVED, toi = 0 }
GRAZE_API graze_status graze_ccd_certificate(graze_kind kind, const graze_query *query, const graze_options *options,
                                             graze_certificate_entry *entries, size_t capacity, size_t *count,
                                             graze_result *result);

/// As graze_ccd_certificate, but for balls, as graze_ccd_thick.
GRAZE_API graze_status graze_ccd_certificate_thick(graze_kind kind, const graze_query *query, const double *radii,
                                                   const graze_options *options, graze_certificate_entry *entries,
                                                   size_t capacity, size_t *count, graze_result *result);

#ifdef __cplusplus
}
#endif
#endif
