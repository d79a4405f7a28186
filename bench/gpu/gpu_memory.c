/* Time by memory limit: pairs are worked off in batches that fit. */
#include "bench/gpu/gpu.h"

#include <math.h>

static const bench_column columns[] = {
    {"triangles", "triangles", NULL},
    {"limit_mb", "for lists of pairs", "MB"},
    {"ms", "time", "ms"},
    {"slower", "times as slow as without", NULL},
    {"pairs", "pairs that touch", NULL},
};

typedef struct limited_step {
    const bench_scene *scene;
    size_t limit;
    graze_step_result *result;
} limited_step;

static graze_status ask(gpu_run *run, void *state) {
    const limited_step *asked = state;
    graze_step_options options = graze_default_step_options();
    options.mode = GRAZE_STEP_ALL;
    options.backend = GRAZE_BACKEND_CUDA;
    options.memory_limit = asked->limit;
    graze_step_release(run->context, asked->result);
    return graze_step(run->context, &asked->scene->mesh, (const double(*)[3])asked->scene->x0,
                      (const double(*)[3])asked->scene->x1, &options, asked->result);
}

/* The answer without a limit is `free_one`, and every other one is held against it. */
static bool add_limits(gpu_run *run, const bench_scene *scene, bench_table *table, bench_series *series,
                       graze_step_result *free_one, io_error *error) {
    static const double limits[] = {0, 4e9, 2e9, 1e9, 5e8, 2.5e8, 1.25e8, 6e7, 3e7, 1.5e7, 8e6, 4e6, 2e6, 1e6};
    double free_ms = NAN;
    for (size_t i = 0; i < sizeof limits / sizeof *limits && !bench_stopped(run->settings); i++) {
        graze_step_result result = graze_default_step_result();
        bench_times times;
        limited_step asked = {scene, (size_t)limits[i], i ? &result : free_one};
        if (!gpu_time(run, run->context, scene->name, ask, &asked, &times, error)) return false;
        if (i) gpu_compare_steps(run, "sheets under a limit", free_one, &result);
        double ms = 1e3 * bench_times_least(&times);
        if (i == 0) free_ms = ms;
        bench_cell *row = bench_add_row(table);
        row[0] = bench_count(scene->mesh.face_count);
        if (i) row[1] = bench_number(limits[i] / 1e6);
        row[2] = bench_number(ms);
        row[3] = bench_number(ms / free_ms);
        row[4] = bench_count(free_one->pair_count);
        if (i) bench_add_point(series, limits[i] / 1e6, ms);
        graze_step_release(run->context, &result);
    }
    return true;
}

bool gpu_memory(gpu_run *run, io_error *error) {
    bench_scene sheets;
    bench_add_heading(run->report, "Memory");
    bench_plot *plot =
        bench_add_plot(run->report, "gpu-memory", "Time by memory limit: mode all of two rough sheets",
                       "memory_limit of a step: bytes for lists of pairs on the device; meshes, trees "
                       "and the answer come on top. Every answer is held against that without a limit.",
                       BENCH_LINES, (bench_axis){"memory for pairs", "MB", true}, (bench_axis){"time", "ms", true});
    plot->paper = "Scalable CCD, figure 10";
    bench_table *table =
        bench_add_table(run->report, "gpu-memory-limits", "Time by memory limit", "The first row is without a limit.",
                        columns, sizeof columns / sizeof *columns);
    bool good = bench_sheets(run->settings, run->context, run->settings->quick ? 100000 : 4000000, &sheets, error);
    graze_step_result free_one = graze_default_step_result();
    good = good && add_limits(run, &sheets, table, bench_add_series(plot, NULL, "all"), &free_one, error);
    graze_step_release(run->context, &free_one);
    bench_sheets_free(run->context, &sheets);
    return good;
}
