/* The report as a document: cells as people read them, and text that could break a format. */
#include "check.h"

#include "bench/narrow.h"
#include "bench/report.h"
#include "bench/steps.h"

#include <cjson/cJSON.h>
#include <math.h>

static const char nasty[] = "a<b & \"c\", d|e\\f\n</script>";

static const bench_column columns[] = {{"name", "name | title", NULL}, {"value", "value", "µs"}};

static void fill(bench_report *report) {
    bench_report_begin(report, nasty);
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
    bench_series *series = bench_add_series(plot, nasty);
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
    CHECK(strchr(text, '<') == NULL); /* so that it may stand inside a script element */
    cJSON *object = cJSON_ParseWithOpts(text, NULL, 1);
    CHECK(object != NULL);
    CHECK(strcmp(cJSON_GetObjectItem(object, "title")->valuestring, nasty) == 0);
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
    const char *json = strstr(text, "id=\"report\">"), *end = json ? strstr(json, "</script>") : NULL;
    CHECK(json && end && end[-1] == '\n'); /* the report's own end, not one inside its texts */
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
    bench_write_csv(&report, report.items[1].table, stream);
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

TEST(histograms_count_everything_and_lose_only_empty_ends) {
    bench_report report;
    bench_report_begin(&report, "histograms");
    bench_plot *plot = bench_add_plot(&report, "h", "h", NULL, BENCH_HISTOGRAM, (bench_axis){"x", NULL, true},
                                      (bench_axis){"y", "%", false});
    const double values[2][4] = {{1.5, 1.6, 20, 1e9}, {0, 1e-9, 2, 300}};
    for (int s = 0; s < 2; s++) {
        bench_histogram histogram;
        bench_histogram_begin(&histogram, -1, 4); /* 0.1 to 1000 */
        for (int i = 0; i < 4; i++) bench_histogram_add(&histogram, values[s][i]);
        bench_histogram_end(&histogram, plot, s ? "b" : "a");
    }
    bench_histograms_trim(plot);
    for (int s = 0; s < 2; s++) {
        const bench_series *series = &plot->series[s];
        double sum = 0;
        for (size_t i = 0; i < series->count; i++) sum += series->y[i];
        CHECK(fabs(sum - 100) < 1e-9);
        CHECK(series->x[0] <= 0.1 * 1.0001 && series->count == plot->series[0].count);
        CHECK(series->y[series->count - 1] == 0); /* the end of the last bin */
    }
    /* 1.5 and 1.6 lie between 1 and 10^(1/4) */
    CHECK(plot->series[0].y[4] == 50);
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
