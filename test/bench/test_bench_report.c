/* The report as a document: cells as people read them, figures, and text that could break a format. */
#include "check.h"

#include "bench/narrow/narrow.h"
#include "bench/report/figure.h"
#include "bench/report/headlines.h"
#include "bench/report/report.h"
#include "bench/step/steps.h"

#include <cjson/cJSON.h>
#include <math.h>

static const char nasty[] = "a<b & \"c\", d|e\\f\n</script>";

static const bench_column columns[] = {{"name", "name | title", NULL}, {"value", "value", "µs"}};

static void fill(bench_report *report) {
    bench_report_begin(report, "nasty");
    bench_add_headline(report, "%s", nasty);
    bench_add_fact(report, "machine", "%s", nasty);
    bench_add_heading(report, nasty);
    bench_table *table = bench_add_table(report, "things", nasty, NULL, columns, 2);
    for (int i = 0; i < 20; i++) {
        bench_cell *row = bench_add_row(table);
        row[0] = bench_text("%s", nasty);
        row[1] = i % 2 ? bench_number(i / 3.0) : bench_count((uint64_t)i);
    }
    bench_plot *plot = bench_add_plot(report, "curve", nasty, nasty, BENCH_LINES, (bench_axis){"x", "m", true},
                                      (bench_axis){"y", NULL, false});
    bench_series *series = bench_add_series(plot, nasty, nasty);
    bench_add_point(series, 1e-100, 1);
    bench_add_point(series, 0, 2); /* not on a log axis */
    bench_add_point(series, 1, NAN);
    bench_add_point(series, 10, 3);
}

typedef void writer(const bench_report *report, FILE *stream);

/* The whole of a stream in fresh memory; closes it. */
static char *contents(FILE *stream) {
    size_t size = (size_t)ftell(stream);
    char *text = calloc(size + 1, 1);
    rewind(stream);
    CHECK(text && fread(text, 1, size, stream) == size);
    fclose(stream);
    return text;
}

static char *written(writer *write, const bench_report *report) {
    FILE *stream = tmpfile();
    write(report, stream);
    return contents(stream);
}

TEST(json_reads_back_what_was_put_in) {
    bench_report report;
    fill(&report);
    char *text = written(bench_write_json, &report);
    cJSON *object = cJSON_ParseWithOpts(text, NULL, 1);
    CHECK(object != NULL);
    CHECK(strcmp(cJSON_GetArrayItem(cJSON_GetObjectItem(object, "headlines"), 0)->valuestring, nasty) == 0);
    const cJSON *rows = cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(object, "tables"), 0), "rows");
    CHECK(cJSON_GetArraySize(rows) == 20);
    for (int i = 0; i < 20; i++) {
        const cJSON *row = cJSON_GetArrayItem(rows, i);
        CHECK(strcmp(cJSON_GetArrayItem(row, 0)->valuestring, nasty) == 0);
        CHECK(cJSON_GetArrayItem(row, 1)->valuedouble == (i % 2 ? i / 3.0 : i));
    }
    const cJSON *series = cJSON_GetArrayItem(
        cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(object, "plots"), 0), "series"), 0);
    CHECK(cJSON_IsNull(cJSON_GetArrayItem(cJSON_GetObjectItem(series, "y"), 2)));
    CHECK(cJSON_GetArrayItem(cJSON_GetObjectItem(series, "x"), 0)->valuedouble == 1e-100);
    cJSON_Delete(object);
    free(text);
    bench_report_free(&report);
}

TEST(html_holds_no_text_as_markup) {
    bench_report report;
    fill(&report);
    char *text = written(bench_write_html, &report);
    CHECK(strstr(text, "a<b") == NULL && strstr(text, "a&lt;b &amp; &quot;c&quot;") != NULL);
    CHECK(strstr(text, "<p class=\"headline\">a&lt;b") != NULL);
    /* what is not finite, or not positive on a log axis, is in no drawing */
    const char *drawing = strstr(text, "<svg"), *drawn = drawing ? strstr(drawing, "</svg>") : NULL;
    CHECK(drawing && drawn);
    for (const char *at = drawing; at < drawn; at++) CHECK(strncmp(at, "nan", 3) != 0 && strncmp(at, "inf", 3) != 0);
    free(text);
    bench_report_free(&report);
}

