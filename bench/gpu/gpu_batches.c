/* Batches of queries on both: the candidates of a scene, over and over, in one call. */
#include "bench/gpu/gpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct batch_side {
    graze_context *context;
    graze_result *results;
    bench_times times;
} batch_side;

typedef struct batch_case {
    const bench_scene *scene;
    graze_kind kind;
    graze_method method;
    const graze_query *queries;
    size_t count;
} batch_case;

static const bench_column columns[] = {
    {"scene", "scene", NULL},         {"kind", "kind", NULL},
    {"method", "method", NULL},       {"queries", "queries", NULL},
    {"touching", "that touch", "%"},  {"ms_cpu", "CPU, least", "ms"},
    {"ms_gpu", "GPU, least", "ms"},   {"us_cpu", "a query on the CPU", "µs"},
    {"us_gpu", "on the GPU", "µs"},   {"gb_per_second", "queries uploaded", "GB/s"},
    {"ratio", "GPU faster by", NULL},
};

static graze_context *open_context(const gpu_run *run, graze_backend backend, io_error *error) {
    graze_context_options options = graze_default_context_options();
    options.backend = backend;
    options.threads = (uint32_t)run->settings->threads;
    return bench_context_from(run->settings, options, error);
}

/* A case on one side. */
typedef struct asked_batch {
    const batch_case *given;
    batch_side *side;
} asked_batch;

static graze_status ask(gpu_run *run, void *state) {
    const asked_batch *asked = state;
    const batch_case *c = asked->given;
    graze_options options = graze_default_options();
    (void)run;
    options.method = c->method;
    options.result_stride = sizeof *asked->side->results;
    return graze_ccd_batch(asked->side->context, c->kind, c->queries, c->count, &options, asked->side->results);
}

static bool add_case(gpu_run *run, bench_table *table, const batch_case *c, batch_side sides[2], io_error *error) {
    for (int i = 0; i < 2; i++)
        if (!gpu_time(run, sides[i].context, c->scene->name, ask, &(asked_batch){c, &sides[i]}, &sides[i].times, error))
            return false;
    if (bench_stopped(run->settings)) return true;
    size_t touching = 0;
    for (size_t i = 0; i < c->count; i++) {
        if (!gpu_same_result(&sides[0].results[i], &sides[1].results[i]))
            gpu_differs(run, "a batch: query %zu, toi %.17g and %.17g", (size_t)i, sides[0].results[i].toi,
                        sides[1].results[i].toi);
        touching += sides[0].results[i].verdict != GRAZE_CLEAR;
    }
    run->answers += c->count;
    double cpu = bench_times_least(&sides[0].times), gpu = bench_times_least(&sides[1].times);
    double count = (double)c->count;
    bench_cell *row = bench_add_row(table);
    row[0] = bench_text("%s", c->scene->name);
    row[1] = bench_text("%s", graze_kind_name(c->kind));
    row[2] = bench_text("%s", graze_method_get(c->method)->name);
    row[3] = bench_count(c->count);
    row[4] = bench_number(100 * (double)touching / count);
    row[5] = bench_number(1e3 * cpu);
    row[6] = bench_number(1e3 * gpu);
    row[7] = bench_number(1e6 * cpu / count);
    row[8] = bench_number(1e6 * gpu / count);
    row[9] = bench_number(1e-9 * count * sizeof(graze_query) / gpu);
    row[10] = bench_number(cpu / gpu);
    return true;
}

/* The pairs of one kind of a scene again and again, until there are so many. Fewer than one: 0. */
static size_t repeat_pairs(const bench_scene *scene, graze_kind kind, graze_query *queries, size_t count) {
    size_t made = 0;
    for (size_t i = 0; i < scene->pair_count && made < count; i++)
        if (scene->pairs[i].kind == kind) bench_scene_query(scene, i, &queries[made++]);
    if (!made) return 0;
    for (size_t i = made; i < count; i++) queries[i] = queries[i - made];
    return count;
}

static bool add_sizes(gpu_run *run, bench_table *table, batch_case c, size_t most, batch_side sides[2],
                      io_error *error) {
    for (c.count = most; c.count >= 1000; c.count /= 10) {
        char label[80];
        snprintf(label, sizeof label, "batches: %zu queries", c.count);
        bench_progress(run->settings, label, 0.6);
        if (!add_case(run, table, &c, sides, error)) return false;
    }
    return true;
}

bool gpu_batches(gpu_run *run, const bench_data *data, io_error *error) {
    static const graze_method methods[] = {GRAZE_METHOD_CERTIFIED, GRAZE_METHOD_EXACT};
    size_t most = run->settings->quick ? 100000 : 10000000;
    const bench_scene *scene = bench_largest_scene(data);
    bench_add_heading(run->report, "Batches");
    bench_table *table = bench_add_table(run->report, "gpu-batches", "graze_ccd_batch",
                                         "Wall time of a call with all threads; queries lie in plain pages, and are "
                                         "uploaded in every call. Pairs are the candidates of the scene, repeated.",
                                         columns, sizeof columns / sizeof *columns);
    graze_query *queries = bench_allocate(most, sizeof *queries);
    batch_side sides[2] = {{.context = open_context(run, GRAZE_BACKEND_CPU, error)},
                           {.context = open_context(run, GRAZE_BACKEND_CUDA, error)}};
    bool good = sides[0].context && sides[1].context;
    for (int i = 0; i < 2; i++) sides[i].results = bench_allocate(most, sizeof *sides[i].results);
    for (int kind = 0; good && kind < 2; kind++) {
        if (!repeat_pairs(scene, (graze_kind)kind, queries, most)) continue;
        for (int m = 0; good && m < 2 && !bench_stopped(run->settings); m++) {
            batch_case c = {.scene = scene, .kind = (graze_kind)kind, .method = methods[m], .queries = queries};
            good = add_sizes(run, table, c, most, sides, error);
        }
    }
    for (int i = 0; i < 2; i++) {
        graze_context_destroy(sides[i].context);
        free(sides[i].results);
    }
    free(queries);
    return good;
}
