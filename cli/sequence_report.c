#include "cli/sequence_report.h"

#include "cli/plain_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- fields of a step ---- */

static const cJSON *get(const cJSON *step, const char *a, const char *b) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(step, a);
    return b ? cJSON_GetObjectItemCaseSensitive(item, b) : item;
}

/* Counts are written as raw text: read back, they are numbers. */
static double number(const cJSON *item) {
    if (cJSON_IsNumber(item)) return item->valuedouble;
    return cJSON_IsRaw(item) ? strtod(item->valuestring, NULL) : NAN;
}

static const char *verdict_of(const cJSON *step) {
    graze_verdict verdict;
    return app_verdict_read(get(step, "verdict", NULL), &verdict) ? graze_verdict_name(verdict) : "failed";
}

/* Frames that are missing between two that are there. */
static double missing(const cJSON *step) {
    return number(get(step, "next", NULL)) - number(get(step, "step", NULL)) - 1;
}

/* The kind of that name; NULL where the item is none. */
static const char *kind_of(const cJSON *item) {
    for (int i = GRAZE_VF; cJSON_IsString(item) && i <= GRAZE_PP; i++)
        if (strcmp(item->valuestring, graze_kind_name((graze_kind)i)) == 0) return graze_kind_name((graze_kind)i);
    return NULL;
}

static void pair_text(const cJSON *step, char *text, size_t size) {
    const char *kind = kind_of(get(step, "pair", "kind"));
    if (kind)
        snprintf(text, size, "%s %.0f %.0f", kind, number(get(step, "pair", "a")), number(get(step, "pair", "b")));
    else
        snprintf(text, size, "-");
}

static void point_text(const cJSON *step, char *text, size_t size) {
    const cJSON *point = get(step, "pair", "point");
    if (cJSON_IsArray(point))
        snprintf(text, size, "%.5g %.5g %.5g", number(cJSON_GetArrayItem(point, 0)),
                 number(cJSON_GetArrayItem(point, 1)), number(cJSON_GetArrayItem(point, 2)));
    else
        snprintf(text, size, "-");
}

/* Over the kinds; NAN where they are not counted. */
static double sum(const cJSON *counts) {
    double all = 0;
    const cJSON *count;
    cJSON_ArrayForEach(count, counts) all += number(count);
    return counts ? all : NAN;
}

static void count_text(double count, char text[24]) {
    if (isnan(count))
        strcpy(text, "-");
    else
        snprintf(text, 24, "%.0f", count);
}

/* A dash where --no-times left it out. */
static void time_text(const cJSON *step, char text[24]) {
    double ms = number(get(step, "time_ms", "total"));
    if (isnan(ms))
        strcpy(text, "-");
    else
        snprintf(text, 24, "%.2f", ms);
}

/* ---- counting ---- */

cli_sequence_total cli_sequence_count(const cJSON *steps) {
    cli_sequence_total total = {0};
    const cJSON *step;
    cJSON_ArrayForEach(step, steps) {
        const char *verdict = verdict_of(step);
        total.steps++;
        total.hit += strcmp(verdict, "hit") == 0;
        total.clear += strcmp(verdict, "clear") == 0;
        total.unresolved += strcmp(verdict, "unresolved") == 0;
        total.failed += strcmp(verdict, "failed") == 0;
        total.with_intersections += number(get(step, "start", "intersections")) > 0;
    }
    return total;
}

cJSON *cli_sequence_total_json(const cli_sequence_total *total) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToObject(object, "steps", app_json_count(total->steps));
    cJSON_AddItemToObject(object, "hit", app_json_count(total->hit));
    cJSON_AddItemToObject(object, "clear", app_json_count(total->clear));
    cJSON_AddItemToObject(object, "unresolved", app_json_count(total->unresolved));
    cJSON_AddItemToObject(object, "failed", app_json_count(total->failed));
    cJSON_AddItemToObject(object, "with_intersections", app_json_count(total->with_intersections));
    return object;
}

cJSON *cli_sequence_gaps(const cJSON *steps) {
    cJSON *list = cJSON_CreateArray();
    const cJSON *step;
    cJSON_ArrayForEach(step, steps) {
        if (!(missing(step) > 0)) continue;
        cJSON *gap = cJSON_CreateObject();
        cJSON_AddItemToObject(gap, "after", app_json_double(number(get(step, "step", NULL))));
        cJSON_AddItemToObject(gap, "before", app_json_double(number(get(step, "next", NULL))));
        cJSON_AddItemToObject(gap, "missing", app_json_double(missing(step)));
        cJSON_AddItemToArray(list, gap);
    }
    return list;
}

/* ---- text ---- */

static void put_summary(FILE *out, const cJSON *steps, size_t planned) {
    cli_sequence_total total = cli_sequence_count(steps);
    fprintf(out, "%llu of %llu steps touch", (unsigned long long)total.hit, (unsigned long long)total.steps);
    if (total.unresolved) fprintf(out, ", %llu are unresolved", (unsigned long long)total.unresolved);
    if (total.with_intersections)
        fprintf(out, ", %llu start with intersections", (unsigned long long)total.with_intersections);
    if (total.failed) fprintf(out, ", %llu could not be taken", (unsigned long long)total.failed);
    if (total.steps < planned) fprintf(out, "; stopped before %zu others", planned - (size_t)total.steps);
}

