/* The broad phases and the interval-parallel ti of the published GPU pipeline, written anew, beside graze's own. */
#include "bench/gpu.h"

#include "step/on_backend.h"

#include <math.h>
#include <string.h>

static const bench_column columns[] = {
    {"scene", "scene", NULL},
    {"what", "what", NULL},
    {"triangles", "triangles", NULL},
    {"count", "pairs, or intervals", NULL},
    {"toi", "time of impact", NULL},
    {"ms", "GPU, least", "ms"},
    {"ratio", "times as long as graze's own", NULL},
};

static void add_row(bench_table *table, const bench_scene *scene, const char *what, uint64_t count, double toi,
                    double ms, double own) {
    bench_cell *row = bench_add_row(table);
    row[0] = bench_text("%s", scene->name);
    row[1] = bench_text("%s", what);
    row[2] = bench_count(scene->mesh.face_count);
    if (count) row[3] = bench_count(count);
    row[4] = bench_number(toi);
    row[5] = bench_number(ms);
    row[6] = bench_number(ms / own);
}

/* ---- broad phases ---- */

static bool time_broad(gpu_run *run, const bench_scene *scene, graze_broad broad, bench_times *times,
                       graze_pair **pairs, size_t *count, io_error *error) {
    graze_step_options options = graze_default_step_options();
    options.backend = GRAZE_BACKEND_CUDA;
    options.broad = broad;
    options.kinds = 1u << GRAZE_VF | 1u << GRAZE_EE;
    *times = (bench_times){.count = 0};
    for (bool warm = false; bench_times_more(times, run->repeat, run->budget); warm = true) {
        if (bench_stopped(run->settings)) break;
        graze_pairs_release(run->context, *pairs, *count);
        double begin = bench_seconds();
        graze_status status = graze_candidates(run->context, &scene->mesh, (const double(*)[3])scene->x0,
                                               (const double(*)[3])scene->x1, &options, pairs, count);
        double spent = bench_seconds() - begin;
        if (status != GRAZE_OK) return bench_call_failed(run->context, scene->name, status, error);
        if (warm) bench_times_add(times, spent);
    }
    return true;
}

static bool compare_broad(gpu_run *run, const bench_scene *scene, bench_table *table, io_error *error) {
    static const graze_broad broads[] = {GRAZE_BROAD_AUTO, GRAZE_BROAD_LBVH, GRAZE_BROAD_STQ};
    static const char *const names[] = {"candidates by graze's tree", "candidates by lbvh", "candidates by stq"};
    graze_pair *pairs[3] = {NULL, NULL, NULL};
    size_t count[3] = {0, 0, 0};
    double own = 0;
    bool good = true;
    for (int i = 0; good && i < 3 && !bench_stopped(run->settings); i++) {
        bench_times times;
        good = time_broad(run, scene, broads[i], &times, &pairs[i], &count[i], error);
        if (!good) break;
        double ms = 1e3 * bench_times_least(&times);
        if (i == 0) own = ms;
        add_row(table, scene, names[i], count[i], NAN, ms, own);
        run->answers += count[0];
        run->different +=
            count[i] != count[0] || (count[0] && memcmp(pairs[i], pairs[0], count[0] * sizeof **pairs) != 0);
    }
    for (int i = 0; i < 3; i++) graze_pairs_release(run->context, pairs[i], count[i]);
    return good;
}

/* ---- whole steps ---- */

static bool time_certified(gpu_run *run, const bench_scene *scene, bench_times *times, graze_step_result *result,
                           io_error *error) {
    graze_step_options options = graze_default_step_options();
    options.backend = GRAZE_BACKEND_CUDA;
    options.kinds = 1u << GRAZE_VF | 1u << GRAZE_EE;
    *times = (bench_times){.count = 0};
    for (bool warm = false; bench_times_more(times, run->repeat, run->budget); warm = true) {
        if (bench_stopped(run->settings)) break;
        double begin = bench_seconds();
        graze_status status = graze_step(run->context, &scene->mesh, (const double(*)[3])scene->x0,
                                         (const double(*)[3])scene->x1, &options, result);
        double spent = bench_seconds() - begin;
        if (status != GRAZE_OK) return bench_call_failed(run->context, scene->name, status, error);
        if (warm) bench_times_add(times, spent);
    }
    return true;
}

static bool time_ti(gpu_run *run, const bench_scene *scene, bench_times *times, double *toi, uint64_t *checks,
                    io_error *error) {
    graze_step_options options = graze_default_step_options();
    *times = (bench_times){.count = 0};
    for (bool warm = false; bench_times_more(times, run->repeat, run->budget); warm = true) {
        if (bench_stopped(run->settings)) break;
        double begin = bench_seconds();
        graze_status status = gz_step_ti_on_backend(run->context, &scene->mesh, (const double(*)[3])scene->x0,
                                                    (const double(*)[3])scene->x1, &options, toi, checks);
        double spent = bench_seconds() - begin;
        if (status != GRAZE_OK) return bench_call_failed(run->context, scene->name, status, error);
        if (warm) bench_times_add(times, spent);
    }
    return true;
}

static bool compare_ti(gpu_run *run, const bench_scene *scene, bench_table *table, io_error *error) {
    graze_step_result certified = graze_default_step_result();
    bench_times own, other;
    double toi = 0;
    uint64_t checks = 0;
    if (!time_certified(run, scene, &own, &certified, error) || !time_ti(run, scene, &other, &toi, &checks, error))
        return false;
    double ms = 1e3 * bench_times_least(&own);
    add_row(table, scene, "earliest step by certified", 0, certified.toi, ms, ms);
    add_row(table, scene, "earliest step by interval-parallel ti", checks, toi, 1e3 * bench_times_least(&other), ms);
    double latest = certified.verdict == GRAZE_CLEAR ? 1 : certified.toi_upper;
    if (toi > latest)
        bench_add_headline(run->report, "The interval-parallel ti is LATE on %s: %.17g, a contact is proven at %.17g",
                           scene->name, toi, latest);
    return true;
}

bool gpu_compare(gpu_run *run, const bench_data *data, io_error *error) {
    bench_add_heading(run->report, "Comparison");
    bench_table *table = bench_add_table(
        run->report, "gpu-compare", "Broad phases and ti of Scalable CCD, written anew",
        "Sweep and tiniest queue (Algorithm 2), a linear tree with two children a node, and the "
        "interval-parallel Tight Inclusion with one earliest time for all pairs (Algorithm 3), tolerance "
        "1e-6, in double. Lists are compared with graze's own; its time of impact is held against the "
        "proven contact.",
        columns, sizeof columns / sizeof *columns);
    for (size_t s = 0; s < data->scene_count && !bench_stopped(run->settings); s++)
        if (!compare_broad(run, &data->scenes[s], table, error) || !compare_ti(run, &data->scenes[s], table, error))
            return false;
    return true;
}
