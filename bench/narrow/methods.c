/* The list of methods, and one way to call all of them. */
#include "bench/narrow/methods.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static int own_methods(void) {
    int last = 0;
    while (graze_method_get((graze_method)(last + 1))) last++;
    return last;
}

const bench_brought *bench_method_brought(const bench_settings *settings, int m) {
    int index = m - own_methods() - 1;
    return index >= 0 && (size_t)index < settings->brought_count ? &settings->brought[index] : NULL;
}

const graze_method_info *bench_method(const bench_settings *settings, int m) {
    const bench_brought *brought = bench_method_brought(settings, m);
    return brought ? &brought->info : graze_method_get((graze_method)m);
}

int bench_method_find(const bench_settings *settings, const char *name) {
    for (int m = 1; bench_method(settings, m); m++)
        if (strcmp(bench_method(settings, m)->name, name) == 0) return m;
    return 0;
}

bool bench_method_answers_calls(const bench_settings *settings, int m) {
    const bench_brought *brought = bench_method_brought(settings, m);
    return !brought || brought->plugin;
}

bool bench_method_answers_kind(const bench_settings *settings, int m, graze_kind kind) {
    return (bench_method(settings, m)->kinds & 1u << kind) != 0;
}

/* What is wrong with an answer of somebody else's; NULL: nothing. */
static const char *fault_of(const graze_plugin_info *plugin, graze_status status, const graze_result *result) {
    if (status != GRAZE_OK) return graze_status_name(status);
    if (result->verdict != GRAZE_CLEAR && result->verdict != GRAZE_HIT && result->verdict != GRAZE_UNRESOLVED)
        return "a verdict that is none";
    if (result->verdict == GRAZE_HIT && plugin->gives_toi && !(result->toi >= 0 && result->toi <= 1))
        return "a hit whose toi is not in [0, 1]";
    return NULL;
}

static const char *ask_plugin(const graze_plugin_info *plugin, graze_kind kind, const graze_query *query,
                              const graze_options *options, graze_result *result) {
    graze_options asked = *options;
    asked.method = GRAZE_METHOD_DEFAULT; /* its number here means nothing to it */
    *result = (graze_result){.verdict = GRAZE_UNRESOLVED};
    graze_status status = plugin->ccd(kind, query, &asked, result);
    return fault_of(plugin, status, result);
}

const char *bench_ccd(const bench_settings *settings, graze_kind kind, const graze_query *query,
                      const graze_options *options, graze_result *result) {
    const bench_brought *brought = bench_method_brought(settings, (int)options->method);
    if (brought) return ask_plugin(brought->plugin, kind, query, options, result);
    graze_status status = graze_ccd(kind, query, options, result);
    return status == GRAZE_OK ? NULL : graze_status_name(status);
}

/* ---- many pairs ---- */

typedef struct pair_job {
    const bench_settings *settings;
    const graze_plugin_info *plugin;
    const bench_scene *scene;
    const graze_pair *pairs;
    size_t count;
    const graze_options *options;
    double deadline;
    graze_result *results;
    _Atomic(const char *) fault;
} pair_job;

enum { PAIRS_A_TASK = 256 };

static void ask_some(void *state, size_t task) {
    pair_job *job = state;
    size_t begin = task * PAIRS_A_TASK, end = begin + PAIRS_A_TASK < job->count ? begin + PAIRS_A_TASK : job->count;
    bool late = bench_stopped(job->settings) || (job->deadline > 0 && bench_seconds() > job->deadline);
    for (size_t i = begin; i < end; i++) {
        graze_result *result = &job->results[i];
        *result = (graze_result){.verdict = GRAZE_UNRESOLVED, .reason = GRAZE_REASON_CANCELLED};
        if (late) continue;
        graze_query query;
        graze_pair_query(&job->scene->mesh, (const double(*)[3])job->scene->x0, (const double(*)[3])job->scene->x1, 0,
                         job->pairs[i], &query);
        const char *fault = ask_plugin(job->plugin, job->pairs[i].kind, &query, job->options, result);
        if (fault) atomic_store(&job->fault, fault);
    }
}

static const char *own_pairs(graze_context *context, const bench_scene *scene, const graze_pair *pairs, size_t count,
                             const graze_step_options *options, graze_result *results) {
    graze_status status = graze_ccd_pairs(context, &scene->mesh, (const double(*)[3])scene->x0,
                                          (const double(*)[3])scene->x1, pairs, count, options, results);
    return status == GRAZE_OK ? NULL : graze_status_name(status);
}

const char *bench_ccd_pairs(const bench_settings *settings, graze_context *context, const bench_scene *scene,
                            const graze_pair *pairs, size_t count, const graze_step_options *options, double deadline,
                            graze_result *results) {
    const bench_brought *brought = bench_method_brought(settings, (int)options->narrow->method);
    if (!brought) return own_pairs(context, scene, pairs, count, options, results);
    pair_job job = {.settings = settings,
                    .plugin = brought->plugin,
                    .scene = scene,
                    .pairs = pairs,
                    .count = count,
                    .options = options->narrow,
                    .deadline = deadline,
                    .results = results};
    size_t tasks = (count + PAIRS_A_TASK - 1) / PAIRS_A_TASK;
    if (graze_context_threads(context) > 1)
        graze_pool_for(NULL, tasks, ask_some, &job);
    else
        for (size_t task = 0; task < tasks; task++) ask_some(&job, task);
    return atomic_load(&job.fault);
}
