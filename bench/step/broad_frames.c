/* Every broad phase on consecutive frames: how time and memory go from frame to frame, and whether a contact is
 * missing. */
#include "bench/step/broad.h"

#include <math.h>
#include <stdlib.h>

static const bench_column columns[] = {
    {"scene", "scene", NULL},
    {"broad", "broad phase", NULL},
    {"steps", "steps", NULL},
    {"ms_least", "least", "ms"},
    {"ms_median", "median", "ms"},
    {"ms_largest", "largest", "ms"},
    {"peak_mb", "memory", "MB"},
    {"candidates", "candidates", NULL},
    {"false_positives", "that do not touch", NULL},
    {"missing", "pairs missing", NULL},
    {"extra", "pairs too many", NULL},
    {"contacts_missing", "contacts missing", NULL},
};

typedef struct frames_figures {
    bench_table *table;
    bench_plot *times, *boxes, *memory, *clear;
} frames_figures;

/* The reference of a step: the candidates of bvh, and which of them touch by exact arithmetic. */
static bool find_reference(bench_broad_run *run, bench_scene *step, bench_found *found, io_error *error) {
    if (!bench_find(run, step, GRAZE_BROAD_BVH, run->threads, found, error)) return false;
    step->pairs = found->pairs;
    step->pair_count = found->count;
    while (step->pair_count && step->pairs[step->pair_count - 1].kind > GRAZE_EE) step->pair_count--;
    step->hit = bench_allocate(step->pair_count, sizeof *step->hit);
    graze_result *results = bench_allocate(step->pair_count, sizeof *results);
    graze_options narrow = graze_default_options();
    narrow.method = GRAZE_METHOD_EXACT;
    graze_step_options options = graze_default_step_options();
    options.narrow = &narrow;
    graze_status status =
        graze_ccd_pairs(found->context, &step->mesh, (const double(*)[3])step->x0, (const double(*)[3])step->x1,
                        step->pairs, step->pair_count, &options, results);
    for (size_t i = 0; i < step->pair_count; i++) step->hit[i] = results[i].verdict != GRAZE_CLEAR;
    free(results);
    return status == GRAZE_OK || bench_call_failed(found->context, step->name, status, error);
}

/* Course of a broad phase over the steps of a scene. */
typedef struct course {
    bench_times times; /* the least of each step */
    bench_comparison sum;
    uint64_t candidates, peak_bytes;
    bench_series *frame, *box, *memory;
} course;

static bool take_step(bench_broad_run *run, const bench_scene *step, size_t k, graze_broad broad, course *c,
                      io_error *error) {
    bench_found found;
    bool good = bench_find(run, step, broad, run->threads, &found, error);
    if (good && found.times.count) {
        double seconds = bench_times_least(&found.times), bytes = (double)found.peak_bytes;
        bench_comparison compared = bench_compare(step, &found);
        bench_times_add(&c->times, seconds);
        c->candidates += found.count;
        if (found.peak_bytes > c->peak_bytes) c->peak_bytes = found.peak_bytes;
        c->sum.clear += compared.clear;
        c->sum.missing += compared.missing;
        c->sum.extra += compared.extra;
        c->sum.unseen += compared.unseen;
        bench_add_point(c->frame, (double)k, 1e3 * seconds);
        bench_add_point(c->box, (double)k, 1e3 * seconds);
        bench_add_point(c->memory, (double)k, bytes / 1e6);
    }
    bench_found_free(&found);
    return good;
}

static void add_course(bench_table *table, const bench_scene *scene, graze_broad broad, const course *c) {
    if (c->times.count == 0) return;
    bench_cell *row = bench_add_row(table);
    row[0] = bench_text("%s", scene->name);
    row[1] = bench_text("%s", graze_broad_name(broad));
    row[2] = bench_count(c->times.count);
    row[3] = bench_number(1e3 * bench_times_least(&c->times));
    row[4] = bench_number(1e3 * bench_times_median(&c->times));
    row[5] = bench_number(1e3 * c->times.all[c->times.count - 1]);
    row[6] = bench_number((double)c->peak_bytes / 1e6);
    row[7] = bench_count(c->candidates);
    row[8] = bench_count(c->sum.clear);
    row[9] = bench_count(c->sum.missing);
    row[10] = bench_count(c->sum.extra);
    row[11] = bench_count(c->sum.unseen);
}

/* The steps of a scene with what is true of them. */
typedef struct truth {
    bench_scene steps[BENCH_MOST_FRAMES];
    bench_found found[BENCH_MOST_FRAMES];
    size_t count;
} truth;