TEST(csv_quotes_what_needs_it) {
    bench_report report;
    fill(&report);
    FILE *stream = tmpfile();
    bench_write_csv(&report, &report.items[1], stream);
    char *text = contents(stream);
    static const char header[] = "name,value,machine,isa,commit,interrupted\n";
    CHECK(strncmp(text, header, strlen(header)) == 0);
    static const char quoted[] = "\"a<b & \"\"c\"\", d|e\\f\n</script>\",0,\"a<b";
    CHECK(strncmp(text + strlen(header), quoted, strlen(quoted)) == 0);
    free(text);
    bench_report_free(&report);
}

TEST(cells_read_well) {
    const struct {
        bench_cell cell;
        const char *text;
    } cases[] = {
        {bench_count(0), "0"},
        {bench_count(9999), "9999"},
        {bench_count(1234567), "1\xe2\x80\x89"
                               "234\xe2\x80\x89"
                               "567"},
        {bench_number(0), "0"},
        {bench_number(0.03456), "0.0346"},
        {bench_number(0.3456), "0.346"},
        {bench_number(12.345), "12.35"},
        {bench_number(123.45), "123.5"},
        {bench_number(12345.6), "12\xe2\x80\x89"
                                "346"},
        {bench_number(1e-100), "1.00e-100"},
        {bench_number(NAN), "–"},
        {bench_number(INFINITY), "–"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[80];
        bench_cell_text(&cases[i].cell, text, sizeof text);
        CHECK_MSG(strcmp(text, cases[i].text) == 0, "%zu: %s, not %s", i, text, cases[i].text);
    }
}

TEST(cumulative_curves_count_everything_and_lose_only_what_is_flat) {
    bench_report report;
    bench_report_begin(&report, "curves");
    bench_plot *plot = bench_add_plot(&report, "h", "h", NULL, BENCH_CUMULATIVE, (bench_axis){"x", NULL, true},
                                      (bench_axis){"y", "%", false});
    const double values[2][4] = {{1.5, 1.6, 20, 1e9}, {0, 1e-9, 2, 300}};
    for (int s = 0; s < 2; s++) {
        bench_histogram histogram;
        bench_histogram_begin(&histogram, -1, 4); /* 0.1 to 1000 */
        for (int i = 0; i < 4; i++) bench_histogram_add(&histogram, values[s][i]);
        bench_histogram_end(&histogram, plot, NULL, s ? "b" : "a");
    }
    bench_histograms_trim(plot);
    for (int s = 0; s < 2; s++) {
        const bench_series *series = &plot->series[s];
        CHECK(series->count == plot->series[0].count);
        CHECK(series->y[0] == 0 && series->y[series->count - 1] == 100);
        for (size_t i = 1; i < series->count; i++)
            CHECK(series->y[i] >= series->y[i - 1] && series->x[i] > series->x[i - 1]);
        for (size_t i = 0; i < series->count; i++) { /* what is below an end of a bin, but for what is outside of all */
            int below = 0;
            double x = series->x[i];
            for (int k = 0; k < 4; k++) below += values[s][k] < x * (1 - 1e-9) && i > 0;
            if (x < 999) CHECK_MSG(series->y[i] == 25 * below, "%g below %g, not %d", series->y[i], x, 25 * below);
        }
    }
    plot = bench_add_plot(&report, "middle", "m", NULL, BENCH_CUMULATIVE, (bench_axis){"x", NULL, true},
                          (bench_axis){"y", "%", false});
    bench_histogram histogram;
    bench_histogram_begin(&histogram, -1, 4);
    bench_histogram_add(&histogram, 2);
    bench_histogram_add(&histogram, 8);
    bench_histogram_end(&histogram, plot, NULL, "c");
    bench_histograms_trim(plot); /* from the end of a bin before the first rise to that after the last */
    const bench_series *c = &plot->series[0];
    CHECK(c->y[0] == 0 && c->y[1] == 50 && c->y[c->count - 2] == 50 && c->y[c->count - 1] == 100);
    bench_report_free(&report);
}

/* ---- figures ---- */

static bench_plot *add_figure(bench_report *report, bench_mark mark) {
    return bench_add_plot(report, "f", "Title", NULL, mark, (bench_axis){"x", NULL, false},
                          (bench_axis){"y", "ms", false});
}

static char *drawn(void (*draw)(const bench_plot *, FILE *), const bench_plot *plot) {
    FILE *stream = tmpfile();
    draw(plot, stream);
    return contents(stream);
}

static size_t times_in(const char *text, const char *word) {
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, word)); at++) count++;
    return count;
}

