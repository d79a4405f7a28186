/* graze bench step: whole steps in every mode, what is asked around them, two triangles, and five million. */
#include "bench/step/step.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

/* ---- timing ---- */

bool bench_step_time(const bench_step_run *run, const bench_scene *scene, graze_step_mode mode, uint32_t threads,
                     bool fresh, bench_step_times *measured, io_error *error) {
    *measured = (bench_step_times){.result = graze_default_step_result()};
    graze_context *context = NULL;
    graze_step_options options = graze_default_step_options();
    options.mode = mode;
    options.memory_limit = run->memory_limit;
    if (mode == GRAZE_STEP_VERTICES)
        options.vertex_toi = bench_allocate(scene->mesh.vertex_count, sizeof *options.vertex_toi);
    bool good = true;
    /* what the first call on a kept context finds out and allocates is not timed */
    for (bool warm = fresh; good && bench_times_more(&measured->times, run->repeat, run->budget); warm = true) {
        if (bench_stopped(run->settings) || measured->ended) break;
        if (!context) context = bench_context(run->settings, threads, run->budget, error);
        if (!context) good = false;
        if (!good) break;
        double begin = bench_seconds();
        graze_status status = graze_step(context, &scene->mesh, (const double(*)[3])scene->x0,
                                         (const double(*)[3])scene->x1, &options, &measured->result);
        double spent = bench_seconds() - begin;
        measured->ended = measured->result.reason == GRAZE_REASON_CANCELLED;
        if (status != GRAZE_OK) good = bench_call_failed(context, scene->name, status, error);
        if (good && warm && !measured->ended) bench_times_add(&measured->times, spent);
        graze_stats stats = graze_default_stats();
        if (graze_context_stats(context, &stats) == GRAZE_OK) measured->peak_bytes = stats.peak_bytes;
        size_t pairs = measured->result.pair_count;
        graze_step_release(context, &measured->result);
        measured->result.pair_count = pairs;
        if (!fresh) continue;
        graze_context_destroy(context);
        context = NULL;
    }
    graze_context_destroy(context);
    free(options.vertex_toi);
    return good;
}

/* ---- modes ---- */

static const bench_column mode_columns[] = {
    {"scene", "scene", NULL},
    {"mode", "mode", NULL},
    {"triangles", "triangles", NULL},
    {"verdict", "verdict", NULL},
    {"toi", "time of impact", NULL},
    {"pairs", "pairs that touch", NULL},
    {"ms_fresh", "fresh context", "ms"},
    {"ms_1", "kept, 1 thread", "ms"},
    {"ms_all", "kept, all threads, least", "ms"},
    {"ms_all_median", "kept, all threads, median", "ms"},
    {"peak_mb", "memory", "MB"},
};

static bool add_mode(bench_step_run *run, bench_table *table, const bench_scene *scene, graze_step_mode mode,
                     io_error *error) {
    bench_step_times fresh, one, all;
    if (!bench_step_time(run, scene, mode, run->threads, true, &fresh, error)) return false;
    if (!bench_step_time(run, scene, mode, 1, false, &one, error)) return false;
    if (!bench_step_time(run, scene, mode, run->threads, false, &all, error)) return false;
    if (bench_stopped(run->settings)) return true;
    bench_cell *row = bench_add_row(table);
    row[0] = bench_text("%s", scene->name);
    row[1] = bench_text("%s", graze_step_mode_name(mode));
    row[2] = bench_count(scene->mesh.face_count);
    row[3] = bench_text("%s", all.ended ? "out of time" : graze_verdict_name(all.result.verdict));
    row[4] = bench_number(all.result.toi);
    if (mode == GRAZE_STEP_ALL) row[5] = bench_count(all.result.pair_count);
    row[6] = bench_number(1e3 * bench_times_least(&fresh.times));
    row[7] = bench_number(1e3 * bench_times_least(&one.times));
    row[8] = bench_number(1e3 * bench_times_least(&all.times));
    row[9] = bench_number(1e3 * bench_times_median(&all.times));
    row[10] = bench_number((double)all.peak_bytes / 1e6);
    return true;
}

static bool measure_modes(bench_step_run *run, io_error *error) {
    char note[300];
    snprintf(note, sizeof note,
             "Wall time of graze_step, %u threads for “all” and for a fresh context. A kept context has made the same "
             "step once before. No time: a call did not end within %g s.",
             run->threads, run->budget);
    bench_add_heading(run->report, "Modes");
    bench_table *table = bench_add_table(run->report, "step-modes", "A step in every mode", note, mode_columns,
                                         sizeof mode_columns / sizeof *mode_columns);
    for (size_t s = 0; s < run->data.scene_count; s++)
        for (int mode = 0; mode < BENCH_MODES && !bench_stopped(run->settings); mode++) {
            bench_progress(run->settings, run->data.scenes[s].name,
                           0.1 + 0.2 * (double)s / (double)run->data.scene_count);
            if (!add_mode(run, table, &run->data.scenes[s], (graze_step_mode)mode, error)) return false;
        }
    return true;
}

