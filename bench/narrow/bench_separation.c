/* graze bench separation: minimum separations from 1e-2 down to 1e-100, scored by Euclidean and by maximum-norm truth.
 *
 * Contact within a separation is Euclidean for all methods but `ti`, whose paper grows boxes: by the largest coordinate
 * difference. So each answer is scored both ways. */
#include "bench/narrow/measure.h"
#include "bench/narrow/narrow.h"
#include "scenes/handcraft.h"

#include <math.h>
#include <stdlib.h>

static const double separations[] = {0, 1e-2, 1e-8, 1e-16, 1e-30, 1e-100};
enum { SEPARATIONS = sizeof separations / sizeof *separations };
/* those of the figure have no truth: only their time is shown */
static const double figure_separations[] = {1e-100, 1e-50, 1e-30, 1e-16, 1e-8, 1e-4, 1e-2, 1e-1, 1};
enum { FIGURE_SEPARATIONS = sizeof figure_separations / sizeof *figure_separations };

typedef struct set_truth {
    unsigned char *hit[2]; /* by graze_norm */
} set_truth;

typedef struct separation_run {
    const bench_settings *settings;
    bench_report *report;
    bench_queries samples[BENCH_GROUPS][2];
    set_truth truth[BENCH_GROUPS][2][SEPARATIONS];
    bench_effort effort;
    size_t planned, done;
} separation_run;

