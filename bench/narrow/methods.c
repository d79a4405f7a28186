/* The list of methods, and one way to call all of them. */
#include "bench/narrow/methods.h"

#include "bench/narrow/apart.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

/* Fault of an answer of somebody else's; NULL: none. */
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
    bool threaded;
    graze_result *results;
    bench_cost cost;
    _Atomic(const char *) fault; /* of this program, so that parent and child have it at one place */
} pair_job;

enum { PAIRS_A_TASK = 256 };

static void ask_some(void *state, size_t task) {
    pair_job *job = state;
    size_t begin = task * PAIRS_A_TASK, end = begin + PAIRS_A_TASK < job->count ? begin + PAIRS_A_TASK : job->count;
    bool late = bench_stopped(job->settings) || bench_seconds() > job->deadline;
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

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bench_cost now(void) { return (bench_cost){bench_seconds(), cpu_seconds()}; }

static bench_cost since(bench_cost begin) {
    return (bench_cost){bench_seconds() - begin.wall, cpu_seconds() - begin.cpu};
}

static const char *own_pairs(graze_context *context, const bench_scene *scene, const graze_pair *pairs, size_t count,
                             const graze_step_options *options, graze_result *results, bench_cost *cost) {
    bench_cost begin = now();
    graze_status status = graze_ccd_pairs(context, &scene->mesh, (const double(*)[3])scene->x0,
                                          (const double(*)[3])scene->x1, pairs, count, options, results);
    *cost = since(begin);
    return status == GRAZE_OK ? NULL : graze_status_name(status);
}

/* In the child. */
static void ask_all(void *state) {
    pair_job *job = state;
    size_t tasks = (job->count + PAIRS_A_TASK - 1) / PAIRS_A_TASK;
    bench_cost begin = now();
    if (job->threaded)
        graze_pool_for(NULL, tasks, ask_some, job);
    else
        for (size_t task = 0; task < tasks; task++) ask_some(job, task);
    job->cost = since(begin);
}

double bench_plugin_limit(double budget) { return fmax(2 * budget, 1); }

/* The job and its results are in memory that the child shares. */
static const char *plugin_pairs(const pair_job *wanted, graze_result *results, bench_cost *cost) {
    static char reason[BENCH_APART_TEXT];
    size_t count = wanted->count, size = sizeof(pair_job) + count * sizeof *results;
    char *memory = bench_shared(size);
    if (!memory) return "no memory to share";
    pair_job *job = (pair_job *)memory;
    *job = *wanted;
    job->results = (graze_result *)(memory + sizeof(pair_job));
    for (size_t i = 0; i < count; i++) /* what the child does not reach */
        job->results[i] = (graze_result){.verdict = GRAZE_UNRESOLVED, .reason = GRAZE_REASON_CANCELLED};
    double left = job->deadline - bench_seconds();
    const char *fault = bench_apart(job->settings, bench_plugin_limit(fmax(left, 0)), ask_all, job, reason)
                            ? atomic_load(&job->fault)
                            : reason;
    memcpy(results, job->results, count * sizeof *results);
    *cost = job->cost;
    bench_shared_free(memory, size);
    return fault;
}

const char *bench_ccd_pairs(const bench_settings *settings, graze_context *context, const bench_scene *scene,
                            const graze_pair *pairs, size_t count, const graze_step_options *options, double deadline,
                            graze_result *results, bench_cost *cost) {
    const bench_brought *brought = bench_method_brought(settings, (int)options->narrow->method);
    if (!brought) return own_pairs(context, scene, pairs, count, options, results, cost);
    pair_job job = {.settings = settings,
                    .plugin = brought->plugin,
                    .scene = scene,
                    .pairs = pairs,
                    .count = count,
                    .options = options->narrow,
                    .deadline = deadline,
                    .threaded = graze_context_threads(context) > 1};
    return plugin_pairs(&job, results, cost);
}
