/* Speedup of a step by more threads, beside what the narrow phase alone gains on the same machine: its pairs do not
   depend on each other, so a step is hardly ever better. */
#include "bench/step/step.h"

#include <math.h>
#include <stdlib.h>

#define MOST_PAIRS 1000000u /* that the narrow phase is timed on */

static const bench_column columns[] = {
    {"scene", "scene", NULL},
    {"what", "what", NULL},
    {"threads", "threads", NULL},
    {"ms", "median", "ms"},
    {"ms_least", "least", "ms"},
    {"speed_up", "times as fast as one thread", NULL},
    {"of_pairs", "of what pairs gain", NULL},
};

/* A thing that is timed. */
typedef struct timed {
    const char *name;
    graze_step_mode mode;
    bool fresh, pairs; /* pairs: graze_ccd_pairs, and the rest is not read */
} timed;

static const timed things[] = {
    {.name = "pairs", .pairs = true}, /* first: the others are compared with it */
    {.name = "earliest", .mode = GRAZE_STEP_EARLIEST},
    {.name = "earliest, fresh context", .mode = GRAZE_STEP_EARLIEST, .fresh = true},
    {.name = "all", .mode = GRAZE_STEP_ALL},
};
enum { THINGS = sizeof things / sizeof *things };

typedef struct scene_pairs {
    graze_pair *pairs;
    size_t count, all; /* timed; listed */
    graze_result *results;
} scene_pairs;

typedef struct threads_call {
    bench_step_run *run;
    const bench_scene *scene;
    const scene_pairs *pairs;
    bench_table *table;
    bench_plot *plot;
} threads_call;

static uint32_t next_threads(uint32_t threads, uint32_t all) {
    return threads < all && 2 * threads > all ? all : 2 * threads;
}

static bool list_pairs(const bench_scene *scene, graze_context *context, scene_pairs *pairs, io_error *error) {
    *pairs = (scene_pairs){0};
    graze_status status = graze_candidates(context, &scene->mesh, (const double(*)[3])scene->x0,
                                           (const double(*)[3])scene->x1, NULL, &pairs->pairs, &pairs->all);
    if (status != GRAZE_OK) return bench_call_failed(context, scene->name, status, error);
    pairs->count = pairs->all < MOST_PAIRS ? pairs->all : MOST_PAIRS;
    pairs->results = bench_allocate(pairs->count, sizeof *pairs->results);
    return true;
}

static bool time_pairs(const threads_call *call, uint32_t threads, bench_times *times, io_error *error) {
    const bench_scene *scene = call->scene;
    graze_context *context = bench_context(call->run->settings, threads, 0, error);
    graze_status status = context ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY;
    *times = (bench_times){0};
    /* the first call is not timed: it starts the threads */
    for (bool warm = false; status == GRAZE_OK && bench_times_more(times, call->run->repeat, call->run->budget);
         warm = true) {
        if (bench_stopped(call->run->settings)) break;
        double begin = bench_seconds();
        status = graze_ccd_pairs(context, &scene->mesh, (const double(*)[3])scene->x0, (const double(*)[3])scene->x1,
                                 call->pairs->pairs, call->pairs->count, NULL, call->pairs->results);
        if (warm) bench_times_add(times, bench_seconds() - begin);
    }
    if (context && status != GRAZE_OK) bench_call_failed(context, scene->name, status, error);
    graze_context_destroy(context);
    return status == GRAZE_OK;
}

static bool time_thing(const threads_call *call, const timed *thing, uint32_t threads, bench_times *times,
                       io_error *error) {
    if (thing->pairs) return time_pairs(call, threads, times, error);
    bench_step_times measured;
    if (!bench_step_time(call->run, call->scene, thing->mode, threads, thing->fresh, &measured, error)) return false;
    *times = measured.times;
    return true;
}

static void add_row(const threads_call *call, const timed *thing, uint32_t threads, const bench_times *times,
                    double speed_up, double of_pairs) {
    bench_cell *row = bench_add_row(call->table);
    row[0] = bench_text("%s", call->scene->name);
    row[1] = bench_text("%s", thing->name);
    row[2] = bench_count(threads);
    row[3] = bench_number(1e3 * bench_times_median(times));
    row[4] = bench_number(1e3 * bench_times_least(times));
    row[5] = bench_number(speed_up);
    row[6] = bench_number(of_pairs);
}

/* `gains` are those of pairs for each number of threads: written by them, read by the others. */
static bool add_thing(const threads_call *call, const timed *thing, double *gains, io_error *error) {
    double one = NAN;
    uint32_t all = call->run->threads;
    bench_series *series = bench_add_series(call->plot, call->scene->name, thing->name);
    for (uint32_t t = 1, i = 0; t <= all && !bench_stopped(call->run->settings); t = next_threads(t, all), i++) {
        bench_times times;
        if (!time_thing(call, thing, t, &times, error)) return false;
        double median = bench_times_median(&times);
        if (t == 1) one = median;
        if (thing->pairs) gains[i] = one / median;
        bench_add_point(series, t, one / median);
        add_row(call, thing, t, &times, one / median, one / median / gains[i]);
    }
    return true;
}

static bool add_scene(threads_call *call, io_error *error) {
    bench_step_run *run = call->run;
    scene_pairs pairs = {0};
    double gains[32]; /* more doublings than there are threads */
    graze_context *context = bench_context(run->settings, run->threads, 0, error);
    bool good = context && list_pairs(call->scene, context, &pairs, error);
    call->pairs = &pairs;
    for (int i = 0; i < THINGS && good; i++) good = add_thing(call, &things[i], gains, error);
    bench_series *perfect = bench_add_series(call->plot, call->scene->name, "perfect");
    for (uint32_t t = 1; t <= run->threads; t = next_threads(t, run->threads)) bench_add_point(perfect, t, t);
    graze_pairs_release(context, pairs.pairs, pairs.all);
    free(pairs.results);
    graze_context_destroy(context);
    return good;
}

bool bench_step_threads(bench_step_run *run, io_error *error) {
    static const char note[] = "Medians. pairs: graze_ccd_pairs on at most a million candidates of the scene.";
    threads_call call = {.run = run};
    call.table = bench_add_table(run->report, "step-threads", "Steps by threads", note, columns,
                                 sizeof columns / sizeof *columns);
    call.plot =
        bench_add_plot(run->report, "step-scaling", "Strong scaling of a step", "Times as fast as one thread.",
                       BENCH_LINES, (bench_axis){"threads", NULL, false}, (bench_axis){"speed-up", NULL, false});
    call.plot->paper = "Scalable CCD, figure 6";
    for (size_t s = 0; s < run->data.scene_count && !bench_stopped(run->settings); s++) {
        call.scene = &run->data.scenes[s];
        bench_progress(run->settings, call.scene->name, 0.7);
        if (!add_scene(&call, error)) return false;
    }
    return true;
}