/* True if a method answers with a separation: asked once, on a pair that is far apart. */
static bool takes_separation(const bench_settings *settings, int method) {
    const bench_brought *brought = bench_method_brought(settings, method);
    if (brought) return brought->plugin && brought->plugin->takes_separation;

    const graze_query query = {.x0 = {{0, 0, 5}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                               .x1 = {{0, 0, 4}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    graze_options options = graze_default_options();
    options.method = (graze_method)method;
    options.min_separation = 0.125;
    graze_result result;
    return graze_ccd(GRAZE_VF, &query, &options, &result) == GRAZE_OK;
}

static bool chosen(const separation_run *run, int method) {
    return run->settings->methods[method] && takes_separation(run->settings, method);
}

static void tick(separation_run *run, const char *label, double separation) {
    char text[100];
    snprintf(text, sizeof text, "%s, separation %g", label, separation);
    bench_progress(run->settings, text, (double)run->done++ / (double)(run->planned ? run->planned : 1));
}

static bool find_truths(separation_run *run, io_error *error) {
    for (int group = 0; group < BENCH_GROUPS; group++)
        for (int kind = 0; kind < 2; kind++)
            for (int d = 0; d < SEPARATIONS; d++)
                for (int norm = 0; norm < 2; norm++) {
                    const bench_queries *set = &run->samples[group][kind];
                    bench_truth_job job = {.options = graze_default_truth_options(),
                                           .kind = (graze_kind)kind,
                                           .count = set->count,
                                           .queries = set->queries,
                                           .hit = bench_allocate(set->count, 1)};
                    run->truth[group][kind][d].hit[norm] = job.hit;
                    job.options.min_separation = separations[d];
                    job.options.norm = norm ? GRAZE_NORM_MAX : GRAZE_NORM_EUCLIDEAN;
                    if (!bench_find_truths(run->settings, &job, "exact truth", error)) return false;
                }
    return true;
}

/* ---- tables ---- */

static const bench_column columns[] = {
    {"separation", "separation", NULL},
    {"method", "method", NULL},
    {"covered", "queries", NULL},
    {"mean_us", "mean", "µs"},
    {"max_us", "slowest", "µs"},
    {"mean_clear_us", "a clear pair", "µs"},
    {"mean_hit_us", "a hit", "µs"},
    {"false_positives", "false positives, Euclidean", NULL},
    {"false_negatives", "false negatives, Euclidean", NULL},
    {"false_positives_max", "false positives, maximum norm", NULL},
    {"false_negatives_max", "false negatives, maximum norm", NULL},
    {"unresolved", "unresolved", NULL},
    {"hash", "hash of the answers", NULL},
};

static void add_row(bench_table *table, double separation, const char *name, const bench_queries *set,
                    const set_truth *truth, const bench_answers *answers) {
    bench_score euclidean = bench_score_of(set, truth->hit[0], answers, BENCH_ALL_SOURCES, false);
    bench_score maximum = bench_score_of(set, truth->hit[1], answers, BENCH_ALL_SOURCES, false);
    bench_cell *row = bench_add_row(table);
    row[0] = bench_number(separation);
    row[1] = bench_text("%s", name);
    row[2] = bench_count(euclidean.covered);
    row[3] = bench_number(euclidean.mean);
    row[4] = bench_number(euclidean.max);
    row[5] = bench_number(euclidean.mean_clear);
    row[6] = bench_number(euclidean.mean_hit);
    row[7] = bench_count(euclidean.false_positives);
    row[8] = bench_count(euclidean.false_negatives);
    row[9] = bench_count(maximum.false_positives);
    row[10] = bench_count(maximum.false_negatives);
    row[11] = bench_count(euclidean.unresolved);
    if (answers->hash) row[12] = bench_text("%016llx", (unsigned long long)answers->hash);
}

static bool add_measured(separation_run *run, bench_table *table, int group, int kind, int d, int method, bool as_eta,
                         io_error *error) {
    graze_options options = graze_default_options();
    options.method = (graze_method)method;
    *(as_eta ? &options.inside_tolerance : &options.min_separation) = separations[d];
    const char *method_name = bench_method(run->settings, method)->name;
    char name[40];
    snprintf(name, sizeof name, "%s%s", method_name, as_eta ? ", tolerance η" : "");
    tick(run, method_name, separations[d]);
    if (bench_stopped(run->settings)) return true;
    bench_answers answers;
    bool good = bench_ask(run->settings, &options, &run->samples[group][kind], run->effort, &answers, error);
    if (good && answers.covered)
        add_row(table, separations[d], name, &run->samples[group][kind], &run->truth[group][kind][d], &answers);
    bench_answers_free(&answers);
    return good;
}

static bool add_tables(separation_run *run, io_error *error) {
    for (int group = 0; group < BENCH_GROUPS; group++)
        for (int kind = 0; kind < 2; kind++) {
            const bench_queries *set = &run->samples[group][kind];
            if (set->count == 0) continue;
            char id[60], title[120], note[300];
            const char *name = bench_group_name((bench_group)group);
            snprintf(id, sizeof id, "separation-%s-%s", name, graze_kind_name((graze_kind)kind));
            snprintf(title, sizeof title, "Separation: %s, %s", name, kind == GRAZE_VF ? "vertex–face" : "edge–edge");
            snprintf(note, sizeof note,
                     "%zu queries. “ti” means the largest coordinate difference by separation, the others the "
                     "Euclidean distance: each is right by its own columns. “fprf” takes a tolerance η instead.",
                     set->count);
            bench_table *table =
                bench_add_table(run->report, id, title, note, columns, sizeof columns / sizeof *columns);
            for (int d = 0; d < SEPARATIONS; d++) {
                for (int m = 1; bench_method(run->settings, m); m++)
                    if (chosen(run, m) && !add_measured(run, table, group, kind, d, m, false, error)) return false;
                if (run->settings->methods[GRAZE_METHOD_FPRF] && d > 0 &&
                    !add_measured(run, table, group, kind, d, GRAZE_METHOD_FPRF, true, error))
                    return false;
            }
        }
    return true;
}

/* ---- families that are made for a separation ---- */

static const bench_column family_columns[] = {
    {"family", "queries", NULL},
    {"kind", "kind", NULL},
    {"method", "method", NULL},
    {"covered", "number", NULL},
    {"contacts", "contacts", NULL},
    {"mean_us", "mean", "µs"},
    {"false_positives", "false positives, Euclidean", NULL},
    {"false_negatives", "false negatives, Euclidean", NULL},
    {"false_positives_max", "false positives, maximum norm", NULL},
    {"false_negatives_max", "false negatives, maximum norm", NULL},
    {"unresolved", "unresolved", NULL},
};

static void add_family_row(bench_table *table, const handcraft_family *family, const char *method,
                           const bench_queries *set, const set_truth *truth, const bench_answers *answers) {
    bench_score euclidean = bench_score_of(set, truth->hit[0], answers, BENCH_ALL_SOURCES, false);
    bench_score maximum = bench_score_of(set, truth->hit[1], answers, BENCH_ALL_SOURCES, false);
    uint64_t contacts = 0;
    for (size_t i = 0; i < set->count; i++) contacts += truth->hit[0][i];
    bench_cell *row = bench_add_row(table);
    row[0] = bench_text("%s", family->name);
    row[1] = bench_text("%s", graze_kind_name(set->kind));
    row[2] = bench_text("%s", method);
    row[3] = bench_count(euclidean.covered);
    row[4] = bench_count(contacts);
    row[5] = bench_number(euclidean.mean);
    row[6] = bench_count(euclidean.false_positives);
    row[7] = bench_count(euclidean.false_negatives);
    row[8] = bench_count(maximum.false_positives);
    row[9] = bench_count(maximum.false_negatives);
    row[10] = bench_count(euclidean.unresolved);
}

static bool find_family_truth(separation_run *run, double separation, const bench_queries *set, set_truth *truth,
                              io_error *error) {
    bool good = true;
    for (int norm = 0; norm < 2; norm++) {
        truth->hit[norm] = bench_allocate(set->count, 1);
        bench_truth_job job = {.options = graze_default_truth_options(),
                               .kind = set->kind,
                               .count = set->count,
                               .queries = set->queries,
                               .hit = truth->hit[norm]};
        job.options.min_separation = separation;
        job.options.norm = norm ? GRAZE_NORM_MAX : GRAZE_NORM_EUCLIDEAN;
        good = good && bench_find_truths(run->settings, &job, "exact truth", error);
    }
    return good;
}

static bool add_family(separation_run *run, bench_table *table, const handcraft_family *family, graze_kind kind,
                       io_error *error) {
    bench_data made = {0};
    bench_queries *set = &made.sets[BENCH_HANDCRAFTED][kind];
    set->kind = kind;
    for (uint64_t i = 0; i < (run->settings->quick ? 60u : 600u); i++) {
        graze_query query;
        handcraft_make(family, kind, run->settings->seed, i, &query);
        bench_data_query(&made, BENCH_HANDCRAFTED, kind, 0, &query, 2);
    }
    set_truth truth;
    bool good = find_family_truth(run, family->separation, set, &truth, error);
    for (int m = 1; good && bench_method(run->settings, m) && !bench_stopped(run->settings); m++) {
        if (!chosen(run, m)) continue;
        graze_options options = graze_default_options();
        options.method = (graze_method)m;
        options.min_separation = family->separation;
        bench_answers answers;
        good = bench_ask(run->settings, &options, set, run->effort, &answers, error);
        if (good && answers.covered)
            add_family_row(table, family, bench_method(run->settings, m)->name, set, &truth, &answers);
        bench_answers_free(&answers);
    }
    for (int norm = 0; norm < 2; norm++) free(truth.hit[norm]);
    bench_queries_free(set);
    return good;
}

/* Generated, whatever else is measured on. */
static bool add_families(separation_run *run, io_error *error) {
    bench_table *table =
        bench_add_table(run->report, "separation-families", "Separation: edges of very different sizes",
                        "Families of `graze handcraft` that touch only within a separation, 0.5.", family_columns,
                        sizeof family_columns / sizeof *family_columns);
    const handcraft_family *family;
    for (size_t f = 0; (family = handcraft_get(f)); f++)
        for (int kind = 0; kind < 2; kind++)
            if (family->separation > 0 && !add_family(run, table, family, (graze_kind)kind, error)) return false;
    return true;
}

/* ---- figure 11 ---- */

/* Mean time of a method on both kinds; the times go into the histogram as well. NaN where nothing was asked. */
static bool measure_times(separation_run *run, int group, int method, double separation, bench_histogram *histogram,
                          double *mean, io_error *error) {
    graze_options options = graze_default_options();
    options.method = (graze_method)method;
    options.min_separation = separation;
    double sum = 0;
    uint64_t covered = 0;
    bool good = true;
    for (int kind = 0; good && kind < 2; kind++) {
        bench_answers answers;
        good = bench_ask(run->settings, &options, &run->samples[group][kind], run->effort, &answers, error);
        for (size_t i = 0; good && i < answers.count; i++) {
            if (answers.verdict[i] == BENCH_NOT_ASKED) continue;
            sum += answers.us[i];
            covered++;
            bench_histogram_add(histogram, answers.us[i]);
        }
        bench_answers_free(&answers);
    }
    *mean = covered ? sum / (double)covered : NAN;
    return good;
}

static bool add_figure(separation_run *run, io_error *error) {
    int group = run->samples[BENCH_SIMULATION][0].count ? BENCH_SIMULATION : BENCH_HANDCRAFTED;
    bench_plot *time = bench_add_plot(
        run->report, "separation-time", "Separation and time", "Both kinds together, one call for one query.",
        BENCH_LINES, (bench_axis){"separation", "length", true}, (bench_axis){"mean time of a query", "µs", true});
    time->paper = "Tight Inclusion, figure 11";
    for (int m = 1; bench_method(run->settings, m); m++) {
        if (!chosen(run, m)) continue;
        const char *name = bench_method(run->settings, m)->name;
        bench_plot *shape = NULL;
        if (m == GRAZE_METHOD_TI || m == GRAZE_METHOD_CERTIFIED) {
            char id[60], title[100];
            snprintf(id, sizeof id, "%s-times-by-separation", name);
            snprintf(title, sizeof title, "%s: times for three separations", name);
            shape = bench_add_plot(run->report, id, title, NULL, BENCH_CUMULATIVE,
                                   (bench_axis){"time of a query", "µs", true},
                                   (bench_axis){"share of the queries", "%", false});
            shape->paper = "Tight Inclusion, figure 11";
        }
        bench_series *series = bench_add_series(time, NULL, name);
        for (int d = 0; d < FIGURE_SEPARATIONS; d++) {
            double separation = figure_separations[d], mean;
            tick(run, name, separation);
            if (bench_stopped(run->settings)) continue;
            bench_histogram histogram;
            bench_histogram_begin(&histogram, -2, 8);
            bool good = measure_times(run, group, m, separation, &histogram, &mean, error);
            char label[40];
            snprintf(label, sizeof label, "separation %g", separation);
            bench_histogram_end(&histogram, shape && d % 4 == 0 ? shape : NULL, NULL, label); /* 1e-100, 1e-8, 1 */
            if (!good) return false;
            bench_add_point(series, separation, mean);
        }
        if (shape) bench_histograms_trim(shape);
    }
    return true;
}

/* ---- the suite ---- */

bool bench_separation(const bench_settings *settings, bench_report *report, io_error *error) {
    bench_data data;
    separation_run *run = bench_allocate(1, sizeof *run);
    *run = (separation_run){.settings = settings, .report = report};
    run->effort.budget = settings->time_budget > 0 ? settings->time_budget : settings->quick ? 0.5 : 3;
    run->effort.repeat = settings->repeat ? settings->repeat : 3;
    bool good = bench_data_load(settings, &data, error);
    for (int group = 0; good && group < BENCH_GROUPS; group++)
        for (int kind = 0; kind < 2; kind++)
            bench_queries_sample(&data.sets[group][kind], settings->quick ? 1000 : 5000, &run->samples[group][kind]);
    bench_data_free(&data);
    size_t methods = 0;
    for (int m = 1; bench_method(run->settings, m); m++) methods += chosen(run, m);
    run->planned = methods * (2 * BENCH_GROUPS * SEPARATIONS + FIGURE_SEPARATIONS) +
                   (settings->methods[GRAZE_METHOD_FPRF] ? 2 * BENCH_GROUPS * (SEPARATIONS - 1) : 0);
    good = good && find_truths(run, error);
    if (good && !bench_stopped(settings)) {
        bench_add_heading(report, "Minimum separation");
        good = add_tables(run, error) && (methods == 0 || (add_families(run, error) && add_figure(run, error)));
    }
    report->interrupted = report->interrupted || bench_stopped(settings);
    for (int group = 0; group < BENCH_GROUPS; group++)
        for (int kind = 0; kind < 2; kind++) {
            bench_queries_free(&run->samples[group][kind]);
            for (int d = 0; d < SEPARATIONS; d++)
                for (int norm = 0; norm < 2; norm++) free(run->truth[group][kind][d].hit[norm]);
        }
    free(run);
    return good;
}