/* The swatch without the name of its series. */
static char *swatch(const bench_plot *plot, size_t look) {
    FILE *stream = tmpfile();
    bench_draw_swatch(plot, look, stream);
    char *text = contents(stream), *name = strstr(text, " data-name"), *end = name ? strchr(name, '>') : NULL;
    CHECK(name && end);
    memmove(name, end, strlen(end) + 1);
    return text;
}

TEST(swatches_can_be_told_apart) {
    enum { SERIES = 24 };
    const bench_mark marks[] = {BENCH_LINES, BENCH_CUMULATIVE};
    for (int m = 0; m < 2; m++) {
        bench_report report;
        bench_report_begin(&report, "swatches");
        bench_plot *plot = add_figure(&report, marks[m]);
        char *swatches[SERIES];
        for (int i = 0; i < SERIES; i++) {
            char name[20];
            snprintf(name, sizeof name, "series %d", i);
            bench_add_point(bench_add_series(plot, NULL, name), 1, 1);
        }
        for (size_t i = 0; i < SERIES; i++) swatches[i] = swatch(plot, i);
        for (int i = 0; i < SERIES; i++)
            for (int k = 0; k < i; k++) CHECK_MSG(strcmp(swatches[i], swatches[k]) != 0, "%d and %d", i, k);
        for (int i = 0; i < SERIES; i++) free(swatches[i]);
        bench_report_free(&report);
    }
}

TEST(a_series_looks_the_same_in_every_panel) {
    bench_report report;
    bench_report_begin(&report, "panels");
    bench_plot *plot = add_figure(&report, BENCH_LINES);
    const char *const series[][2] = {{"first", "a"}, {"first", "b"}, {"second", "b"}, {"second", "c"}};
    for (int i = 0; i < 4; i++) bench_add_point(bench_add_series(plot, series[i][0], series[i][1]), i, i);
    CHECK(bench_count_names(plot, bench_panel_name) == 2 && bench_count_names(plot, bench_series_name) == 3);
    CHECK(bench_series_look(plot, &plot->series[1]) == bench_series_look(plot, &plot->series[2]));
    char *text = drawn(bench_write_svg, plot);
    /* a file of its own: a legend, both panels, and what the axes are */
    CHECK(strstr(text, "xmlns=\"http://www.w3.org/2000/svg\"") && strstr(text, "<style>") && strstr(text, "Title"));
    CHECK(times_in(text, "data-name=\"b\"") == 3 && times_in(text, "data-name=\"a\"") == 2);
    CHECK(strstr(text, ">first<") && strstr(text, ">second<") && strstr(text, "across: x; up: y (ms)"));
    free(text);
    bench_report_free(&report);
}

/* The number after a word; NaN where it is not. */
static double number_after(const char *text, const char *word) {
    const char *at = text ? strstr(text, word) : NULL;
    return at ? strtod(at + strlen(word), NULL) : NAN;
}

TEST(box_plots_show_quartiles_whiskers_and_what_is_beyond) {
    bench_report report;
    bench_report_begin(&report, "boxes");
    bench_plot *plot = add_figure(&report, BENCH_BOXES);
    const double values[] = {3, 0, 4, 1, 2, 100}; /* quartiles 1.25 and 3.75, median 2.5 */
    bench_series *series = bench_add_series(plot, NULL, "s");
    for (int i = 0; i < 6; i++) bench_add_point(series, i, values[i]);
    char *text = drawn(bench_write_svg, plot);
    const char *box = strstr(text, "class=\"box\"");
    double left = number_after(box, "x=\""), width = number_after(box, "width=\"");
    double median = number_after(strstr(text, "class=\"median\""), "d=\"M"),
           ring = number_after(strstr(text, "class=\"ring\""), "cx=\"");
    const char *whisker = strstr(strstr(text, "class=\"series"), "class=\"line\"");
    double from = number_after(whisker, "d=\"M"), to = number_after(strchr(whisker, 'H'), "H"), unit = (to - from) / 4;
    CHECK(fabs(left - from - 1.25 * unit) < 0.11 && fabs(width - 2.5 * unit) < 0.11 &&
          fabs(median - from - 2.5 * unit) < 0.11);
    CHECK(times_in(text, "class=\"ring\"") == 1 && fabs(ring - from - 100 * unit) < 3);
    free(text);
    bench_report_free(&report);
}

