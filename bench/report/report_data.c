/* The report for programs: JSON with everything, CSV for each table and figure. */
#include "bench/report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON ---- */

static void put_json_text(const char *text, FILE *stream) {
    if (!text) {
        fputs("null", stream);
        return;
    }
    fputc('"', stream);
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        if (*at == '"' || *at == '\\')
            fprintf(stream, "\\%c", *at);
        else if (*at < 0x20)
            fprintf(stream, "\\u%04x", *at);
        else
            fputc(*at, stream);
    }
    fputc('"', stream);
}

/* Reads back to the same double; null for what is not finite. */
static void put_number(double x, FILE *stream) {
    if (!isfinite(x)) {
        fputs("null", stream);
        return;
    }
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x) break;
    }
    fputs(text, stream);
}

static void put_cell(const bench_cell *cell, FILE *stream) {
    switch (cell->kind) {
    case BENCH_NONE: fputs("null", stream); break;
    case BENCH_TEXT: put_json_text(cell->text, stream); break;
    case BENCH_NUMBER: put_number(cell->number, stream); break;
    case BENCH_COUNT: fprintf(stream, "%llu", (unsigned long long)cell->count); break;
    }
}

static void put_field(const char *name, const char *value, FILE *stream) {
    fprintf(stream, ",\"%s\":", name);
    put_json_text(value, stream);
}

static void put_table(const bench_table *table, FILE *stream) {
    fputs("{\"id\":", stream);
    put_json_text(table->id, stream);
    put_field("title", table->title, stream);
    put_field("note", table->note, stream);
    fputs(",\"columns\":[", stream);
    for (size_t c = 0; c < table->column_count; c++) {
        fputs(c ? ",{\"id\":" : "{\"id\":", stream);
        put_json_text(table->columns[c].id, stream);
        put_field("title", table->columns[c].title, stream);
        put_field("unit", table->columns[c].unit, stream);
        fputc('}', stream);
    }
    fputs("],\"rows\":[", stream);
    for (size_t r = 0; r < table->row_count; r++) {
        fputs(r ? ",[" : "[", stream);
        for (size_t c = 0; c < table->column_count; c++) {
            if (c) fputc(',', stream);
            put_cell(bench_cell_at(table, r, c), stream);
        }
        fputc(']', stream);
    }
    fputs("]}", stream);
}

static void put_axis(const char *name, const bench_axis *axis, FILE *stream) {
    fprintf(stream, ",\"%s\":{\"title\":", name);
    put_json_text(axis->title, stream);
    put_field("unit", axis->unit, stream);
    fprintf(stream, ",\"log\":%s}", axis->log ? "true" : "false");
}

static void put_values(const char *name, const double *values, size_t count, FILE *stream) {
    fprintf(stream, ",\"%s\":[", name);
    for (size_t i = 0; i < count; i++) {
        if (i) fputc(',', stream);
        put_number(values[i], stream);
    }
    fputc(']', stream);
}

static void put_plot(const bench_plot *plot, FILE *stream) {
    static const char *const marks[] = {"lines", "cumulative", "boxes", "bars"};
    fputs("{\"id\":", stream);
    put_json_text(plot->id, stream);
    put_field("title", plot->title, stream);
    put_field("note", plot->note, stream);
    put_field("paper", plot->paper, stream);
    put_field("mark", marks[plot->mark], stream);
    put_axis("x", &plot->x, stream);
    put_axis("y", &plot->y, stream);
    fputs(",\"series\":[", stream);
    for (size_t s = 0; s < plot->series_count; s++) {
        const bench_series *series = &plot->series[s];
        fputs(s ? ",{\"name\":" : "{\"name\":", stream);
        put_json_text(series->name, stream);
        put_field("panel", *series->panel ? series->panel : NULL, stream);
        put_values("x", series->x, series->count, stream);
        put_values("y", series->y, series->count, stream);
        fputc('}', stream);
    }
    fputs("]}", stream);
}

void bench_json_text(const char *text, char *out, size_t size) {
    size_t used = 0;
    out[used++] = '"';
    for (const unsigned char *at = (const unsigned char *)text; *at && used + 8 < size; at++) {
        if (*at == '"' || *at == '\\') out[used++] = '\\';
        if (*at >= 0x20)
            out[used++] = (char)*at;
        else
            used += (size_t)snprintf(out + used, size - used, "\\u%04x", *at);
    }
    out[used++] = '"';
    out[used] = '\0';
}

