/* Certificates of freedom: the directions and intervals that prove a verdict. What each entry claims, and how to check
   it, is docs/numerics.md, section 4.8. */
#include "graze/certificate.h"

#include "base/self_test.h"
#include "narrow/certified.h"
#include "narrow/results.h"
#include "pair/thick.h"

#include <math.h>
#include <string.h>

/* Directions that may stand in for one piece that the volume polynomial proved. */
#define MAX_DIRECTIONS 256

typedef struct recorder {
    graze_certificate_entry *entries;
    size_t capacity, count;
    const gz_motion *pair;
    double end; /* nothing later is asked for */
} recorder;

static void add(recorder *r, const double direction[3], double t0, double t1) {
    if (t0 >= r->end) return;
    if (r->count < r->capacity) {
        graze_certificate_entry *entry = &r->entries[r->count];
        memcpy(entry->direction, direction, sizeof entry->direction);
        entry->t0 = t0;
        entry->t1 = fmin(t1, r->end);
    }
    r->count++;
}

static void record(void *state, const double direction[3], double t0, double t1) {
    recorder *r = state;
    if (direction[0] == 0 && direction[1] == 0 && direction[2] == 0) {
        /* directions are simpler to check than a polynomial: as far as they go */
        const gz_motion *pair = r->pair;
        for (int i = 0; i < MAX_DIRECTIONS && t0 < t1; i++) {
            v_vec n = gz_motion_direction(pair, t0);
            double next = gz_motion_advance(pair, n, t0);
            if (!(next > t0 + 0x1p-40)) break;
            add(r, (double[3]){n.x, n.y, n.z}, t0, fmin(next, t1));
            t0 = fmin(next, t1);
        }
        if (!(t0 < t1)) return;
    }
    add(r, direction, t0, t1);
}

graze_status graze_ccd_certificate(graze_kind kind, const graze_query *query, const graze_options *options,
                                   graze_certificate_entry *entries, size_t capacity, size_t *count,
                                   graze_result *result) {
    return graze_ccd_certificate_thick(kind, query, NULL, options, entries, capacity, count, result);
}

graze_status graze_ccd_certificate_thick(graze_kind kind, const graze_query *query, const double *radii,
                                         const graze_options *options, graze_certificate_entry *entries,
                                         size_t capacity, size_t *count, graze_result *result) {
    if (count) *count = 0;
    if (!result) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_result_unresolved(result, GRAZE_REASON_NONE);
    if (!query || !count || (capacity && !entries)) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_pieces written = gz_bytes_at(entries, capacity * sizeof *entries);
    if (gz_result_overlaps(result, query, sizeof *query) || gz_overlap(written, gz_bytes_at(query, sizeof *query)) ||
        (radii && gz_result_overlaps(result, radii, sizeof(double[4]))))
        return GRAZE_ERR_INVALID_ARGUMENT;
    graze_options chosen;
    graze_status status = gz_options_read(NULL, options, &chosen);
    if (status != GRAZE_OK) return status;
    if (chosen.t_max == 0) return GRAZE_ERR_INVALID_ARGUMENT; /* there is no time to prove free */
    chosen.method = GRAZE_METHOD_CERTIFIED;
    gz_counts counts = {0};
    gz_narrow_call call = {.counts = &counts};
    const gz_method *method;
    status = gz_narrow_prepare(NULL, kind, &chosen, &call, &method);
    if (status == GRAZE_OK) status = gz_query_check(kind, query, 0);
    if (status == GRAZE_OK) status = gz_radii_check(kind, radii, call.question.separation);
    if (status != GRAZE_OK) return status;
    gz_fp_environment env;
    if (!gz_enter(&env)) return GRAZE_ERR_FP_ENVIRONMENT;

    gz_motion pair;
    if (radii)
        gz_motion_make_thick(&pair, kind, query, call.question.separation, radii);
    else
        gz_motion_make(&pair, kind, query, call.question.separation);
    recorder r = {.entries = entries, .capacity = capacity, .pair = &pair, .end = call.question.t_max};
    gz_certified_call recorded = gz_certified_call_of(&call);
    recorded.record = record;
    recorded.record_state = &r;
    gz_lane_source source = {.kind = kind, .separation = call.question.separation, .queries = query, .radii = radii};
    gz_certified_pair(&recorded, &source, 0, call.question.t_max, result);

    /* toi may be later than the steps: an axis direction was better, or exact arithmetic decided */
    double reached = r.count == 0 ? 0 : r.count <= capacity ? entries[r.count - 1].t1 : result->toi;
    if (reached < result->toi) {
        int axis = 0;
        double direction[3] = {NAN, NAN, NAN};
        if (gz_axis_free_time(kind, query, call.question.separation, radii, &axis) >= result->toi) {
            memset(direction, 0, sizeof direction);
            direction[axis / 2] = axis & 1 ? -1 : 1;
        }
        r.count = 0;
        add(&r, direction, 0, result->toi);
    }
    gz_fp_leave(&env);
    *count = r.count;
    if (r.count <= capacity) return GRAZE_OK;
    gz_result_unresolved(result, GRAZE_REASON_MEMORY);
    return GRAZE_ERR_OUT_OF_MEMORY;
}