TEST(bars_stand_upon_each_other) {
    bench_report report;
    bench_report_begin(&report, "bars");
    bench_plot *plot = add_figure(&report, BENCH_BARS);
    const double shares[] = {10, 30, 60};
    for (int i = 0; i < 3; i++)
        bench_add_point(bench_add_series(plot, NULL, (const char *[]){"a", "b", "c"}[i]), 1, shares[i]);
    char *text = drawn(bench_write_svg, plot);
    const char *at = strstr(text, "rotate(-90)");
    double below = NAN;
    for (int i = 0; i < 3; i++) {
        at = strstr(at + 1, "class=\"bar\" x=");
        double y = number_after(at, " y=\""), height = number_after(at, "height=\"");
        if (i > 0) CHECK(fabs(y + height - below) < 0.11);
        CHECK(fabs(height - shares[i] / 100 * 256) < 0.11); /* of the height between the axes */
        below = y;
    }
    free(text);
    bench_report_free(&report);
}

TEST(the_csv_of_a_figure_has_its_points) {
    bench_report report;
    fill(&report);
    FILE *stream = tmpfile();
    bench_write_csv(&report, &report.items[2], stream);
    char *text = contents(stream);
    CHECK(strncmp(text, "panel,series,x (m),y,machine,isa,commit,interrupted\n", 52) == 0);
    CHECK(strstr(text, "\",1e-100,1,\"") && strstr(text, "\",1,,\"") && strstr(text, "\",10,3,\""));
    free(text);
    bench_report_free(&report);
}

/* ---- contents ---- */

TEST(the_contents_lead_to_every_heading_table_and_figure) {
    bench_report report;
    fill(&report);
    bench_add_heading(&report, nasty);
    bench_add_plot(&report, "empty", "without a series", NULL, BENCH_LINES, (bench_axis){"x", NULL, false},
                   (bench_axis){"y", NULL, false});
    char *text = written(bench_write_html, &report), *main = strstr(text, "<main>");
    CHECK(main != NULL);
    size_t targets = 0;
    for (const char *at = main; (at = strstr(at, " id=\"")); at++) {
        char link[80];
        snprintf(link, sizeof link, "href=\"#%.*s\"", (int)strcspn(at + 5, "\""), at + 5);
        CHECK_MSG(times_in(text, link) == 1, "%s", link);
        targets++;
    }
    CHECK(targets == 4 && times_in(text, "href=\"#") == targets);
    CHECK(!strstr(text, "without a series"));
    free(text);
    bench_report_free(&report);
}

TEST(headlines_are_read_from_the_tables) {
    static const bench_column broad[] = {{"broad", "", NULL},
                                         {"ms_all", "", NULL},
                                         {"bvh_ratio", "", NULL},
                                         {"missing", "", NULL},
                                         {"contacts_missing", "", NULL}};
    bench_report report;
    bench_report_begin(&report, "broad");
    bench_table *table = bench_add_table(&report, "broad-scenes", "", NULL, broad, 5);
    const char *const names[] = {"bvh", "grid", "bvh"};
    const double numbers[][4] = {{2, 1, 0, 0}, {5, 2.5, 3, 1}, {8, 1, 0, 0}};
    for (int i = 0; i < 3; i++) {
        bench_cell *row = bench_add_row(table);
        row[0] = bench_text("%s", names[i]);
        for (int k = 0; k < 4; k++) row[1 + k] = bench_number(numbers[i][k]);
    }
    bench_add_headlines(&report);
    CHECK(report.headline_count == 1);
    CHECK_MSG(strcmp(report.headlines[0],
                     "2 scenes: 3 pairs and 1 contact missing in all broad phases together. bvh takes 2 to 8 "
                     "ms, the others 2.5 times that or more.") == 0,
              "%s", report.headlines[0]);
    bench_report_free(&report);
}

TEST(a_table_without_the_column_has_no_numbers) {
    static const bench_column given[] = {{"method", "", NULL}, {"mean_us", "", NULL}};
    bench_report report;
    bench_report_begin(&report, "narrow");
    bench_table *table = bench_add_table(&report, "simulation-vf", "", NULL, given, 2);
    bench_cell *row = bench_add_row(table);
    row[0] = bench_text("certified");
    row[1] = bench_number(0.25);
    CHECK(bench_column_range(table, "mean_us", "method", "certified").count == 1);
    CHECK(bench_column_range(table, "false_negatives", "method", "certified").count == 0);
    CHECK(bench_column_range(table, "mean_us", "variant", "certified").count == 0);
    CHECK(bench_column_range(NULL, "mean_us", NULL, NULL).count == 0);
    bench_report_free(&report);
}

