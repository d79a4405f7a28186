/* Distributions: how long queries take, and how close the times of impact are. */
#include "bench/narrow.h"

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

void bench_histogram_end(bench_histogram *histogram, bench_plot *plot, const char *name) {
    if (plot && histogram->total) {
        bench_series *series = bench_add_series(plot, name);
        for (size_t i = 0; i <= histogram->bins; i++) {
            uint64_t count = i < histogram->bins ? histogram->counts[i] : 0;
            bench_add_point(series, pow(10, (double)(histogram->first + (int)i) / BENCH_BINS_A_DECADE),
                            100.0 * (double)count / (double)histogram->total);
        }
    }
    free(histogram->counts);
}

void bench_histograms_trim(bench_plot *plot) {
    size_t first = SIZE_MAX, last = 0;
    for (size_t s = 0; s < plot->series_count; s++)
        for (size_t i = 0; i < plot->series[s].count; i++)
            if (plot->series[s].y[i] > 0) {
                if (i < first) first = i;
                if (i > last) last = i;
            }
    for (size_t s = 0; first != SIZE_MAX && s < plot->series_count; s++) {
        bench_series *series = &plot->series[s];
        series->count = last + 2 - first; /* the end of the last bin */
        memmove(series->x, series->x + first, series->count * sizeof *series->x);
        memmove(series->y, series->y + first, series->count * sizeof *series->y);
    }
}

/* ---- figure 7 of the benchmark paper ---- */

void bench_narrow_times(bench_narrow_run *run) {
    for (int group = 0; group < BENCH_GROUPS; group++)
        for (int touches = 1; touches >= 0; touches--) {
            if (run->data->sets[group][0].count + run->data->sets[group][1].count == 0) continue;
            char id[60], title[120];
            snprintf(id, sizeof id, "times-%s-%s", bench_group_name((bench_group)group), touches ? "hits" : "clear");
            snprintf(title, sizeof title, "Time of %s, %s", touches ? "queries that touch" : "clear queries",
                     group == BENCH_HANDCRAFTED ? "handcrafted" : "simulation");
            bench_plot *plot = bench_add_plot(run->report, id, title, "Both kinds together, one call for one query.",
                                              BENCH_HISTOGRAM, (bench_axis){"time of a query", "µs", true},
                                              (bench_axis){"share of the queries", "%", false});
            for (int m = 1; bench_method(run->settings, m); m++) {
                bench_histogram histogram;
                bench_histogram_begin(&histogram, -2, 8);
                for (int kind = 0; kind < 2; kind++) {
                    const bench_queries *set = &run->data->sets[group][kind];
                    const bench_answers *answers = &run->answers[m][group][kind];
                    for (size_t i = 0; i < answers->count; i++)
                        if (answers->us[i] >= 0 && set->hit[i] == touches) /* not asked, or of a file: no time */
                            bench_histogram_add(&histogram, answers->us[i]);
                }
                bench_histogram_end(&histogram, plot, bench_method(run->settings, m)->name);
            }
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
                row[1] = bench_text("%s", bench_kind_name((graze_kind)kind));
                row[2] = bench_text("%s", info->name);
                row[3] = bench_count(s.toi_hits);
                row[4] = bench_number(s.toi_mean);
                row[5] = bench_number(s.toi_median);
                row[6] = bench_number(s.toi_max);
                row[7] = bench_count(s.late);
            }
}

void bench_narrow_toi(bench_narrow_run *run) {
    add_toi_table(run);
    for (int group = 0; group < BENCH_GROUPS; group++) {
        if (run->data->sets[group][0].count + run->data->sets[group][1].count == 0) continue;
        char id[60], title[120];
        snprintf(id, sizeof id, "toi-error-%s", bench_group_name((bench_group)group));
        snprintf(title, sizeof title, "Error of the time of impact, %s",
                 group == BENCH_HANDCRAFTED ? "handcrafted" : "simulation");
        bench_plot *plot = bench_add_plot(
            run->report, id, title, "Distance from the exact root; exact ones are in the first bin.", BENCH_HISTOGRAM,
            (bench_axis){"error", "steps", true}, (bench_axis){"share of the true hits", "%", false});
        for (int m = 1; bench_method(run->settings, m); m++) {
            if (!bench_method(run->settings, m)->gives_toi) continue;
            bench_histogram histogram;
            bench_histogram_begin(&histogram, -18, 18);
            for (int kind = 0; kind < 2; kind++) {
                const bench_queries *set = &run->data->sets[group][kind];
                const bench_answers *answers = &run->answers[m][group][kind];
                for (size_t i = 0; i < answers->count; i++)
                    if (answers->verdict[i] == GRAZE_HIT && set->lower[i] <= 1)
                        bench_histogram_add(&histogram, fabs(set->lower[i] - answers->toi[i]));
            }
            bench_histogram_end(&histogram, plot, bench_method(run->settings, m)->name);
        }
        bench_histograms_trim(plot);
    }
}