void cli_sequence_print(const cJSON *steps, size_t planned) {
    put_summary(stdout, steps, planned);
    bool counted = false;
    const cJSON *step;
    cJSON_ArrayForEach(step, steps) counted = counted || !isnan(sum(get(step, "hits", NULL)));
    printf("\n\n%-16s %-11s %-12s %-20s %-28s", "step", "verdict", "toi", "pair", "point");
    if (counted) printf(" %12s %9s", "candidates", "hits");
    printf(" %9s %9s\n", "start", "ms");
    cJSON_ArrayForEach(step, steps) {
        char name[64], pair[64], point[80], candidates[24], hits[24], start[24], ms[24];
        snprintf(name, sizeof name, "%.0f-%.0f%s", number(get(step, "step", NULL)), number(get(step, "next", NULL)),
                 missing(step) > 0 ? " gap" : "");
        pair_text(step, pair, sizeof pair);
        point_text(step, point, sizeof point);
        count_text(sum(get(step, "candidates", NULL)), candidates);
        count_text(sum(get(step, "hits", NULL)), hits);
        count_text(number(get(step, "start", "intersections")), start);
        time_text(step, ms);
        printf("%-16s %-11s ", name, verdict_of(step));
        if (cJSON_IsString(get(step, "error", NULL))) {
            char *shown = app_shown(get(step, "error", NULL)->valuestring, 1000);
            printf("%s\n", shown);
            free(shown);
            continue;
        }
        printf("%-12.8g %-20s %-28s", number(get(step, "toi", NULL)), pair, point);
        if (counted) printf(" %12s %9s", candidates, hits);
        printf(" %9s %9s\n", start, ms);
    }
}

/* ---- a page ---- */

/* toi over the steps: one point each, colored by its verdict. */
static void put_plot(FILE *out, const cJSON *steps) {
    enum { WIDTH = 860, HEIGHT = 240, LEFT = 40, TOP = 10, BOTTOM = 30 };
    double across = (double)(WIDTH - LEFT - 10), up = (double)(HEIGHT - TOP - BOTTOM);
    int count = cJSON_GetArraySize(steps);
    double first = number(get(cJSON_GetArrayItem(steps, 0), "step", NULL));
    double last = number(get(cJSON_GetArrayItem(steps, count - 1), "step", NULL)), span = last - first;
    fprintf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"time of impact over the steps\">\n", WIDTH,
            HEIGHT);
    for (int i = 0; i <= 4; i++) {
        double y = TOP + up * (1 - i / 4.0);
        fprintf(out,
                "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#8886\"/>"
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.2f</text>\n",
                LEFT, y, WIDTH - 10, y, LEFT - 6, y + 4, i / 4.0);
    }
    const cJSON *step;
    cJSON_ArrayForEach(step, steps) {
        double toi = number(get(step, "toi", NULL)), k = number(get(step, "step", NULL));
        if (isnan(toi)) continue;
        fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" class=\"",
                LEFT + (span > 0 ? across * (k - first) / span : across / 2), TOP + up * (1 - toi));
        cli_put_html(out, verdict_of(step));
        fprintf(out, "\"><title>step %.0f: ", k);
        cli_put_html(out, verdict_of(step));
        fprintf(out, ", toi %.6g</title></circle>\n", toi);
    }
    fprintf(out,
            "<text x=\"%d\" y=\"%d\">%.0f</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.0f</text>"
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">step</text>\n</svg>\n",
            LEFT, HEIGHT - 8, first, WIDTH - 10, HEIGHT - 8, last, WIDTH / 2, HEIGHT - 8);
}

static void put_cell(FILE *out, const char *class, const char *text) {
    fputs("<td class=\"", out);
    cli_put_html(out, class);
    fputs("\">", out);
    cli_put_html(out, text);
    fputs("</td>", out);
}

/* Lines of an earlier run may be among the steps: their texts are whatever the file held. */
static void put_row(FILE *out, const cJSON *step) {
    char pair[64], point[80], hits[24], start[24], toi[32], ms[24];
    pair_text(step, pair, sizeof pair);
    point_text(step, point, sizeof point);
    count_text(sum(get(step, "hits", NULL)), hits);
    count_text(number(get(step, "start", "intersections")), start);
    snprintf(toi, sizeof toi, "%.8g", number(get(step, "toi", NULL)));
    time_text(step, ms);
    fprintf(out, "<tr><td>%.0f–%.0f", number(get(step, "step", NULL)), number(get(step, "next", NULL)));
    if (missing(step) > 0) fprintf(out, " <span class=\"gap\">%.0f missing</span>", missing(step));
    fputs("</td>", out);
    put_cell(out, verdict_of(step), verdict_of(step));
    put_cell(out, "", toi);
    put_cell(out, "left", pair);
    put_cell(out, "left", point);
    put_cell(out, "", hits);
    put_cell(out, "", start);
    put_cell(out, "", ms);
    fputs("</tr>\n", out);
}

void cli_sequence_page(FILE *out, const app_step_settings *settings, const char *name, const cJSON *steps,
                       size_t planned) {
    char *shown = app_shown(name, 200);
    cli_plain_page_open(out, "graze sequence");
    fputs("<h1>", out);
    cli_put_html(out, shown);
    fputs("</h1>\n<p>", out);
    free(shown);
    put_summary(out, steps, planned);
    fprintf(out, ". Method %s, separation %g, graze %s.</p>\n", graze_method_get(settings->narrow_options.method)->name,
            settings->narrow_options.min_separation, graze_version());
    if (cJSON_GetArraySize(steps)) put_plot(out, steps);
    fputs("<div class=\"scroll\"><table><tr><th>step</th><th>verdict</th><th>toi</th><th class=\"left\">pair</th>"
          "<th class=\"left\">point</th><th>hits</th><th>start</th><th>ms</th></tr>\n",
          out);
    const cJSON *step;
    cJSON_ArrayForEach(step, steps) put_row(out, step);
    fputs("</table></div>\n", out);
    cli_plain_page_close(out);
}
