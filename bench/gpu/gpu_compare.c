/* The broad phases and the interval-parallel ti of the published GPU pipeline, written anew, beside graze's own. */
#include "bench/gpu/gpu.h"

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

typedef struct broad_call {
    const bench_scene *scene;
    graze_broad broad;
    graze_pair *pairs;
    size_t count;
} broad_call;

static graze_status ask_broad(gpu_run *run, void *state) {
    broad_call *asked = state;
    graze_step_options options = graze_default_step_options();
    options.backend = GRAZE_BACKEND_CUDA;
    options.broad = asked->broad;
    options.kinds = 1u << GRAZE_VF | 1u << GRAZE_EE;
    graze_pairs_release(run->context, asked->pairs, asked->count);
    return graze_candidates(run->context, &asked->scene->mesh, (const double(*)[3])asked->scene->x0,
                            (const double(*)[3])asked->scene->x1, &options, &asked->pairs, &asked->count);
}

static bool compare_broad(gpu_run *run, const bench_scene *scene, bench_table *table, io_error *error) {
    static const graze_broad broads[] = {GRAZE_BROAD_AUTO, GRAZE_BROAD_LBVH, GRAZE_BROAD_STQ};
    static const char *const names[] = {"candidates by graze's tree", "candidates by lbvh", "candidates by stq"};
    broad_call calls[3];
    double own = 0;
    bool good = true;
    for (int i = 0; i < 3; i++) calls[i] = (broad_call){.scene = scene, .broad = broads[i]};
    for (int i = 0; good && i < 3 && !bench_stopped(run->settings); i++) {
        bench_times times;
        good = gpu_time(run, run->context, scene->name, ask_broad, &calls[i], &times, error);
        if (!good) break;
        double ms = 1e3 * bench_times_least(&times);
        size_t count = calls[0].count;
        if (i == 0) own = ms;
        add_row(table, scene, names[i], calls[i].count, NAN, ms, own);
        run->answers += count;
        if (calls[i].count != count ||
            (count && memcmp(calls[i].pairs, calls[0].pairs, count * sizeof *calls[0].pairs) != 0))
            gpu_differs(run, "%s: %s", scene->name, names[i]);
    }
    for (int i = 0; i < 3; i++) graze_pairs_release(run->context, calls[i].pairs, calls[i].count);
    return good;
}

/* ---- whole steps ---- */

typedef struct step_call {
    const bench_scene *scene;
    graze_step_result result; /* of `certified`; or of ti: */
    double toi;
    uint64_t checks;
} step_call;

static graze_status ask_certified(gpu_run *run, void *state) {
    step_call *asked = state;
    graze_step_options options = graze_default_step_options();
    options.backend = GRAZE_BACKEND_CUDA;
    options.kinds = 1u << GRAZE_VF | 1u << GRAZE_EE;
    return graze_step(run->context, &asked->scene->mesh, (const double(*)[3])asked->scene->x0,
                      (const double(*)[3])asked->scene->x1, &options, &asked->result);
}

static graze_status ask_ti(gpu_run *run, void *state) {
    step_call *asked = state;
    graze_step_options options = graze_default_step_options();
    return gz_step_ti_on_backend(run->context, &asked->scene->mesh, (const double(*)[3])asked->scene->x0,
                                 (const double(*)[3])asked->scene->x1, &options, &asked->toi, &asked->checks);
}

static bool compare_ti(gpu_run *run, const bench_scene *scene, bench_table *table, io_error *error) {
    step_call asked = {.scene = scene, .result = graze_default_step_result()};
    bench_times own, other;
    if (!gpu_time(run, run->context, scene->name, ask_certified, &asked, &own, error) ||
        !gpu_time(run, run->context, scene->name, ask_ti, &asked, &other, error))
        return false;
    double ms = 1e3 * bench_times_least(&own);
    add_row(table, scene, "earliest step by certified", 0, asked.result.toi, ms, ms);
    add_row(table, scene, "earliest step by interval-parallel ti", asked.checks, asked.toi,
            1e3 * bench_times_least(&other), ms);
    double latest = asked.result.verdict == GRAZE_CLEAR ? 1 : asked.result.toi_upper;
    if (asked.toi > latest)
        bench_add_headline(run->report, "The interval-parallel ti is LATE on %s: %.17g, a contact is proven at %.17g",
                           scene->name, asked.toi, latest);
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
