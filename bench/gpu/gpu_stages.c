/* A step by stage, beside what the bus, the memory and launching allow. */
#include "bench/gpu/gpu.h"

#include "step/on_backend.h"

#include <math.h>

static const char *const stage_names[GZ_STAGES] = {"upload", "order",  "boxes", "tree",    "traversal",
                                                   "probes", "narrow", "sort",  "download"};

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

/* The least that each stage took, 0 where it never ran, and what it moves. */
static void keep_least(gz_stages *least, const gz_stages *now) {
    gz_stages before = *least;
    *least = *now;
    for (int i = 0; i < GZ_STAGES; i++) {
        if (before.ms[i] > 0 && (before.ms[i] < now->ms[i] || !(now->ms[i] > 0))) least->ms[i] = before.ms[i];
        if (!(now->ms[i] > 0)) {
            least->megabytes[i] = before.megabytes[i];
            least->launches[i] = before.launches[i];
        }
    }
}

static void add_stages(bench_table *table, const bench_scene *scene, graze_step_mode mode, const gz_stages *stages) {
    for (int i = 0; i < GZ_STAGES; i++) {
        if (!(stages->ms[i] > 0)) continue;
        bool on_bus = i == GZ_STAGE_UPLOAD || i == GZ_STAGE_DOWNLOAD;
        double bandwidth = stages->megabytes[i] / (on_bus ? stages->bus : stages->memory);
        double launch = 1e-3 * stages->launches[i] * stages->launch;
        bench_cell *row = bench_add_row(table);
        row[0] = bench_text("%s", scene->name);
        row[1] = bench_text("%s", graze_step_mode_name(mode));
        row[2] = bench_text("%s", stage_names[i]);
        row[3] = bench_number(stages->ms[i]);
        row[4] = bench_number(stages->megabytes[i]);
        row[5] = bench_number(bandwidth);
        row[6] = bench_count(stages->launches[i]);
        row[7] = bench_number(launch);
        row[8] = bench_number(stages->ms[i] / fmax(bandwidth, launch));
    }
}

/* The share of a stage in all, in per cent. In a figure all probes are the narrow phase. */
static double share(const gz_stages *stages, gz_stage stage) {
    double total = 0, ms = stages->ms[stage];
    for (int i = 0; i < GZ_STAGES; i++) total += stages->ms[i];
    if (stage == GZ_STAGE_NARROW) ms += stages->ms[GZ_STAGE_PROBES];
    return 100 * ms / total;
}

/* A bar for each mode. */
static void add_shares(bench_plot *plot, const bench_scene *scene, const gz_stages stages[2]) {
    for (int i = 0; i < GZ_STAGES; i++) {
        if (i == GZ_STAGE_PROBES) continue;
        bench_series *series = bench_add_series(plot, scene->name, stage_names[i]);
        for (int mode = 0; mode < 2; mode++) bench_add_point(series, mode + 1, share(&stages[mode], (gz_stage)i));
    }
}

static bool measure(gpu_run *run, const bench_scene *scene, graze_step_mode mode, gz_stages *least, io_error *error) {
    *least = (gz_stages){0};
    graze_context_options options = graze_default_context_options();
    options.threads = (uint32_t)run->settings->threads;
    graze_context *context = bench_context_from(run->settings, options, error);
    graze_step_options step = graze_default_step_options();
    step.mode = mode;
    bool good = context != NULL;
    for (int i = 0; good && i < 20 && !bench_stopped(run->settings); i++) {
        gz_stages now;
        graze_status status = gz_step_by_stage(context, &scene->mesh, (const double(*)[3])scene->x0,
                                               (const double(*)[3])scene->x1, &step, &now);
        good = status == GRAZE_OK || bench_call_failed(context, scene->name, status, error);
        if (good) keep_least(least, &now);
    }
    graze_context_destroy(context);
    return good;
}

static bool measure_both(gpu_run *run, const bench_scene *scene, bench_table *table, bench_plot *plot,
                         io_error *error) {
    static const graze_step_mode modes[] = {GRAZE_STEP_EARLIEST, GRAZE_STEP_ALL};
    gz_stages stages[2];
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
    bool good = true;
    for (size_t s = 0; good && s < data->scene_count && !bench_stopped(run->settings); s++)
        good = measure_both(run, &data->scenes[s], table, plot, error);
    return good;
}
