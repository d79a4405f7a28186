/* Exact truth of many queries, on as many threads as there are. */
#include "bench/data.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct run {
    const bench_settings *settings;
    const bench_truth_job *job;
    atomic_size_t next, refused; /* refused: a query that failed; SIZE_MAX: none */
    _Atomic int status;
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

static void *work(void *state) {
    enum { CHUNK = 64 };
    run *r = state;
    for (;;) {
        size_t begin = atomic_fetch_add(&r->next, CHUNK);
        if (begin >= r->job->count || atomic_load(&r->refused) != SIZE_MAX || bench_stopped(r->settings)) return NULL;
        size_t end = r->job->count - begin < CHUNK ? r->job->count : begin + CHUNK;
        for (size_t i = begin; i < end; i++) {
            if (r->job->wanted && !r->job->wanted[i]) continue;
            graze_status status = answer(r->job, i);
            if (status == GRAZE_OK) continue;
            size_t none = SIZE_MAX;
            if (atomic_compare_exchange_strong(&r->refused, &none, i)) r->status = (int)status;
            return NULL;
        }
    }
}

bool bench_find_truths(const bench_settings *settings, const bench_truth_job *job, const char *label, io_error *error) {
    if (job->count == 0) return true;
    bench_progress(settings, label, 0);
    run r = {.settings = settings, .job = job};
    atomic_store(&r.refused, SIZE_MAX);
    graze_context *context = bench_context(settings, settings->threads, 0, error);
    if (!context) return false;
    size_t threads = graze_context_threads(context), started = 0;
    graze_context_destroy(context);
    pthread_t *others = bench_allocate(threads, sizeof *others);
    while (started + 1 < threads && pthread_create(&others[started], NULL, work, &r) == 0) started++;
    work(&r);
    for (size_t i = 0; i < started; i++) pthread_join(others[i], NULL);
    free(others);
    size_t refused = atomic_load(&r.refused);
    return refused == SIZE_MAX ||
           io_fail(error, label, 0, "query %zu: %s", refused, graze_status_name((graze_status)r.status));
}
