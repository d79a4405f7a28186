/* graze bench gpu: steps, lists and batches on the GPU beside the CPU, with the bits of both compared. */
#include "bench/gpu/gpu.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_COMPARED 2e6 /* triangles up to which the CPU takes every step too */

/* One mode of one step on one back end. */
typedef struct gpu_times {
    bench_times times;
    double upload, device; /* ms, the least of each */
    graze_step_result result;
} gpu_times;

static bool time_step(gpu_run *run, const bench_scene *scene, graze_step_mode mode, graze_backend backend,
                      gpu_times *out, io_error *error) {
    *out = (gpu_times){.upload = INFINITY, .device = INFINITY, .result = graze_default_step_result()};
    graze_step_options options = graze_default_step_options();
    options.mode = mode;
    options.backend = backend;
    /* the first call loads the mesh, or makes the tree, and is not timed */
    for (bool warm = false; bench_times_more(&out->times, run->repeat, run->budget); warm = true) {
        if (bench_stopped(run->settings)) break;
        graze_step_release(run->context, &out->result);
        double begin = bench_seconds();
        graze_status status = graze_step(run->context, &scene->mesh, (const double(*)[3])scene->x0,
                                         (const double(*)[3])scene->x1, &options, &out->result);
        double spent = bench_seconds() - begin;
        if (status != GRAZE_OK) return bench_call_failed(run->context, scene->name, status, error);
        if (!warm) continue;
        bench_times_add(&out->times, spent);
        out->upload = fmin(out->upload, out->result.ms_boxes);
        out->device = fmin(out->device, out->result.ms_narrow);
    }
    return true;
}

bool gpu_time(gpu_run *run, graze_context *context, const char *name, gpu_call *call, void *state, bench_times *times,
              io_error *error) {
    *times = (bench_times){.count = 0};
    for (bool warm = false; bench_times_more(times, run->repeat, run->budget); warm = true) {
        if (bench_stopped(run->settings)) break;
        double begin = bench_seconds();
        graze_status status = call(run, state);
        double spent = bench_seconds() - begin;
        if (status != GRAZE_OK) return bench_call_failed(context, name, status, error);
        if (warm) bench_times_add(times, spent);
    }
    return true;
}

/* ---- bits ---- */

static bool same_number(double a, double b) { return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)); }

bool gpu_same_result(const graze_result *a, const graze_result *b) {
    bool same = a->verdict == b->verdict && a->reason == b->reason && a->proven == b->proven && a->checks == b->checks;
    same &= same_number(a->toi, b->toi) && same_number(a->toi_upper, b->toi_upper) && same_number(a->u, b->u) &&
            same_number(a->v, b->v);
    for (int c = 0; c < 3; c++)
        same &= same_number(a->point[c], b->point[c]) && same_number(a->normal[c], b->normal[c]);
    return same;
}

static bool same_pair(const graze_pair_result *a, const graze_pair_result *b) {
    return a->pair.kind == b->pair.kind && a->pair.a == b->pair.a && a->pair.b == b->pair.b &&
           gpu_same_result(&a->result, &b->result);
}

void gpu_differs(gpu_run *run, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (run->different++ == 0) vsnprintf(run->first, sizeof run->first, format, arguments);
    va_end(arguments);
}

static void compare_pairs(gpu_run *run, const char *scene, const graze_pair_result *here,
                          const graze_pair_result *there) {
    if (same_pair(here, there)) return;
    gpu_differs(run, "%s: %s %u %u, toi %.17g by %llu checks; %s %u %u, %.17g by %llu", scene,
                graze_kind_name(here->pair.kind), here->pair.a, here->pair.b, here->result.toi,
                (unsigned long long)here->result.checks, graze_kind_name(there->pair.kind), there->pair.a,
                there->pair.b, there->result.toi, (unsigned long long)there->result.checks);
}

