/* Certificates of freedom: the directions and intervals that prove a verdict. */
#include "graze/certificate.h"

#include "narrow/method.h"

graze_status graze_ccd_certificate(graze_kind kind, const graze_query *query, const graze_options *options,
                                   graze_certificate_entry *entries, size_t capacity, size_t *count,
                                   graze_result *result) {
    (void)kind;
    (void)options;
    (void)entries;
    (void)capacity;
    if (!result || !count) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_result_unresolved(result, GRAZE_REASON_NONE);
    *count = 0;
    return query ? GRAZE_ERR_UNSUPPORTED : GRAZE_ERR_INVALID_ARGUMENT;
}
