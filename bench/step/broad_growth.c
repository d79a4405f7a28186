/* Cost of broad phases: it grows with the number of boxes, and shrinks with the number of threads. */
#include "bench/step/broad.h"

#include <math.h>

/* ---- figure 5: cost by number of boxes ---- */

/* All broad phases on sheets of one size; those that would take too long are left out. */
static bool grow_to(bench_broad_run *run, uint64_t triangles, double part, io_error *error) {
    bench_scene sheets;
    bool good = bench_sheets(run->settings, run->data.context, triangles, &sheets, error);
    double boxes = (double)bench_boxes(&sheets), limit = run->budget / 2;
    for (int broad = 0; good && broad < BENCH_BROADS; broad++) {
        bench_growth *growth = &run->growth[broad];
        if (!bench_broad_wanted(broad) || bench_stopped(run->settings)) continue;
        if (bench_growth_expect(growth, boxes) > limit) continue;
        char label[100];
        snprintf(label, sizeof label, "%.3g boxes %s", boxes, graze_broad_name((graze_broad)broad));
        bench_progress(run->settings, label, part);
        bench_found found;
        good = bench_find(run, &sheets, (graze_broad)broad, 1, &found, error);
        if (good && found.times.count) bench_growth_add(growth, boxes, bench_times_least(&found.times));
        bench_found_free(&found);
    }
    bench_sheets_free(run->data.context, &sheets);
    return good;
}

bool bench_broad_grow(bench_broad_run *run, io_error *error) {
    uint64_t sizes[BENCH_MOST_SIZES];
    size_t count = bench_growth_sizes(1e3, run->settings->quick ? 1e5 : 3e6, sizes);
    for (size_t i = 0; i < count && !bench_stopped(run->settings); i++)
        if (!grow_to(run, sizes[i], 0.4 * (double)i / (double)count, error)) return false;
    return true;
}

static const bench_column exponent_columns[] = {
    {"broad", "broad phase", NULL},
    {"sizes", "sizes", NULL},
    {"largest", "most boxes", NULL},
    {"exponent", "exponent", NULL},
};

void bench_broad_add_growth(bench_broad_run *run) {
    bench_add_heading(run->report, "Growth");
    bench_plot *plot = bench_add_plot(run->report, "broad-growth", "Cost by number of boxes",
                                      "Two rough sheets that face each other; one thread.", BENCH_LINES,
                                      (bench_axis){"boxes", NULL, true}, (bench_axis){"time", "ms", true});
    plot->paper = "Scalable CCD, figure 5";
    bench_table *exponents =
        bench_add_table(run->report, "broad-exponents", "Fitted exponents",
                        "Time grows like boxes to this power: least squares through the logarithms. A broad phase "
                        "stops at the size whose successor would take longer than half its time budget.",
                        exponent_columns, sizeof exponent_columns / sizeof *exponent_columns);
    for (int broad = 0; broad < BENCH_BROADS; broad++) {
        const bench_growth *growth = &run->growth[broad];
        if (growth->count == 0) continue;
        const char *name = graze_broad_name((graze_broad)broad);
        bench_series *series = bench_add_series(plot, NULL, name);
        bench_cell *row = bench_add_row(exponents);
        row[0] = bench_text("%s", name);
        row[1] = bench_count(growth->count);
        row[2] = bench_count((uint64_t)growth->size[growth->count - 1]);
        row[3] = bench_number(bench_growth_exponent(growth));
        for (size_t i = 0; i < growth->count; i++) bench_add_point(series, growth->size[i], 1e3 * growth->seconds[i]);
    }
}

/* ---- figure 6: strong scaling ---- */

bool bench_broad_scaling(bench_broad_run *run, io_error *error) {
    const bench_scene *scene = bench_largest_scene(&run->data);
    bench_add_heading(run->report, "Threads");
    char title[200];
    snprintf(title, sizeof title, "Strong scaling on %s", scene->name);
    bench_plot *plot =
        bench_add_plot(run->report, "broad-scaling", title, "Times as fast as one thread of the same broad phase.",
                       BENCH_LINES, (bench_axis){"threads", NULL, false}, (bench_axis){"speed-up", NULL, false});
    plot->paper = "Scalable CCD, figure 6";
    for (int broad = 0; broad < BENCH_BROADS; broad++) {
        if (!bench_broad_wanted(broad) || bench_stopped(run->settings)) continue;
        const char *name = graze_broad_name((graze_broad)broad);
        bench_series *series = bench_add_series(plot, NULL, name);
        if (bench_broad_too_slow(run, scene, (graze_broad)broad, "scaling")) continue;
        bench_progress(run->settings, name, 0.8 + 0.2 * (double)broad / BENCH_BROADS);
        double one = NAN;
        for (uint32_t threads = 1; threads <= run->threads; threads = bench_next_threads(threads, run->threads)) {
            bench_found found;
            bool good = bench_find(run, scene, (graze_broad)broad, threads, &found, error);
            double least = bench_times_least(&found.times);
            bench_found_free(&found);
            if (!good) return false;
            if (bench_stopped(run->settings)) break;
            if (threads == 1) one = least;
            bench_add_point(series, threads, one / least);
        }
    }
    bench_add_perfect_scaling(plot, run->threads);
    return true;
}
