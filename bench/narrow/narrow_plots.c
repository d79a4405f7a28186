/* Distributions as cumulative curves: how long queries take, and how close the times of impact are. */
#include "bench/narrow/narrow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void bench_histogram_begin(bench_histogram *histogram, int first_decade, int decades) {
    *histogram =
        (bench_histogram){.first = BENCH_BINS_A_DECADE * first_decade, .bins = (size_t)(BENCH_BINS_A_DECADE * decades)};
    histogram->counts = bench_allocate(histogram->bins, sizeof *histogram->counts);
}

void bench_histogram_add(bench_histogram *histogram, double value) {
    double bin = value > 0 ? floor(BENCH_BINS_A_DECADE * log10(value)) - histogram->first : 0;
    double last = (double)histogram->bins - 1;
    histogram->counts[(size_t)(bin < 0 ? 0 : bin > last ? last : bin)]++;
    histogram->total++;
}

void bench_histogram_end(bench_histogram *histogram, bench_plot *plot, const char *panel, const char *name) {
    if (plot && histogram->total) {
        bench_series *series = bench_add_series(plot, panel, name);
        uint64_t below = 0;
        for (size_t i = 0; i <= histogram->bins; i++) {
            bench_add_point(series, pow(10, (double)(histogram->first + (int)i) / BENCH_BINS_A_DECADE),
                            100.0 * (double)below / (double)histogram->total);
            if (i < histogram->bins) below += histogram->counts[i];
        }
    }
    free(histogram->counts);
}

/* True if all series have this share at one end of their bins. */
static bool all_have(const bench_plot *plot, size_t index, double share) {
    for (size_t s = 0; s < plot->series_count; s++)
        if (plot->series[s].y[index] != share) return false;
    return true;
}

void bench_histograms_trim(bench_plot *plot) {
    if (plot->series_count == 0) return;
    size_t first = 0, last = plot->series[0].count - 1;
    while (first < last && all_have(plot, first + 1, 0)) first++;
    while (last > first && all_have(plot, last - 1, 100)) last--;
    for (size_t s = 0; s < plot->series_count; s++) {
        bench_series *series = &plot->series[s];
        series->count = last + 1 - first;
        memmove(series->x, series->x + first, series->count * sizeof *series->x);
        memmove(series->y, series->y + first, series->count * sizeof *series->y);
    }
}

/* ---- how long queries take ---- */

static bool has_queries(const bench_narrow_run *run, int group) {
    return run->data->sets[group][0].count + run->data->sets[group][1].count > 0;
}

static void add_times(const bench_narrow_run *run, bench_plot *plot, int group, int method, bool touches) {
    bench_histogram histogram;
    bench_histogram_begin(&histogram, -2, 8);
    for (int kind = 0; kind < 2; kind++) {
        const bench_queries *set = &run->data->sets[group][kind];
        const bench_answers *answers = &run->answers[method][group][kind];
        for (size_t i = 0; i < answers->count; i++)
            if (answers->us[i] >= 0 && set->hit[i] == touches) /* not asked, or of a file: no time */
                bench_histogram_add(&histogram, answers->us[i]);
    }
    bench_histogram_end(&histogram, plot, bench_method(run->settings, method)->name,
                        touches ? "queries that touch" : "clear queries");
}

void bench_narrow_times(bench_narrow_run *run) {
    for (int group = 0; group < BENCH_GROUPS; group++) {
        if (!has_queries(run, group)) continue;
        char id[60], title[120];
        snprintf(id, sizeof id, "times-%s", bench_group_name((bench_group)group));
        snprintf(title, sizeof title, "Time of a query, %s", bench_group_name((bench_group)group));
        bench_plot *plot = bench_add_plot(
            run->report, id, title,
            "The share of the queries that take no longer than this. Both kinds together, one call for one query.",
            BENCH_CUMULATIVE, (bench_axis){"time of a query", "µs", true},
            (bench_axis){"share of the queries", "%", false});
        plot->paper = "Tight Inclusion, figure 7";
        for (int m = 1; bench_method(run->settings, m); m++)
            for (int touches = 1; touches >= 0; touches--) add_times(run, plot, group, m, touches);
        bench_histograms_trim(plot);
    }
}

/* ---- time of impact against the exact root ---- */

static const bench_column toi_columns[] = {
    {"set", "queries", NULL},           {"kind", "kind", NULL},
    {"method", "method", NULL},         {"hits", "hits", NULL},
    {"mean_error", "mean", NULL},       {"median_error", "median", NULL},
    {"largest_error", "largest", NULL}, {"late", "after the contact", NULL},
};

