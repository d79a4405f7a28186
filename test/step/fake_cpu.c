/* Steps on the fake back end by the CPU of this machine, in a context of their own: for what times and draws a back
   end, and does not ask whether there is a device. */
#include "step/fake_backend.h"

#include "graze/graze.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static graze_context *context;
static double *times; /* of mode VERTICES */
static graze_pair *kept;
static size_t kept_count;

static graze_options narrow_of(const gz_backend_request *r) {
    graze_options narrow = graze_default_options();
    narrow.method = r->exact ? GRAZE_METHOD_EXACT : GRAZE_METHOD_CERTIFIED;
    narrow.min_separation = r->question.separation;
    narrow.t_max = r->question.t_max;
    narrow.tolerance = r->question.tolerance;
    narrow.max_checks = r->question.max_checks;
    return narrow;
}

static graze_step_options options_of(const gz_backend_request *r, const graze_options *narrow) {
    graze_step_options options = graze_default_step_options();
    options.narrow = narrow;
    options.backend = GRAZE_BACKEND_CPU;
    options.mode = r->all ? GRAZE_STEP_ALL : r->stops ? GRAZE_STEP_VERTICES : GRAZE_STEP_EARLIEST;
    options.stride = r->stride;
    options.kinds = r->kinds;
    options.vertex_toi = times;
    options.relative_separation = r->stops ? 0 : r->kept_part;
    return options;
}

static const double (*rows(const char *x))[3] { return (const double(*)[3])(const void *)x; }

/* Something for every stage. */
static void make_up_stages(const graze_step_result *found, gz_stages *stages) {
    for (int i = 0; i < GZ_STAGES; i++) {
        stages->ms[i] = found->ms_total * (i + 1) / 45;
        stages->megabytes[i] = 0.1 * (i + 1);
        stages->launches[i] = 2;
    }
    stages->bus = 50, stages->memory = 3000, stages->launch = 2;
}

static graze_status answer_step(const gz_backend_request *r, const graze_step_result *found,
                                gz_backend_answer *answer) {
    graze_pair_result *pairs = NULL;
    if (r->all && found->pair_count && !(pairs = r->functions.room(r->host, found->pair_count)))
        return GRAZE_ERR_OUT_OF_MEMORY;
    if (pairs) memcpy(pairs, found->pairs, found->pair_count * sizeof *pairs);
    if (r->all) memcpy(answer->candidates, found->candidates, sizeof answer->candidates);
    if (r->all) memcpy(answer->hits, found->hits, sizeof answer->hits);
    answer->pair_count = found->pair_count;
    answer->first = found->limiting;
    answer->has_best = found->has_pair;
    answer->best = found->limiting.pair;
    answer->best_toi = found->toi;
    answer->limits = times;
    answer->passes = 1;
    if (r->stops && found->has_pair) r->functions.take_stops(r->host, &found->limiting.pair, 1);
    if (r->by_stage) make_up_stages(found, &answer->stages);
    return GRAZE_OK;
}

static graze_status list_pairs(const gz_backend_request *r, const graze_step_options *options,
                               gz_backend_answer *answer) {
    graze_pairs_release(context, kept, kept_count);
    graze_status status = graze_candidates(context, r->mesh, rows(r->x0), rows(r->x1), options, &kept, &kept_count);
    size_t count = kept_count && getenv("GRAZE_FAKE_WRONG") ? kept_count - 1 : kept_count; /* one is missing */
    answer->listed_count = count;
    if (status != GRAZE_OK || !count) return status;
    graze_pair *list = r->functions.list_room(r->host, count);
    if (!list) return GRAZE_ERR_OUT_OF_MEMORY;
    memcpy(list, kept, count * sizeof *kept);
    return GRAZE_OK;
}

/* One thread: a pool would outlive this library. */
static bool open_context(void) {
    graze_context_options options = graze_default_context_options();
    options.threads = 1;
    return context || graze_context_create(&options, &context) == GRAZE_OK;
}

void fake_close_cpu(void) {
    if (context) graze_pairs_release(context, kept, kept_count);
    graze_context_destroy(context);
    free(times);
    context = NULL, kept = NULL, times = NULL;
}

graze_status fake_step_by_cpu(const gz_backend_request *r, gz_backend_answer *answer) {
    if (!open_context()) return GRAZE_ERR_OUT_OF_MEMORY;
    times = realloc(times, (r->mesh->vertex_count + (size_t)1) * sizeof *times);
    graze_options narrow = narrow_of(r);
    graze_step_options options = options_of(r, &narrow);
    if (r->candidates && !(r->ti_tolerance > 0)) return list_pairs(r, &options, answer);
    graze_step_result found = graze_default_step_result();
    graze_status status = graze_step(context, r->mesh, rows(r->x0), rows(r->x1), &options, &found);
    if (status == GRAZE_OK) status = answer_step(r, &found, answer);
    answer->ti_checks = 1;
    graze_step_release(context, &found);
    return status;
}
