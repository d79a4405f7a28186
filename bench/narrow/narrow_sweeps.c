/* Effect of the parameters of the interval methods: tolerance and number of checks against time and false positives. */
#include "bench/narrow/narrow.h"

#include <math.h>
#include <string.h>

/* Methods that look for a root down to a tolerance. */
static const graze_method tolerant[] = {GRAZE_METHOD_TI, GRAZE_METHOD_IRF, GRAZE_METHOD_UIRF};
enum { TOLERANT = sizeof tolerant / sizeof *tolerant };

static const double tolerances[] = {1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1};
enum { TOLERANCES = sizeof tolerances / sizeof *tolerances };
static const double budgets[] = {10, 100, 1e3, 1e4, 1e5, 1e6};
enum { BUDGETS = sizeof budgets / sizeof *budgets };

static bench_group sweep_group(const bench_data *data) {
    return data->sets[BENCH_SIMULATION][0].count + data->sets[BENCH_SIMULATION][1].count ? BENCH_SIMULATION
                                                                                         : BENCH_HANDCRAFTED;
}

size_t bench_narrow_sweep_units(const bench_narrow_run *run) {
    size_t units = 0;
    for (size_t i = 0; i < TOLERANT; i++) units += run->settings->methods[tolerant[i]] ? TOLERANCES : 0;
    return units + (run->settings->methods[GRAZE_METHOD_TI] ? BUDGETS : 0);
}

/* A method with some option on a sample of both kinds. */
typedef struct point {
    uint64_t covered, clear, false_positives, unresolved;
    double mean, least, largest; /* µs */
    double toi_error;            /* largest, over hits and unresolved */
} point;

static bool measure_point(bench_narrow_run *run, const bench_queries samples[2], const graze_options *options,
                          bench_histogram *histogram, point *p, io_error *error) {
    *p = (point){.least = INFINITY};
    double sum = 0;
    bench_effort effort = {run->effort.budget / 8, run->effort.repeat};
    for (int kind = 0; kind < 2; kind++) {
        bench_answers answers;
        bool good = bench_ask(run->settings, options, &samples[kind], effort, &answers, error);
        for (size_t i = 0; good && i < answers.count; i++) {
            if (answers.verdict[i] == BENCH_NOT_ASKED) continue;
            bool touches = answers.verdict[i] != GRAZE_CLEAR, hit = samples[kind].hit[i];
            p->covered++;
            p->clear += !hit;
            p->false_positives += touches && !hit;
            p->unresolved += answers.verdict[i] == GRAZE_UNRESOLVED;
            sum += answers.us[i];
            p->least = fmin(p->least, answers.us[i]);
            p->largest = fmax(p->largest, answers.us[i]);
            if (touches && hit) p->toi_error = fmax(p->toi_error, samples[kind].lower[i] - answers.toi[i]);
            if (histogram) bench_histogram_add(histogram, answers.us[i]);
        }
        bench_answers_free(&answers);
        if (!good) return false;
    }
    p->mean = p->covered ? sum / (double)p->covered : NAN;
    return true;
}

static const bench_column tolerance_columns[] = {
    {"method", "method", NULL},
    {"tolerance", "tolerance", NULL},
    {"covered", "queries", NULL},
    {"mean_us", "mean", "µs"},
    {"least_us", "fastest", "µs"},
    {"largest_us", "slowest", "µs"},
    {"false_positives", "false positives", NULL},
    {"unresolved", "unresolved", NULL},
};