/* ,"name":[{…},…] for each list */
static void put_records(const bench_report *report, FILE *stream) {
    for (size_t i = 0; i < report->record_count; i++) {
        bool first = i == 0 || strcmp(report->records[i - 1].name, report->records[i].name) != 0;
        bool last = i + 1 == report->record_count || strcmp(report->records[i + 1].name, report->records[i].name) != 0;
        if (first) fprintf(stream, ",\"%s\":[", report->records[i].name);
        fprintf(stream, "%s%s", first ? "" : ",", report->records[i].value);
        if (last) fputc(']', stream);
    }
}

void bench_write_json(const bench_report *report, FILE *stream) {
    fputs("{\"name\":", stream);
    put_json_text(report->name, stream);
    fputs(",\"headlines\":[", stream);
    for (size_t i = 0; i < report->headline_count; i++) {
        if (i) fputc(',', stream);
        put_json_text(report->headlines[i], stream);
    }
    fprintf(stream, "],\"interrupted\":%s,\"facts\":{", report->interrupted ? "true" : "false");
    for (size_t i = 0; i < report->fact_count; i++) {
        if (i) fputc(',', stream);
        put_json_text(report->facts[i].name, stream);
        fputc(':', stream);
        put_json_text(report->facts[i].value, stream);
    }
    fputs("},\"tables\":[", stream);
    const char *between = "";
    for (size_t i = 0; i < report->item_count; i++) {
        if (!report->items[i].table) continue;
        fputs(between, stream);
        put_table(report->items[i].table, stream);
        between = ",";
    }
    fputs("],\"plots\":[", stream);
    between = "";
    for (size_t i = 0; i < report->item_count; i++) {
        if (!report->items[i].plot || report->items[i].plot->series_count == 0) continue;
        fputs(between, stream);
        put_plot(report->items[i].plot, stream);
        between = ",";
    }
    fputc(']', stream);
    put_records(report, stream);
    fputs("}\n", stream);
}

/* ---- CSV ---- */

static void put_csv_text(const char *text, FILE *stream) {
    if (!strpbrk(text, ",\"\n\r")) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text; text++) {
        if (*text == '"') fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}

static const char *fact(const bench_report *report, const char *name) {
    for (size_t i = 0; i < report->fact_count; i++)
        if (strcmp(report->facts[i].name, name) == 0) return report->facts[i].value;
    return "";
}

static void put_csv_cell(const bench_cell *cell, FILE *stream) {
    if (cell->kind == BENCH_TEXT)
        put_csv_text(cell->text, stream);
    else if (cell->kind != BENCH_NONE)
        put_cell(cell, stream);
    fputc(',', stream);
}

/* Columns that every row ends with. */
static const char *const added[] = {"machine", "isa", "commit"};

static void end_csv_header(FILE *stream) { fprintf(stream, "%s,%s,%s,interrupted\n", added[0], added[1], added[2]); }

static void end_csv_row(const bench_report *report, FILE *stream) {
    for (int i = 0; i < 3; i++) {
        put_csv_text(fact(report, added[i]), stream);
        fputc(',', stream);
    }
    fprintf(stream, "%d\n", report->interrupted ? 1 : 0);
}

static void put_table_csv(const bench_report *report, const bench_table *table, FILE *stream) {
    for (size_t c = 0; c < table->column_count; c++) fprintf(stream, "%s,", table->columns[c].id);
    end_csv_header(stream);
    for (size_t r = 0; r < table->row_count; r++) {
        for (size_t c = 0; c < table->column_count; c++) put_csv_cell(bench_cell_at(table, r, c), stream);
        end_csv_row(report, stream);
    }
}

/* "time (ms)," */
static void put_axis_name(const bench_axis *axis, FILE *stream) {
    char name[200];
    snprintf(name, sizeof name, axis->unit ? "%s (%s)" : "%s", axis->title, axis->unit);
    put_csv_text(name, stream);
    fputc(',', stream);
}

static void put_figure_csv(const bench_report *report, const bench_plot *plot, FILE *stream) {
    fputs("panel,series,", stream);
    put_axis_name(&plot->x, stream);
    put_axis_name(&plot->y, stream);
    end_csv_header(stream);
    for (const bench_series *s = plot->series; s < plot->series + plot->series_count; s++)
        for (size_t i = 0; i < s->count; i++) {
            put_csv_text(s->panel, stream);
            fputc(',', stream);
            put_csv_text(s->name, stream);
            fputc(',', stream);
            put_csv_cell(&(bench_cell){.kind = BENCH_NUMBER, .number = s->x[i]}, stream);
            put_csv_cell(&(bench_cell){.kind = isfinite(s->y[i]) ? BENCH_NUMBER : BENCH_NONE, .number = s->y[i]},
                         stream);
            end_csv_row(report, stream);
        }
}

void bench_write_csv(const bench_report *report, const bench_item *item, FILE *stream) {
    if (item->table) put_table_csv(report, item->table, stream);
    if (item->plot) put_figure_csv(report, item->plot, stream);
}