/* ---- two triangles ---- */

static void *count_allocate(void *user, size_t size, size_t alignment) {
    atomic_fetch_add((atomic_ullong *)user, 1);
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void count_release(void *user, void *block, size_t size) {
    (void)user;
    (void)size;
    free(block);
}

static const bench_column latency_columns[] = {
    {"case", "two triangles", NULL},
    {"mode", "mode", NULL},
    {"verdict", "verdict", NULL},
    {"us", "least", "µs"},
    {"us_median", "median", "µs"},
    {"first_allocations", "allocations of the first call", NULL},
    {"allocations", "of all later calls", NULL},
};

typedef struct duel {
    const char *name;
    double height, motion, aside; /* of the second triangle */
} duel;

static bool time_duel(bench_step_run *run, bench_table *table, const duel *d, graze_step_mode mode, io_error *error) {
    enum { BATCHES = 31, CALLS = 200 };
    const double start[6][3] = {{0, 0, 0},
                                {1, 0, 0.1},
                                {0, 1, 0.2},
                                {d->aside, 0.1, d->height},
                                {d->aside + 1, 0.2, d->height + 0.1},
                                {d->aside + 0.1, 1.1, d->height}};
    double end[6][3], vertex_toi[6];
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 3; c++) end[i][c] = start[i][c] - (i > 2 && c == 2 ? d->motion : 0);
    const uint32_t faces[2][3] = {{0, 1, 2}, {3, 4, 5}};
    graze_mesh mesh = graze_default_mesh();
    graze_status status = graze_mesh_from_faces(run->data.context, 6, faces, 2, &mesh);
    if (status != GRAZE_OK) return bench_call_failed(run->data.context, d->name, status, error);
    atomic_ullong count = 0;
    graze_context_options made = graze_default_context_options();
    made.threads = run->threads;
    made.allocator = (graze_allocator){count_allocate, count_release, &count};
    graze_context *context = bench_context_from(run->settings, made, error);
    graze_step_options options = graze_default_step_options();
    options.mode = mode;
    options.vertex_toi = mode == GRAZE_STEP_VERTICES ? vertex_toi : NULL;
    graze_step_result result = graze_default_step_result();
    unsigned long long before = atomic_load(&count), first = 0;
    bench_times times = {0};
    bool good = context != NULL;
    for (int b = 0; good && b <= BATCHES && !bench_stopped(run->settings); b++) {
        int calls = b ? CALLS : 1;
        double begin = bench_seconds();
        for (int i = 0; i < calls && status == GRAZE_OK; i++) {
            status = graze_step(context, &mesh, start, (const double(*)[3])end, &options, &result);
            graze_step_release(context, &result);
        }
        double spent = (bench_seconds() - begin) / calls;
        if (status != GRAZE_OK) good = bench_call_failed(context, d->name, status, error);
        if (b)
            bench_times_add(&times, spent);
        else
            first = atomic_load(&count);
    }
    if (good) {
        bench_cell *row = bench_add_row(table);
        row[0] = bench_text("%s", d->name);
        row[1] = bench_text("%s", graze_step_mode_name(mode));
        row[2] = bench_text("%s", graze_verdict_name(result.verdict));
        row[3] = bench_number(1e6 * bench_times_least(&times));
        row[4] = bench_number(1e6 * bench_times_median(&times));
        row[5] = bench_count(first - before);
        row[6] = bench_count(atomic_load(&count) - first);
    }
    graze_context_destroy(context);
    graze_mesh_release(run->data.context, &mesh);
    return good;
}

static bool measure_latency(bench_step_run *run, io_error *error) {
    static const duel duels[] = {
        {"far apart", 3, 0.5, 5}, {"boxes overlap, no contact", 0.6, 0.42, 0.2}, {"touch", 0.6, 1.2, 0.2}};
    bench_add_heading(run->report, "Two triangles");
    bench_table *table = bench_add_table(run->report, "step-latency", "The least step there is, with a kept context",
                                         "A list of pairs is the caller's: mode all allocates it where there are some.",
                                         latency_columns, sizeof latency_columns / sizeof *latency_columns);
    for (size_t i = 0; i < sizeof duels / sizeof *duels; i++)
        for (int mode = 0; mode < BENCH_MODES && !bench_stopped(run->settings); mode++)
            if (!time_duel(run, table, &duels[i], (graze_step_mode)mode, error)) return false;
    return true;
}

/* ---- growth ---- */

static const bench_column growth_columns[] = {
    {"triangles", "triangles", NULL},    {"mode", "mode", NULL},          {"ms", "time", "ms"},
    {"us_triangle", "a triangle", "µs"}, {"toi", "time of impact", NULL}, {"pairs", "pairs that touch", NULL},
    {"peak_mb", "memory", "MB"},
};

static const bench_column exponent_columns[] = {
    {"mode", "mode", NULL},
    {"sizes", "sizes", NULL},
    {"largest", "most triangles", NULL},
    {"exponent", "exponent", NULL},
    {"n_log_n", "exponent of n log n", NULL},
};

