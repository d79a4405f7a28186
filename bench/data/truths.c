/* Exact truth of many queries, on as many threads as there are. */
#include "app/each.h"
#include "bench/data/data.h"

#include <math.h>

typedef struct run {
    const bench_settings *settings;
    const bench_truth_job *job;
} run;

static graze_status answer(const bench_truth_job *job, size_t i) {
    graze_query room;
    const graze_query *query = &room;
    graze_kind kind = job->kind;
    if (job->scene) {
        bench_scene_query(job->scene, job->first + i, &room);
        kind = job->scene->pairs[job->first + i].kind;
    } else {
        query = &job->queries[i];
    }
    graze_truth *truth;
    graze_status status = graze_truth_find(NULL, kind, query, &job->options, &truth);
    if (status != GRAZE_OK) return status;
    job->hit[i] = (unsigned char)graze_truth_hit(truth);
    if (job->lower) {
        job->lower[i] = job->upper[i] = NAN;
        if (job->hit[i]) graze_truth_bracket(truth, &job->lower[i], &job->upper[i]);
    }
    graze_truth_destroy(NULL, truth);
    return GRAZE_OK;
}

static graze_status answer_wanted(void *user, size_t worker, size_t i) {
    (void)worker;
    const run *r = user;
    return r->job->wanted && !r->job->wanted[i] ? GRAZE_OK : answer(r->job, i);
}

static bool is_stopped(void *user) { return bench_stopped(((const run *)user)->settings); }

bool bench_find_truths(const bench_settings *settings, const bench_truth_job *job, const char *label, io_error *error) {
    if (job->count == 0) return true;
    bench_progress(settings, label, 0);
    graze_context *context = bench_context(settings, settings->threads, 0, error);
    if (!context) return false;
    run r = {.settings = settings, .job = job};
    app_loop loop = {.count = job->count,
                     .threads = graze_context_threads(context),
                     .chunk = 64,
                     .item = answer_wanted,
                     .stopped = is_stopped,
                     .user = &r};
    graze_context_destroy(context);
    graze_status status;
    size_t refused = app_each(&loop, &status);
    return refused == SIZE_MAX || io_fail(error, label, 0, "query %zu: %s", refused, graze_status_name(status));
}