void gpu_compare_steps(gpu_run *run, const char *scene, const graze_step_result *here, const graze_step_result *there) {
    bool same = here->verdict == there->verdict && same_number(here->toi, there->toi) &&
                here->has_pair == there->has_pair && here->pair_count == there->pair_count;
    bool counts = memcmp(here->candidates, there->candidates, sizeof here->candidates) == 0 &&
                  memcmp(here->hits, there->hits, sizeof here->hits) == 0;
    run->answers++;
    if (!same || !counts)
        gpu_differs(run, "%s: %s at %.17g with %zu pairs, %s at %.17g with %zu%s", scene,
                    graze_verdict_name(here->verdict), here->toi, here->pair_count, graze_verdict_name(there->verdict),
                    there->toi, there->pair_count, counts ? "" : "; candidates or hits are others");
    else if (here->has_pair)
        compare_pairs(run, scene, &here->limiting, &there->limiting);
    for (size_t i = 0; i < here->pair_count && i < there->pair_count; i++, run->answers++)
        compare_pairs(run, scene, &here->pairs[i], &there->pairs[i]);
}

/* ---- tables ---- */

static const bench_column columns[] = {
    {"scene", "scene", NULL},
    {"mode", "mode", NULL},
    {"triangles", "triangles", NULL},
    {"pairs", "pairs that touch", NULL},
    {"ms_cpu", "CPU, least", "ms"},
    {"ms_gpu", "GPU, least", "ms"},
    {"ms_gpu_median", "GPU, median", "ms"},
    {"ms_upload", "of which upload", "ms"},
    {"ms_device", "and device", "ms"},
    {"ratio", "GPU faster by", NULL},
};

/* Time by triangles: a panel for each mode. `growth` may be NULL. */
static void add_points(bench_plot *growth, const bench_scene *scene, graze_step_mode mode, double cpu, double gpu) {
    static const char *const names[] = {"CPU", "GPU"};
    const double ms[] = {cpu, gpu};
    for (int i = 0; i < 2 && growth; i++) {
        bench_series *series = NULL;
        for (size_t s = 0; s < growth->series_count; s++)
            if (strcmp(growth->series[s].panel, graze_step_mode_name(mode)) == 0 &&
                strcmp(growth->series[s].name, names[i]) == 0)
                series = &growth->series[s];
        if (!series) series = bench_add_series(growth, graze_step_mode_name(mode), names[i]);
        if (!isnan(ms[i])) bench_add_point(series, scene->mesh.face_count, ms[i]);
    }
}

static bool add_row(gpu_run *run, bench_table *table, bench_plot *growth, const bench_scene *scene,
                    graze_step_mode mode, io_error *error) {
    gpu_times here = {.result = graze_default_step_result()}, there;
    bool compared = scene->mesh.face_count <= MOST_COMPARED;
    bool good = time_step(run, scene, mode, GRAZE_BACKEND_CUDA, &there, error) &&
                (!compared || time_step(run, scene, mode, GRAZE_BACKEND_CPU, &here, error));
    if (good && !bench_stopped(run->settings)) {
        if (compared) gpu_compare_steps(run, scene->name, &here.result, &there.result);
        double cpu = 1e3 * bench_times_least(&here.times), gpu = 1e3 * bench_times_least(&there.times);
        bench_cell *row = bench_add_row(table);
        row[0] = bench_text("%s", scene->name);
        row[1] = bench_text("%s", graze_step_mode_name(mode));
        row[2] = bench_count(scene->mesh.face_count);
        if (mode == GRAZE_STEP_ALL) row[3] = bench_count(there.result.pair_count);
        row[4] = bench_number(cpu);
        row[5] = bench_number(gpu);
        row[6] = bench_number(1e3 * bench_times_median(&there.times));
        row[7] = bench_number(there.upload);
        row[8] = bench_number(there.device);
        row[9] = bench_number(cpu / gpu);
        add_points(growth, scene, mode, cpu, gpu);
    }
    graze_step_release(run->context, &here.result);
    graze_step_release(run->context, &there.result);
    return good;
}

