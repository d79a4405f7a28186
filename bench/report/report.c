#include "bench/report/report.h"

#include "io/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

static _Noreturn void out_of_memory(void) {
    fputs("graze: bench: out of memory\n", stderr);
    exit(2);
}

void *bench_allocate(size_t count, size_t size) {
    void *block = calloc(count ? count : 1, size ? size : 1);
    if (!block) out_of_memory();
    return block;
}

void *bench_grow(void *block, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) return block;
    size_t larger = *capacity ? 2 * *capacity : 8;
    if (larger > SIZE_MAX / size) out_of_memory();
    void *grown = realloc(block, larger * size);
    if (!grown) out_of_memory();
    *capacity = larger;
    return grown;
}

char *bench_copy(const char *text) {
    if (!text) return NULL;
    size_t size = strlen(text) + 1;
    return memcpy(bench_allocate(size, 1), text, size);
}

static char *format_text(const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = bench_allocate((size_t)(length < 0 ? 0 : length) + 1, 1);
    if (length > 0) vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

/* ---- building ---- */

void bench_report_begin(bench_report *report, const char *name) { *report = (bench_report){.name = bench_copy(name)}; }

void bench_add_headline(bench_report *report, const char *format, ...) {
    report->headlines =
        bench_grow(report->headlines, report->headline_count, &report->headline_capacity, sizeof *report->headlines);
    va_list arguments;
    va_start(arguments, format);
    report->headlines[report->headline_count++] = format_text(format, arguments);
    va_end(arguments);
}

void bench_add_fact(bench_report *report, const char *name, const char *format, ...) {
    size_t capacity = report->fact_count;
    report->facts = bench_grow(report->facts, report->fact_count, &capacity, sizeof *report->facts);
    va_list arguments;
    va_start(arguments, format);
    char *text = format_text(format, arguments);
    io_make_printable(text); /* names of files may be in it */
    report->facts[report->fact_count++] = (bench_fact){bench_copy(name), text};
    va_end(arguments);
}

static bench_item *add_item(bench_report *report) {
    report->items = bench_grow(report->items, report->item_count, &report->item_capacity, sizeof *report->items);
    bench_item *item = &report->items[report->item_count++];
    *item = (bench_item){0};
    return item;
}

void bench_add_record(bench_report *report, const char *name, const char *json) {
    report->records =
        bench_grow(report->records, report->record_count, &report->record_capacity, sizeof *report->records);
    report->records[report->record_count++] = (bench_fact){bench_copy(name), bench_copy(json)};
}

void bench_add_heading(bench_report *report, const char *text) { add_item(report)->heading = bench_copy(text); }

bench_table *bench_add_table(bench_report *report, const char *id, const char *title, const char *note,
                             const bench_column *columns, size_t column_count) {
    bench_table *table = bench_allocate(1, sizeof *table);
    *table = (bench_table){.id = bench_copy(id),
                           .title = bench_copy(title),
                           .note = bench_copy(note),
                           .columns = columns,
                           .column_count = column_count};
    add_item(report)->table = table;
    return table;
}

bench_plot *bench_add_plot(bench_report *report, const char *id, const char *title, const char *note, bench_mark mark,
                           bench_axis x, bench_axis y) {
    bench_plot *plot = bench_allocate(1, sizeof *plot);
    *plot = (bench_plot){
        .id = bench_copy(id), .title = bench_copy(title), .note = bench_copy(note), .x = x, .y = y, .mark = mark};
    add_item(report)->plot = plot;
    return plot;
}

bench_series *bench_add_series(bench_plot *plot, const char *panel, const char *name) {
    plot->series = bench_grow(plot->series, plot->series_count, &plot->series_capacity, sizeof *plot->series);
    bench_series *series = &plot->series[plot->series_count++];
    *series = (bench_series){.panel = bench_copy(panel ? panel : ""), .name = bench_copy(name)};
    return series;
}

void bench_add_point(bench_series *series, double x, double y) {
    size_t capacity = series->capacity;
    series->x = bench_grow(series->x, series->count, &capacity, sizeof *series->x);
    series->y = bench_grow(series->y, series->count, &series->capacity, sizeof *series->y);
    series->x[series->count] = x;
    series->y[series->count++] = y;
}

bench_cell *bench_add_row(bench_table *table) {
    size_t width = table->column_count;
    table->cells = bench_grow(table->cells, table->row_count, &table->row_capacity, width * sizeof *table->cells);
    bench_cell *row = table->cells + width * table->row_count++;
    memset(row, 0, width * sizeof *row);
    return row;
}

bench_cell bench_text(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    bench_cell cell = {.kind = BENCH_TEXT, .text = format_text(format, arguments)};
    va_end(arguments);
    return cell;
}

bench_cell bench_number(double x) {
    return isfinite(x) ? (bench_cell){.kind = BENCH_NUMBER, .number = x} : (bench_cell){0};
}

bench_cell bench_count(uint64_t n) { return (bench_cell){.kind = BENCH_COUNT, .count = n, .number = (double)n}; }

const bench_cell *bench_cell_at(const bench_table *table, size_t row, size_t column) {
    return &table->cells[row * table->column_count + column];
}

bool bench_is_number_column(const bench_table *table, size_t column) {
    for (size_t r = 0; r < table->row_count; r++)
        if (bench_cell_at(table, r, column)->kind == BENCH_TEXT) return false;
    return true;
}

/* ---- releasing ---- */

static void free_table(bench_table *table) {
    if (!table) return;
    for (size_t i = 0; i < table->row_count * table->column_count; i++) free(table->cells[i].text);
    free(table->cells);
    free(table->id);
    free(table->title);
    free(table->note);
    free(table);
}

static void free_plot(bench_plot *plot) {
    if (!plot) return;
    for (size_t i = 0; i < plot->series_count; i++) {
        free(plot->series[i].panel);
        free(plot->series[i].name);
        free(plot->series[i].x);
        free(plot->series[i].y);
    }
    free(plot->series);
    free(plot->id);
    free(plot->title);
    free(plot->note);
    free(plot);
}

void bench_report_free(bench_report *report) {
    for (size_t i = 0; i < report->fact_count; i++) {
        free(report->facts[i].name);
        free(report->facts[i].value);
    }
    for (size_t i = 0; i < report->record_count; i++) {
        free(report->records[i].name);
        free(report->records[i].value);
    }
    free(report->records);
    for (size_t i = 0; i < report->item_count; i++) {
        free(report->items[i].heading);
        free_table(report->items[i].table);
        free_plot(report->items[i].plot);
    }
    for (size_t i = 0; i < report->headline_count; i++) free(report->headlines[i]);
    free(report->headlines);
    free(report->facts);
    free(report->items);
    free(report->name);
    *report = (bench_report){0};
}

/* ---- names of files ---- */

char *bench_file_name(const bench_report *report, const char *id, const char *suffix) {
    return id ? bench_text("bench-%s-%s.%s", report->name, id, suffix).text
              : bench_text("bench-%s.%s", report->name, suffix).text;
}

/* ---- cells for people ---- */

/* "1234567" → "1 234 567", with thin spaces */
static void group_thousands(const char *digits, char *text, size_t size) {
    static const char thin[] = "\xe2\x80\x89";
    size_t length = strlen(digits), used = 0;
    for (size_t i = 0; i < length && used + 4 < size; i++) {
        if (i > 0 && length > 4 && (length - i) % 3 == 0) {
            memcpy(text + used, thin, 3);
            used += 3;
        }
        text[used++] = digits[i];
    }
    text[used] = '\0';
}

void bench_cell_text(const bench_cell *cell, char *text, size_t size) {
    char digits[40];
    switch (cell->kind) {
    case BENCH_NONE: snprintf(text, size, "–"); return;
    case BENCH_TEXT: snprintf(text, size, "%s", cell->text); return;
    case BENCH_COUNT:
        snprintf(digits, sizeof digits, "%llu", (unsigned long long)cell->count);
        group_thousands(digits, text, size);
        return;
    case BENCH_NUMBER: break;
    }
    double x = cell->number, a = fabs(x);
    if (x == 0)
        snprintf(text, size, "0");
    else if (a >= 1e7 || a < 1e-4)
        snprintf(text, size, "%.2e", x);
    else if (a >= 1000) {
        snprintf(digits, sizeof digits, "%.0f", a);
        char grouped[80];
        group_thousands(digits, grouped, sizeof grouped);
        snprintf(text, size, "%s%s", x < 0 ? "−" : "", grouped);
    } else
        snprintf(text, size, "%.*f", a >= 100 ? 1 : a >= 10 ? 2 : a >= 0.1 ? 3 : 4, x);
}