TEST(no_headline_speaks_of_columns_that_are_not_there) {
    static const char *const ids[] = {
        "simulation-vf", "separation-simulation-vf", "agreement", "safe-verdicts", "broad-scenes",
        "step-modes",    "articulated_times",        "sim-ccd"};
    static const bench_column given[] = {{"method", "", NULL}, {"ms", "", NULL}};
    bench_report report;
    bench_report_begin(&report, "all");
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        bench_cell *row = bench_add_row(bench_add_table(&report, ids[i], "", NULL, given, 2));
        row[0] = bench_text("certified");
        row[1] = bench_number(0.25);
    }
    bench_add_headlines(&report);
    CHECK_MSG(report.headline_count == 0, "%s", report.headlines[0]);
    bench_report_free(&report);
}

TEST(the_speed_of_batches_comes_before_that_of_single_calls) {
    static const bench_column scenes[] = {{"method", "", NULL}, {"us_pair", "", NULL}};
    static const bench_column queries[] = {{"method", "", NULL}, {"mean_us", "", NULL}, {"false_negatives", "", NULL}};
    const char *const names[] = {"certified", "accd", "certified"};
    const double batch[] = {0.01, 0.5, 0.03}, call[] = {0.1, 0.75, 0.3};
    bench_report report;
    bench_report_begin(&report, "narrow");
    bench_table *tables[2] = {bench_add_table(&report, "scenes", "", NULL, scenes, 2),
                              bench_add_table(&report, "simulation-vf", "", NULL, queries, 3)};
    for (int i = 0; i < 3; i++)
        for (int t = 0; t < 2; t++) {
            bench_cell *row = bench_add_row(tables[t]);
            row[0] = bench_text("%s", names[i]);
            row[1] = bench_number(t ? call[i] : batch[i]);
            if (t) row[2] = bench_count(0);
        }
    bench_add_headlines(&report);
    CHECK(report.headline_count == 3); /* the first says what is missed */
    CHECK_MSG(strstr(report.headlines[1], "In batches") &&
                  strstr(report.headlines[1], "certified 0.02 µs, accd 0.5 µs"),
              "%s", report.headlines[1]);
    CHECK_MSG(strstr(report.headlines[2], "certified 0.2 µs, accd 0.75 µs"), "%s", report.headlines[2]);
    bench_report_free(&report);
}

TEST(the_fitted_exponent_is_that_of_the_cost) {
    bench_growth growth = {0};
    CHECK(isnan(bench_growth_exponent(&growth)) && isnan(bench_growth_expect(&growth, 10)));
    bench_growth_add(&growth, 10, 1);
    CHECK(isnan(bench_growth_exponent(&growth)));
    CHECK(bench_growth_expect(&growth, 30) == 3); /* linear until more is known */
    growth = (bench_growth){0};
    for (double n = 100; n < 1e6; n *= 7) bench_growth_add(&growth, n, 3e-7 * pow(n, 1.5));
    CHECK(fabs(bench_growth_exponent(&growth) - 1.5) < 1e-12);
    CHECK(fabs(bench_growth_expect(&growth, 1e7) / (3e-7 * pow(1e7, 1.5)) - 1) < 1e-9);
    uint64_t sizes[BENCH_MOST_SIZES];
    size_t count = bench_growth_sizes(1e4, 5e6, sizes);
    CHECK(count == 7 && sizes[0] == 10000 && sizes[count - 1] == 5000000);
    for (size_t i = 1; i < count; i++) CHECK(sizes[i] > sizes[i - 1]);
}

TEST(times_are_repeated_while_the_budget_lasts) {
    bench_times times = {0};
    CHECK(isnan(bench_times_least(&times)) && isnan(bench_times_median(&times)));
    CHECK(bench_times_more(&times, 1, 0)); /* at least once */
    bench_times_add(&times, 3);
    CHECK(!bench_times_more(&times, 1, 100) && bench_times_more(&times, 2, 6) && !bench_times_more(&times, 2, 5));
    bench_times_add(&times, 1);
    bench_times_add(&times, 2);
    CHECK(bench_times_least(&times) == 1 && bench_times_median(&times) == 2);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
