/* graze bench broad: every broad phase on every scene: time, candidates, memory, and whether a pair is missing. */
#include "bench/step/broad.h"

#include <math.h>
#include <stdlib.h>

bool bench_broad_wanted(int broad) { return broad != GRAZE_BROAD_AUTO && graze_broad_available((graze_broad)broad); }

/* ---- one broad phase ---- */

bool bench_find(const bench_broad_run *run, const bench_scene *scene, graze_broad broad, uint32_t threads,
                bench_found *found, io_error *error) {
    *found = (bench_found){.context = bench_context(run->settings, threads, 0, error)};
    if (!found->context) return false;
    graze_step_options options = graze_default_step_options();
    options.broad = broad;
    while (bench_times_more(&found->times, run->repeat, run->budget) && !bench_stopped(run->settings)) {
        graze_pairs_release(found->context, found->pairs, found->count);
        found->pairs = NULL;
        found->count = 0;
        double begin = bench_seconds();
        graze_status status = graze_candidates(found->context, &scene->mesh, (const double(*)[3])scene->x0,
                                               (const double(*)[3])scene->x1, &options, &found->pairs, &found->count);
        if (status != GRAZE_OK) return bench_call_failed(found->context, scene->name, status, error);
        bench_times_add(&found->times, bench_seconds() - begin);
    }
    graze_stats stats = graze_default_stats();
    if (graze_context_stats(found->context, &stats) == GRAZE_OK) found->peak_bytes = stats.peak_bytes;
    return true;
}

void bench_found_free(bench_found *found) {
    graze_pairs_release(found->context, found->pairs, found->count);
    graze_context_destroy(found->context);
    *found = (bench_found){0};
}

static const bench_column skipped_columns[] = {
    {"scene", "scene", NULL},
    {"broad", "broad phase", NULL},
    {"what", "left out", NULL},
    {"boxes", "boxes", NULL},
    {"expected_s", "one call would take", "s"},
};

bool bench_broad_too_slow(bench_broad_run *run, const bench_scene *scene, graze_broad broad, const char *what) {
    double expected = bench_growth_expect(&run->growth[broad], (double)bench_boxes(scene));
    if (!(expected > run->budget)) return false;
    if (!run->skipped)
        run->skipped = bench_add_table(run->report, "broad-left-out", "Left out for want of time",
                                       "By what smaller scenes took; more with --time-budget.", skipped_columns,
                                       sizeof skipped_columns / sizeof *skipped_columns);
    bench_cell *row = bench_add_row(run->skipped);
    row[0] = bench_text("%s", scene->name);
    row[1] = bench_text("%s", graze_broad_name(broad));
    row[2] = bench_text("%s", what);
    row[3] = bench_count(bench_boxes(scene));
    row[4] = bench_number(expected);
    return true;
}

/* ---- candidates against the reference ---- */