static bool sweep_tolerance(bench_narrow_run *run, const bench_queries samples[2], io_error *error) {
    bench_report *report = run->report;
    point points[TOLERANT][TOLERANCES];
    memset(points, 0, sizeof points);
    bench_plot *shapes =
        bench_add_plot(report, "ti-times-by-tolerance", "ti: times for three tolerances", NULL, BENCH_CUMULATIVE,
                       (bench_axis){"time of a query", "µs", true}, (bench_axis){"share of the queries", "%", false});
    shapes->paper = "Tight Inclusion, figure 8";
    for (size_t i = 0; i < TOLERANT; i++) {
        if (!run->settings->methods[tolerant[i]]) continue;
        const char *name = graze_method_get(tolerant[i])->name;
        for (size_t k = 0; k < TOLERANCES; k++) {
            bench_narrow_tick(run, "%s, tolerance %g", name, tolerances[k]);
            if (bench_stopped(run->settings)) continue;
            graze_options options = graze_default_options();
            options.method = tolerant[i];
            options.tolerance = tolerances[k];
            bool shown = tolerant[i] == GRAZE_METHOD_TI && k % 4 == 0;
            bench_histogram histogram;
            if (shown) bench_histogram_begin(&histogram, -2, 8);
            bool good = measure_point(run, samples, &options, shown ? &histogram : NULL, &points[i][k], error);
            char label[40];
            snprintf(label, sizeof label, "tolerance %g", tolerances[k]);
            if (shown) bench_histogram_end(&histogram, shapes, NULL, label);
            if (!good) return false;
        }
    }
    bench_histograms_trim(shapes);
    bench_axis x = {"tolerance", "length", true};
    bench_plot *time = bench_add_plot(report, "tolerance-time", "Tolerance and time", NULL, BENCH_LINES, x,
                                      (bench_axis){"mean time of a query", "µs", true});
    time->paper = "Tight Inclusion, figure 15";
    bench_plot *range = bench_add_plot(report, "ti-tolerance-range", "ti: fastest, mean and slowest query", NULL,
                                       BENCH_LINES, x, (bench_axis){"time of a query", "µs", true});
    range->paper = "Tight Inclusion, figure 8";
    bench_plot *wrong =
        bench_add_plot(report, "tolerance-false-positives", "Tolerance and false positives", NULL, BENCH_LINES, x,
                       (bench_axis){"false positives of the clear queries", "%", false});
    wrong->paper = "Tight Inclusion, figure 15";
    bench_table *table = bench_add_table(report, "tolerance", "Tolerance", NULL, tolerance_columns,
                                         sizeof tolerance_columns / sizeof *tolerance_columns);
    for (size_t i = 0; i < TOLERANT; i++) {
        if (!run->settings->methods[tolerant[i]]) continue;
        const char *name = graze_method_get(tolerant[i])->name;
        bench_series *t = bench_add_series(time, NULL, name), *w = bench_add_series(wrong, NULL, name);
        for (size_t k = 0; k < TOLERANCES; k++) {
            const point *p = &points[i][k];
            if (p->covered == 0) continue;
            bench_add_point(t, tolerances[k], p->mean);
            bench_add_point(w, tolerances[k], p->clear ? 100.0 * (double)p->false_positives / (double)p->clear : NAN);
            bench_cell *row = bench_add_row(table);
            row[0] = bench_text("%s", name);
            row[1] = bench_number(tolerances[k]);
            row[2] = bench_count(p->covered);
            row[3] = bench_number(p->mean);
            row[4] = bench_number(p->least);
            row[5] = bench_number(p->largest);
            row[6] = bench_count(p->false_positives);
            row[7] = bench_count(p->unresolved);
        }
        if (tolerant[i] != GRAZE_METHOD_TI) continue;
        static const char *const names[] = {"slowest", "mean", "fastest"};
        for (int which = 0; which < 3; which++) {
            bench_series *series = bench_add_series(range, NULL, names[which]);
            for (size_t k = 0; k < TOLERANCES; k++) {
                const point *p = &points[i][k];
                if (p->covered == 0) continue;
                bench_add_point(series, tolerances[k], which == 0 ? p->largest : which == 1 ? p->mean : p->least);
            }
        }
    }
    return true;
}

static bool sweep_checks(bench_narrow_run *run, const bench_queries samples[2], io_error *error) {
    if (!run->settings->methods[GRAZE_METHOD_TI]) return true;
    bench_axis x = {"checks allowed", NULL, true};
    bench_plot *early = bench_add_plot(run->report, "checks-early", "ti: queries ended by the number of checks", NULL,
                                       BENCH_LINES, x, (bench_axis){"ended early", "% of the queries", false});
    bench_series *ended = bench_add_series(early, NULL, "ended early");
    bench_plot *error_plot = bench_add_plot(run->report, "checks-error", "ti: largest error of the time of impact",
                                            NULL, BENCH_LINES, x, (bench_axis){"largest error", "steps", true});
    bench_series *errors = bench_add_series(error_plot, NULL, "largest error");
    bench_plot *time_plot = bench_add_plot(run->report, "checks-time", "ti: mean and slowest query", NULL, BENCH_LINES,
                                           x, (bench_axis){"time of a query", "µs", true});
    early->paper = error_plot->paper = time_plot->paper = "Tight Inclusion, figure 9";
    double mean[BUDGETS], slowest[BUDGETS];
    for (size_t k = 0; k < BUDGETS; k++) {
        mean[k] = slowest[k] = NAN;
        bench_narrow_tick(run, "ti, %g checks", budgets[k]);
        if (bench_stopped(run->settings)) continue;
        graze_options options = graze_default_options();
        options.method = GRAZE_METHOD_TI;
        options.max_checks = (uint64_t)budgets[k];
        point p;
        if (!measure_point(run, samples, &options, NULL, &p, error)) return false;
        if (p.covered == 0) continue;
        bench_add_point(ended, budgets[k], 100.0 * (double)p.unresolved / (double)p.covered);
        bench_add_point(errors, budgets[k], p.toi_error);
        mean[k] = p.mean;
        slowest[k] = p.largest;
    }
    for (int which = 0; which < 2; which++) {
        bench_series *series = bench_add_series(time_plot, NULL, which ? "slowest" : "mean");
        for (size_t k = 0; k < BUDGETS; k++) bench_add_point(series, budgets[k], which ? slowest[k] : mean[k]);
    }
    return true;
}

bool bench_narrow_sweeps(bench_narrow_run *run, io_error *error) {
    if (bench_narrow_sweep_units(run) == 0) return true;
    bench_group group = sweep_group(run->data);
    char heading[100];
    snprintf(heading, sizeof heading, "Parameters, on %s queries", bench_group_name(group));
    bench_add_heading(run->report, heading);
    bench_queries samples[2];
    for (int kind = 0; kind < 2; kind++)
        bench_queries_sample(&run->data->sets[group][kind], run->settings->quick ? 2000 : 20000, &samples[kind]);
    bool good = sweep_tolerance(run, samples, error) && sweep_checks(run, samples, error);
    for (int kind = 0; kind < 2; kind++) bench_queries_free(&samples[kind]);
    return good;
}
