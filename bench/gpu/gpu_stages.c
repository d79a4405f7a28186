/* A step by stage. The back end says what each took in a line of the log, where the environment asks for it. */
#include "bench/gpu/gpu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STAGES = 16 };

/* The least that each stage took, and what it moves. */
typedef struct stage_times {
    char names[MOST_STAGES][24];
    double ms[MOST_STAGES], megabytes[MOST_STAGES];
    int launches[MOST_STAGES];
    size_t count;
    double bus, memory, launch; /* GB/s, GB/s, µs: what there is at most */
} stage_times;

static const bench_column columns[] = {
    {"scene", "scene", NULL},
    {"mode", "mode", NULL},
    {"stage", "stage", NULL},
    {"ms", "time, least", "ms"},
    {"megabytes", "read and written at least", "MB"},
    {"ms_bandwidth", "floor by bandwidth", "ms"},
    {"launches", "launches", NULL},
    {"ms_launch", "floor by launches", "ms"},
    {"ratio", "time over the larger floor", NULL},
};

static stage_times *stage_named(stage_times *stages, const char *name, size_t *at) {
    for (*at = 0; *at < stages->count; ++*at)
        if (strcmp(stages->names[*at], name) == 0) return stages;
    if (stages->count == MOST_STAGES) return NULL;
    snprintf(stages->names[stages->count], sizeof stages->names[0], "%s", name);
    stages->ms[stages->count++] = INFINITY;
    return stages;
}

/* "stage NAME: N ms, N MB, N launches", or "stages: bus N GB/s, memory N GB/s, launch N us". */
static void read_line(void *user, graze_log_level level, const char *line) {
    stage_times *stages = user;
    char name[24];
    double ms, megabytes;
    int launches;
    size_t at;
    (void)level;
    if (sscanf(line, "stage %23[^:]: %lf ms, %lf MB, %d launches", name, &ms, &megabytes, &launches) == 4 &&
        stage_named(stages, name, &at)) {
        stages->ms[at] = fmin(stages->ms[at], ms);
        stages->megabytes[at] = megabytes;
        stages->launches[at] = launches;
    } else {
        sscanf(line, "stages: bus %lf GB/s, memory %lf GB/s, launch %lf us", &stages->bus, &stages->memory,
               &stages->launch);
    }
}

static void add_stages(bench_table *table, const bench_scene *scene, graze_step_mode mode, const stage_times *stages) {
    for (size_t i = 0; i < stages->count; i++) {
        bool on_bus = strcmp(stages->names[i], "upload") == 0 || strcmp(stages->names[i], "download") == 0;
        double bandwidth = stages->megabytes[i] / (on_bus ? stages->bus : stages->memory);
        double launch = 1e-3 * stages->launches[i] * stages->launch;
        bench_cell *row = bench_add_row(table);
        row[0] = bench_text("%s", scene->name);
        row[1] = bench_text("%s", graze_step_mode_name(mode));
        row[2] = bench_text("%s", stages->names[i]);
        row[3] = bench_number(stages->ms[i]);
        row[4] = bench_number(stages->megabytes[i]);
        row[5] = bench_number(bandwidth);
        row[6] = bench_count((uint64_t)stages->launches[i]);
        row[7] = bench_number(launch);
        row[8] = bench_number(stages->ms[i] / fmax(bandwidth, launch));
    }
}

/* The stages of a figure: all probes are the narrow phase. */
static const char *const shown[] = {"upload",    "order",  "boxes", "tree",
                                    "traversal", "narrow", "sort",  "download"}; /* of the pairs that are found */

static bool is_shown_as(const char *stage, const char *name) {
    return strcmp(stage, name) == 0 || (strcmp(stage, "probes") == 0 && strcmp(name, "narrow") == 0);
}

/* The share of one of them in all, in per cent. */
static double share(const stage_times *stages, const char *name) {
    double total = 0, ms = 0;
    for (size_t i = 0; i < stages->count; i++) {
        total += stages->ms[i];
        if (is_shown_as(stages->names[i], name)) ms += stages->ms[i];
    }
    return 100 * ms / total;
}

/* A bar for each mode. */
static void add_shares(bench_plot *plot, const bench_scene *scene, const stage_times stages[2]) {
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        bench_series *series = bench_add_series(plot, scene->name, shown[i]);
        for (int mode = 0; mode < 2; mode++) bench_add_point(series, mode + 1, share(&stages[mode], shown[i]));
    }
}

static bool measure(gpu_run *run, const bench_scene *scene, graze_step_mode mode, stage_times *stages,
                    io_error *error) {
    *stages = (stage_times){.count = 0};
    graze_context_options options = graze_default_context_options();
    options.threads = (uint32_t)run->settings->threads;
    options.log = read_line;
    options.log_user = stages;
    graze_context *context = bench_context_from(run->settings, options, error);
    graze_step_options step = graze_default_step_options();
    step.mode = mode;
    step.backend = GRAZE_BACKEND_CUDA;
    bool good = context != NULL;
    for (int i = 0; good && i < 20 && !bench_stopped(run->settings); i++) {
        graze_step_result result = graze_default_step_result();
        graze_status status = graze_step(context, &scene->mesh, (const double(*)[3])scene->x0,
                                         (const double(*)[3])scene->x1, &step, &result);
        good = status == GRAZE_OK || bench_call_failed(context, scene->name, status, error);
        graze_step_release(context, &result);
    }
    graze_context_destroy(context);
    return good;
}

static bool measure_both(gpu_run *run, const bench_scene *scene, bench_table *table, bench_plot *plot,
                         io_error *error) {
    static const graze_step_mode modes[] = {GRAZE_STEP_EARLIEST, GRAZE_STEP_ALL};
    stage_times stages[2];
    for (int i = 0; i < 2; i++) {
        if (!measure(run, scene, modes[i], &stages[i], error)) return false;
        add_stages(table, scene, modes[i], &stages[i]);
    }
    if (!bench_stopped(run->settings)) add_shares(plot, scene, stages);
    return true;
}

bool gpu_stages(gpu_run *run, const bench_data *data, io_error *error) {
    bench_add_heading(run->report, "Stages");
    bench_plot *plot =
        bench_add_plot(run->report, "gpu-phases", "Stages of a step on the GPU", "Mode earliest (1) and mode all (2).",
                       BENCH_BARS, (bench_axis){"mode", NULL, false}, (bench_axis){"share of the time", "%", false});
    plot->paper = "Scalable CCD, figure 9";
    bench_table *table = bench_add_table(
        run->report, "gpu-stages", "A step by stage",
        "By the device's clock, kernel after kernel: without the graph, so that the sum is more than a "
        "step takes. The floor by bandwidth is what the stage has to read and write, each once, at the "
        "speed of a long copy; that by launches is so many empty kernels, one after the other. The order "
        "is made anew every 64 steps.",
        columns, sizeof columns / sizeof *columns);
    setenv("GRAZE_STAGES", "1", 1);
    bool good = true;
    for (size_t s = 0; good && s < data->scene_count && !bench_stopped(run->settings); s++)
        good = measure_both(run, &data->scenes[s], table, plot, error);
    unsetenv("GRAZE_STAGES");
    return good;
}