static void add_toi_table(bench_narrow_run *run) {
    bench_table *table = bench_add_table(
        run->report, "toi-error", "Distance of the time of impact from the exact first contact",
        "In units of the step, over the hits that are true. A time after the contact is not safe to step to.",
        toi_columns, sizeof toi_columns / sizeof *toi_columns);
    for (int group = 0; group < BENCH_GROUPS; group++)
        for (int kind = 0; kind < 2; kind++)
            for (int m = 1; bench_method(run->settings, m); m++) {
                const bench_answers *answers = &run->answers[m][group][kind];
                const graze_method_info *info = bench_method(run->settings, m);
                if (answers->covered == 0 || !info->gives_toi) continue;
                const bench_queries *set = &run->data->sets[group][kind];
                bench_score s = bench_score_of(set, set->hit, answers, BENCH_ALL_SOURCES, true);
                bench_cell *row = bench_add_row(table);
                row[0] = bench_text("%s", bench_group_name((bench_group)group));
                row[1] = bench_text("%s", graze_kind_name((graze_kind)kind));
                row[2] = bench_text("%s", info->name);
                row[3] = bench_count(s.toi_hits);
                row[4] = bench_number(s.toi_mean);
                row[5] = bench_number(s.toi_median);
                row[6] = bench_number(s.toi_max);
                row[7] = bench_count(s.late);
            }
}

/* Errors of a method's true hits in a group; of one source alone where that is not BENCH_ALL_SOURCES. */
static void add_errors(const bench_narrow_run *run, bench_plot *plot, int group, int method, int64_t source,
                       const char *panel, const char *name) {
    bench_histogram histogram;
    bench_histogram_begin(&histogram, -18, 18);
    for (int kind = 0; kind < 2; kind++) {
        const bench_queries *set = &run->data->sets[group][kind];
        const bench_answers *answers = &run->answers[method][group][kind];
        for (size_t i = 0; i < answers->count; i++)
            if (answers->verdict[i] == GRAZE_HIT && set->lower[i] <= 1 &&
                (source == BENCH_ALL_SOURCES || set->source[i] == (uint32_t)source))
                bench_histogram_add(&histogram, fabs(set->lower[i] - answers->toi[i]));
    }
    bench_histogram_end(&histogram, plot, panel, name);
}

static bench_plot *add_error_plot(bench_narrow_run *run, const char *id, const char *title) {
    bench_plot *plot = bench_add_plot(
        run->report, id, title,
        "The share of the true hits whose time is no farther from the exact root. Exact ones are at the left.",
        BENCH_CUMULATIVE, (bench_axis){"error", "steps", true}, (bench_axis){"share of the true hits", "%", false});
    plot->paper = "Scalable CCD, figure 7";
    return plot;
}

/* Methods that a simulator would choose from, and those that the user brought. */
static bool is_for_simulators(const bench_narrow_run *run, int m) {
    return m == GRAZE_METHOD_CERTIFIED || m == GRAZE_METHOD_TI || m == GRAZE_METHOD_ACCD ||
           (bench_method_brought(run->settings, m) && bench_method(run->settings, m)->gives_toi);
}

/* Draws the errors of every method on all queries, and those of methods for simulators on every scene. */
void bench_narrow_toi(bench_narrow_run *run) {
    add_toi_table(run);
    bench_plot *methods = add_error_plot(run, "toi-error-methods", "Error of the time of impact, by method");
    for (int m = 1; bench_method(run->settings, m); m++)
        for (int group = 0; group < BENCH_GROUPS; group++)
            if (bench_method(run->settings, m)->gives_toi)
                add_errors(run, methods, group, m, BENCH_ALL_SOURCES, bench_method(run->settings, m)->name,
                           bench_group_name((bench_group)group));
    bench_histograms_trim(methods);
    bench_plot *scenes = add_error_plot(run, "toi-error-scenes", "Error of the time of impact, by scene");
    for (size_t s = 0; s < run->data->scene_count; s++)
        for (int m = 1; bench_method(run->settings, m); m++)
            if (is_for_simulators(run, m))
                add_errors(run, scenes, BENCH_SIMULATION, m, run->data->scenes[s].source, run->data->scenes[s].name,
                           bench_method(run->settings, m)->name);
    bench_histograms_trim(scenes);
}