static int by_pair(const graze_pair *p, const graze_pair *q) {
    if (p->kind != q->kind) return p->kind < q->kind ? -1 : 1;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

bench_comparison bench_compare(const bench_scene *scene, const bench_found *found) {
    bench_comparison c = {.unseen = scene->unseen};
    size_t i = 0, k = 0, count = found->count;
    while (count && found->pairs[count - 1].kind > GRAZE_EE) count--;
    while (i < scene->pair_count || k < count) {
        int order = i == scene->pair_count ? 1 : k == count ? -1 : by_pair(&scene->pairs[i], &found->pairs[k]);
        c.missing += order < 0;
        c.unseen += order < 0 && scene->hit[i];
        c.extra += order > 0;
        c.clear += order == 0 && !scene->hit[i];
        if (order >= 0) c.kinds[found->pairs[k].kind]++;
        i += order <= 0;
        k += order >= 0;
    }
    return c;
}

/* ---- scenes ---- */

static const bench_column columns[] = {
    {"scene", "scene", NULL},
    {"broad", "broad phase", NULL},
    {"boxes", "boxes", NULL},
    {"ms_1", "1 thread, least", "ms"},
    {"ms_1_median", "1 thread, median", "ms"},
    {"ms_all", "all threads, least", "ms"},
    {"ms_all_median", "all threads, median", "ms"},
    {"bvh_ratio", "bvh is faster by", NULL},
    {"candidates_vf", "candidates VF", NULL},
    {"candidates_ee", "candidates EE", NULL},
    {"false_positives", "that do not touch", NULL},
    {"missing", "pairs missing", NULL},
    {"extra", "pairs too many", NULL},
    {"contacts_missing", "contacts missing", NULL},
    {"peak_mb", "memory", "MB"},
};

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

static bool add_row(bench_broad_run *run, bench_table *table, const bench_scene *scene, int broad, double *bvh,
                    io_error *error) {
    bench_found found[2] = {0};
    bool good = bench_find(run, scene, (graze_broad)broad, 1, &found[0], error) &&
                bench_find(run, scene, (graze_broad)broad, run->threads, &found[1], error);
    if (good && found[0].times.count && found[1].times.count) {
        bench_comparison one = bench_compare(scene, &found[0]), all = bench_compare(scene, &found[1]);
        bench_cell *row = bench_add_row(table);
        double least = bench_times_least(&found[1].times);
        if (broad == GRAZE_BROAD_BVH) *bvh = least;
        row[0] = bench_text("%s", scene->name);
        row[1] = bench_text("%s", graze_broad_name((graze_broad)broad));
        row[2] = bench_count(bench_boxes(scene));
        row[3] = bench_number(1e3 * bench_times_least(&found[0].times));
        row[4] = bench_number(1e3 * bench_times_median(&found[0].times));
        row[5] = bench_number(1e3 * least);
        row[6] = bench_number(1e3 * bench_times_median(&found[1].times));
        row[7] = bench_number(least / *bvh);
        row[8] = bench_count(all.kinds[GRAZE_VF]);
        row[9] = bench_count(all.kinds[GRAZE_EE]);
        row[10] = bench_count(all.clear);
        row[11] = bench_count(larger(one.missing, all.missing));
        row[12] = bench_count(larger(one.extra, all.extra));
        row[13] = bench_count(larger(one.unseen, all.unseen));
        row[14] = bench_number((double)found[1].peak_bytes / 1e6);
    }
    bench_found_free(&found[0]);
    bench_found_free(&found[1]);
    return good;
}

static bool measure_scenes(bench_broad_run *run, io_error *error) {
    char note[500];
    snprintf(note, sizeof note,
             "Wall time of graze_candidates for both kinds, %u threads for “all”. The reference is the set that bvh "
             "found when the scene was loaded; `brute`, which tests every box against every box, has to give the same "
             "set. Missing and superfluous pairs are the larger number of those with one and with all threads. "
             "Contacts are those of the scene's ground truth.",
             run->threads);
    bench_add_heading(run->report, "Scenes");
    bench_table *table = bench_add_table(run->report, "broad-scenes", "Every broad phase on every scene", note, columns,
                                         sizeof columns / sizeof *columns);
    for (size_t s = 0; s < run->data.scene_count; s++) {
        const bench_scene *scene = &run->data.scenes[s];
        double bvh = NAN;
        for (int k = 0; k < BENCH_BROADS; k++) {
            int broad = k == 0 ? GRAZE_BROAD_BVH : k; /* the first is what the others are compared with */
            if (k == GRAZE_BROAD_BVH || !bench_broad_wanted(broad) || bench_stopped(run->settings)) continue;
            char label[100];
            snprintf(label, sizeof label, "%s %s", scene->name, graze_broad_name((graze_broad)broad));
            bench_progress(run->settings, label,
                           0.4 + 0.3 * ((double)s + (double)k / BENCH_BROADS) / (double)run->data.scene_count);
            if (bench_broad_too_slow(run, scene, (graze_broad)broad, "scene")) continue;
            if (!add_row(run, table, scene, broad, &bvh, error)) return false;
        }
    }
    return true;
}

bool bench_broad(const bench_settings *settings, bench_report *report, io_error *error) {
    bench_broad_run *run = bench_allocate(1, sizeof *run);
    *run = (bench_broad_run){.settings = settings, .report = report};
    run->budget = settings->time_budget > 0 ? settings->time_budget : settings->quick ? 0.5 : 20;
    run->repeat = settings->repeat ? settings->repeat : 5;
    run->threads = bench_threads(settings, error);
    bool good = run->threads > 0 && bench_data_load_scenes(settings, &run->data, error);
    good = good && bench_broad_grow(run, error) && measure_scenes(run, error) && bench_broad_frames(run, error);
    if (good) bench_broad_add_growth(run);
    good = good && bench_broad_scaling(run, error);
    report->interrupted = report->interrupted || bench_stopped(settings);
    bench_data_free(&run->data);
    free(run);
    return good;
}