static bool add_rows(gpu_run *run, bench_table *table, bench_plot *growth, const bench_scene *scene, double part,
                     io_error *error) {
    bench_progress(run->settings, scene->name, part);
    return add_row(run, table, growth, scene, GRAZE_STEP_EARLIEST, error) &&
           add_row(run, table, growth, scene, GRAZE_STEP_ALL, error);
}

static bool measure_scenes(gpu_run *run, const bench_data *data, io_error *error) {
    bool good = true;
    bench_add_heading(run->report, "Scenes");
    bench_table *table = bench_add_table(run->report, "gpu-scenes", "A step of each scene",
                                         "Wall time of graze_step with a kept context: the mesh is on the device, "
                                         "positions are uploaded and results downloaded in every call.",
                                         columns, sizeof columns / sizeof *columns);
    for (size_t s = 0; good && s < data->scene_count && !bench_stopped(run->settings); s++)
        good = add_rows(run, table, NULL, &data->scenes[s], 0.4 * (double)s / (double)data->scene_count, error);
    return good;
}

static bool measure_growth(gpu_run *run, io_error *error) {
    uint64_t sizes[BENCH_MOST_SIZES];
    size_t count = bench_growth_sizes(1e4, run->settings->quick ? 1e5 : 2e7, sizes);
    bool good = true;
    bench_add_heading(run->report, "Growth");
    bench_plot *growth =
        bench_add_plot(run->report, "gpu-growth-time", "Time by size: two rough sheets that grow", NULL, BENCH_LINES,
                       (bench_axis){"triangles", NULL, true}, (bench_axis){"time", "ms", true});
    growth->paper = "Scalable CCD, figure 5";
    bench_table *table = bench_add_table(run->report, "gpu-growth", "Two rough sheets that grow",
                                         "As above. The CPU takes those of at most two million triangles too.", columns,
                                         sizeof columns / sizeof *columns);
    for (size_t i = 0; good && i < count && !bench_stopped(run->settings); i++) {
        bench_scene sheets;
        good = bench_sheets(run->settings, run->context, sizes[i], &sheets, error) &&
               add_rows(run, table, growth, &sheets, 0.7 + 0.2 * (double)i / (double)count, error);
        bench_sheets_free(run->context, &sheets);
    }
    return good;
}

bool bench_gpu(const bench_settings *settings, bench_report *report, io_error *error) {
    if (!graze_backend_available(GRAZE_BACKEND_CUDA))
        return io_fail(error, "gpu", 0, "there is no CUDA device, or no libgraze_cuda.so (docs/gpu.md)");
    gpu_run run = {.settings = settings, .report = report};
    run.repeat = settings->repeat ? settings->repeat : 50;
    run.budget = settings->time_budget > 0 ? settings->time_budget : settings->quick ? 0.2 : 3;
    run.context = bench_context(settings, settings->threads, 0, error);
    bench_data data;
    bool good = run.context && bench_data_load_scenes(settings, &data, error);
    if (run.context) {
        good = good && measure_scenes(&run, &data, error) && gpu_places(&run, &data, error) &&
               gpu_fresh(&run, &data, error) && gpu_frames(&run, &data, error) && gpu_stages(&run, &data, error) &&
               gpu_lists(&run, &data, error) && gpu_batches(&run, &data, error) && gpu_compare(&run, &data, error);
        bench_data_free(&data);
    }
    good = good && measure_growth(&run, error) && gpu_memory(&run, error);
    if (good && run.different == 0)
        bench_add_headline(report, "CPU and GPU gave the same bits in all of %llu answers that were compared",
                           (unsigned long long)run.answers);
    else if (good)
        bench_add_headline(report, "CPU and GPU DIFFER in %llu of %llu answers, first in %s",
                           (unsigned long long)run.different, (unsigned long long)run.answers, run.first);
    report->interrupted = report->interrupted || bench_stopped(settings);
    graze_context_destroy(run.context);
    return good;
}