/* Exponent of n·log n over the same sizes. */
static double n_log_n(const bench_growth *growth) {
    bench_growth ideal = *growth;
    for (size_t i = 0; i < ideal.count; i++) ideal.seconds[i] = ideal.size[i] * log(ideal.size[i]);
    return bench_growth_exponent(&ideal);
}

static const graze_step_mode growing[] = {GRAZE_STEP_EARLIEST, GRAZE_STEP_ALL};
enum { GROWING = sizeof growing / sizeof *growing };

static bool grow_to(bench_step_run *run, uint64_t triangles, bench_table *table, bench_growth *growth,
                    io_error *error) {
    bench_scene sheets;
    bool good = bench_sheets(run->settings, run->data.context, triangles, &sheets, error);
    for (size_t i = 0; good && i < GROWING && !bench_stopped(run->settings); i++) {
        double size = sheets.mesh.face_count;
        if (bench_growth_expect(&growth[i], size) > run->budget) continue;
        bench_step_times measured;
        good = bench_step_time(run, &sheets, growing[i], run->threads, false, &measured, error);
        if (!good || measured.ended || measured.times.count == 0) continue;
        double least = bench_times_least(&measured.times);
        bench_growth_add(&growth[i], size, least);
        bench_cell *row = bench_add_row(table);
        row[0] = bench_count(sheets.mesh.face_count);
        row[1] = bench_text("%s", graze_step_mode_name(growing[i]));
        row[2] = bench_number(1e3 * least);
        row[3] = bench_number(1e6 * least / size);
        row[4] = bench_number(measured.result.toi);
        if (growing[i] == GRAZE_STEP_ALL) row[5] = bench_count(measured.result.pair_count);
        row[6] = bench_number((double)measured.peak_bytes / 1e6);
    }
    bench_sheets_free(run->data.context, &sheets);
    return good;
}

static bool measure_growth(bench_step_run *run, io_error *error) {
    bench_growth growth[GROWING] = {0};
    uint64_t sizes[BENCH_MOST_SIZES];
    size_t count = bench_growth_sizes(1e4, run->settings->quick ? 3e5 : 5e6, sizes);
    bench_add_heading(run->report, "Growth");
    bench_plot *plot = bench_add_plot(run->report, "step-growth", "Cost by number of triangles",
                                      "Two rough sheets that face each other; all threads, kept context.", BENCH_LINES,
                                      (bench_axis){"triangles", NULL, true}, (bench_axis){"time", "ms", true});
    bench_table *exponents = bench_add_table(run->report, "step-exponents", "Fitted exponents",
                                             "Time grows like triangles to this power: least squares through the "
                                             "logarithms. n·log n has the last column's over the same sizes.",
                                             exponent_columns, sizeof exponent_columns / sizeof *exponent_columns);
    bench_table *table = bench_add_table(run->report, "step-growth-times", "Times by number of triangles", NULL,
                                         growth_columns, sizeof growth_columns / sizeof *growth_columns);
    for (size_t i = 0; i < count && !bench_stopped(run->settings); i++) {
        char label[60];
        snprintf(label, sizeof label, "%.2g triangles", (double)sizes[i]);
        bench_progress(run->settings, label, 0.7 + 0.3 * (double)i / (double)count);
        if (!grow_to(run, sizes[i], table, growth, error)) return false;
    }
    for (size_t i = 0; i < GROWING; i++) {
        if (growth[i].count == 0) continue;
        bench_series *series = bench_add_series(plot, NULL, graze_step_mode_name(growing[i]));
        for (size_t k = 0; k < growth[i].count; k++)
            bench_add_point(series, growth[i].size[k], 1e3 * growth[i].seconds[k]);
        bench_cell *row = bench_add_row(exponents);
        row[0] = bench_text("%s", graze_step_mode_name(growing[i]));
        row[1] = bench_count(growth[i].count);
        row[2] = bench_count((uint64_t)growth[i].size[growth[i].count - 1]);
        row[3] = bench_number(bench_growth_exponent(&growth[i]));
        row[4] = bench_number(n_log_n(&growth[i]));
    }
    return true;
}

bool bench_step(const bench_settings *settings, bench_report *report, io_error *error) {
    bench_step_run *run = bench_allocate(1, sizeof *run);
    *run = (bench_step_run){.settings = settings, .report = report};
    run->budget = settings->time_budget > 0 ? settings->time_budget : settings->quick ? 1 : 30;
    run->repeat = settings->repeat ? settings->repeat : 5;
    run->threads = bench_threads(settings, error);
    bool good = run->threads > 0 && bench_data_load_scenes(settings, &run->data, error) && measure_modes(run, error) &&
                bench_step_around(run, error) && bench_step_unfused(run, error) && bench_step_figures(run, error) &&
                bench_step_differences(run, error) && measure_latency(run, error) && measure_growth(run, error);
    report->interrupted = report->interrupted || bench_stopped(settings);
    bench_data_free(&run->data);
    free(run);
    return good;
}
