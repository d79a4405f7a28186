/* Batches on the fake back end, one pair at a time as a device does it: in slices, and without exact
   arithmetic. */
#include "step/fake_backend.h"

#include "kernels/kernels.h"
#include "pair/pair.h"

#include <stdio.h>

#define SLICE 100

static bool answer_float(const gz_certified_call *call, const graze_query_f32 *query, graze_result *result) {
    gz_lane_source_f32 source = {call->kind, gz_float_not_below(call->separation), query};
    gz_certified_next next = GZ_NEXT_PROBE;
    float t = 0;
    gz_result_unresolved(result, GRAZE_REASON_NONE);
    for (int round = 0; next == GZ_NEXT_PROBE; round++) {
        uint32_t first = 0;
        float before = t;
        gz_kernels_scalar.round_f32(&source, (float)gz_certified_ahead(round), &first, 1, &t, NULL);
        result->checks++;
        next = gz_certified_after(round, t, t - before, call->t_max, call->max_checks);
    }
    graze_query wide = gz_widened(query);
    if (next == GZ_NEXT_FINISH) return gz_certified_finish(call, &wide, NULL, t, call->t_max, result);
    gz_result_clear(result, call->t_max);
    return true;
}

static bool answer_double(const gz_certified_call *call, const graze_query *query, graze_result *result) {
    gz_lane_source source = {.kind = call->kind, .separation = call->separation, .queries = query};
    return gz_certified_pair(call, &source, 0, call->t_max, result);
}

static bool is_allowed(const gz_batch_request *r, const graze_query *query) {
    for (int i = 0; i < gz_kind_rows(r->kind); i++)
        for (int c = 0; c < 3; c++)
            if (!(fabs(query->x0[i][c]) <= r->largest && fabs(query->x1[i][c]) <= r->largest)) return false;
    return true;
}

graze_status fake_batch(void *device, const gz_batch_request *r, gz_batch_answer *answer) {
    (void)device;
    gz_certified_call call = {.kind = r->kind, .exact = r->exact};
    gz_certified_take(&call, &r->question);
    for (size_t begin = 0; begin < r->count && !r->functions.cancelled(r->host); begin += SLICE) {
        size_t count = r->count - begin < SLICE ? r->count - begin : SLICE;
        graze_query queries[SLICE];
        graze_query_f32 floats[SLICE];
        graze_result results[SLICE];
        uint32_t codes[SLICE], kept = 0;
        if (fake_is("lost") && begin) {
            snprintf(answer->message, sizeof answer->message, "the device was lost");
            return GRAZE_ERR_DEVICE;
        }
        r->functions.gather(r->host, begin, begin + count, r->floats ? (void *)floats : queries);
        for (size_t i = 0; i < count; i++) {
            graze_query wide = r->floats ? gz_widened(&floats[i]) : queries[i];
            if (!is_allowed(r, &wide)) {
                answer->bad = begin + i;
                return GRAZE_OK;
            }
            graze_result *result = &results[kept];
            bool known = !fake_is("ask") && (r->floats ? answer_float(&call, &floats[i], result)
                                                       : answer_double(&call, &queries[i], result));
            codes[i] = !known                           ? GZ_BATCH_ASK
                       : result->verdict == GRAZE_CLEAR ? (uint32_t)result->checks
                                                        : GZ_BATCH_RESULT | kept++;
        }
        r->functions.take(r->host, begin, count, codes, results);
        answer->done = begin + count;
    }
    return GRAZE_OK;
}