static bool find_truth(bench_broad_run *run, const bench_scene *scene, frames_figures *to, truth *t, io_error *error) {
    bench_series *clear = bench_add_series(to->clear, NULL, scene->name);
    bool good = true;
    for (size_t k = 0; good && k < bench_frame_steps(scene) && !bench_stopped(run->settings); k++) {
        t->steps[k] = bench_frame_step(scene, k);
        t->count = k + 1;
        good = find_reference(run, &t->steps[k], &t->found[k], error);
        size_t touching = 0;
        for (size_t i = 0; good && i < t->steps[k].pair_count; i++) touching += t->steps[k].hit[i];
        if (good) bench_add_point(clear, (double)k, (double)(t->steps[k].pair_count - touching));
    }
    return good;
}

static void free_truth(truth *t) {
    for (size_t k = 0; k < t->count; k++) {
        free(t->steps[k].hit);
        bench_found_free(&t->found[k]);
    }
    free(t);
}

static bool take_scene(bench_broad_run *run, const bench_scene *scene, frames_figures *to, io_error *error) {
    truth *t = bench_allocate(1, sizeof *t);
    bool good = find_truth(run, scene, to, t, error);
    for (int broad = 0; good && broad < BENCH_BROADS && !bench_stopped(run->settings); broad++) {
        if (!bench_broad_wanted(broad)) continue;
        const char *name = graze_broad_name((graze_broad)broad);
        /* what is left out has its series, too: names look alike in all figures when their order is one */
        course c = {.frame = bench_add_series(to->times, scene->name, name),
                    .box = bench_add_series(to->boxes, scene->name, name),
                    .memory = bench_add_series(to->memory, scene->name, name)};
        size_t steps = bench_broad_too_slow(run, scene, (graze_broad)broad, "frames") ? 0 : t->count;
        for (size_t k = 0; good && k < steps && !bench_stopped(run->settings); k++)
            good = take_step(run, &t->steps[k], k, (graze_broad)broad, &c, error);
        add_course(to->table, scene, (graze_broad)broad, &c);
    }
    free_truth(t);
    return good;
}

static frames_figures add_figures(bench_broad_run *run) {
    bench_report *report = run->report;
    bench_axis frame = {"step", NULL, false}, time = {"time", "ms", true};
    char note[300];
    snprintf(note, sizeof note,
             "One step after the other, %u threads, least of two calls. Candidates and what is missing of them are "
             "sums over "
             "the steps; contacts are those of `exact` among the candidates of bvh.",
             run->threads);
    frames_figures f;
    f.times = bench_add_plot(report, "broad-frames-time", "Time by step", NULL, BENCH_LINES, frame, time);
    f.boxes = bench_add_plot(report, "broad-frames-box", "Time over all steps", NULL, BENCH_BOXES, frame, time);
    f.clear = bench_add_plot(report, "broad-frames-clear", "Candidates that do not touch, over all steps",
                             "The same for every broad phase: their candidates are the same.", BENCH_BOXES, frame,
                             (bench_axis){"false positives", NULL, true});
    f.memory = bench_add_plot(report, "broad-frames-memory", "Memory over all steps",
                              "The most that the context held at once, the list of candidates included.", BENCH_BOXES,
                              frame, (bench_axis){"memory", "MB", true});
    f.table = bench_add_table(report, "broad-frames", "Every broad phase from frame to frame", note, columns,
                              sizeof columns / sizeof *columns);
    f.times->paper = f.boxes->paper = f.memory->paper = f.clear->paper = "Scalable CCD, figure 3";
    return f;
}

bool bench_broad_frames(bench_broad_run *run, io_error *error) {
    size_t steps = 0;
    for (size_t s = 0; s < run->data.scene_count; s++) steps += bench_frame_steps(&run->data.scenes[s]);
    if (steps == 0) return true;
    bench_broad_run quick = *run;
    quick.repeat = run->repeat < 2 ? run->repeat : 2;
    quick.budget = run->budget / 10;
    bench_add_heading(run->report, "From frame to frame");
    frames_figures to = add_figures(run);
    bool good = true;
    for (size_t s = 0; good && s < run->data.scene_count && !bench_stopped(run->settings); s++) {
        if (bench_frame_steps(&run->data.scenes[s]) == 0) continue;
        bench_progress(run->settings, run->data.scenes[s].name, 0.7 + 0.1 * (double)s / (double)run->data.scene_count);
        good = take_scene(&quick, &run->data.scenes[s], &to, error);
    }
    run->skipped = quick.skipped;
    return good;
}
