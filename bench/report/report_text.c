/* The report for people who read text: Markdown, and columns for a terminal. */
#include "bench/report/report.h"

#include <stdlib.h>
#include <string.h>

/* A cell of a Markdown table must not end it. */
static void put_markdown(const char *text, FILE *stream) {
    for (; *text; text++) {
        if (*text == '|' || *text == '\\') fputc('\\', stream);
        fputc(*text == '\n' ? ' ' : *text, stream);
    }
}

static void column_title(const bench_column *column, char *text, size_t size) {
    if (column->unit)
        snprintf(text, size, "%s, %s", column->title, column->unit);
    else
        snprintf(text, size, "%s", column->title);
}

static void put_markdown_table(const bench_table *table, FILE *stream) {
    fprintf(stream, "### %s\n\n", table->title);
    if (table->note) fprintf(stream, "%s\n\n", table->note);
    char text[400];
    fputc('|', stream);
    for (size_t c = 0; c < table->column_count; c++) {
        column_title(&table->columns[c], text, sizeof text);
        fputc(' ', stream);
        put_markdown(text, stream);
        fputs(" |", stream);
    }
    fputs("\n|", stream);
    for (size_t c = 0; c < table->column_count; c++) fputs(bench_is_number_column(table, c) ? "--:|" : "---|", stream);
    fputc('\n', stream);
    for (size_t r = 0; r < table->row_count; r++) {
        fputc('|', stream);
        for (size_t c = 0; c < table->column_count; c++) {
            bench_cell_text(bench_cell_at(table, r, c), text, sizeof text);
            fputc(' ', stream);
            put_markdown(text, stream);
            fputs(" |", stream);
        }
        fputc('\n', stream);
    }
    fputc('\n', stream);
}

static void put_markdown_figure(const bench_report *report, const bench_plot *plot, FILE *stream) {
    if (plot->series_count == 0) return;
    fprintf(stream, "### %s\n\n", plot->title);
    if (plot->paper) fprintf(stream, "%s.\n\n", plot->paper);
    if (plot->note) fprintf(stream, "%s\n\n", plot->note);
    char *svg = bench_file_name(report, plot->id, "svg"), *csv = bench_file_name(report, plot->id, "csv");
    fprintf(stream, "![%s](%s)\n\n[Its points](%s)\n\n", plot->title, svg, csv);
    free(svg);
    free(csv);
}

void bench_write_markdown(const bench_report *report, FILE *stream) {
    fprintf(stream, "# graze bench %s\n\n", report->name);
    if (report->interrupted) fputs("**Interrupted: what follows is not complete.**\n\n", stream);
    for (size_t i = 0; i < report->headline_count; i++) fprintf(stream, "**%s**\n\n", report->headlines[i]);
    for (size_t i = 0; i < report->fact_count; i++)
        fprintf(stream, "- %s: `%s`\n", report->facts[i].name, report->facts[i].value);
    fputc('\n', stream);
    for (size_t i = 0; i < report->item_count; i++) {
        const bench_item *item = &report->items[i];
        if (item->heading) fprintf(stream, "## %s\n\n", item->heading);
        if (item->table) put_markdown_table(item->table, stream);
        if (item->plot) put_markdown_figure(report, item->plot, stream);
    }
}

/* ---- terminal ---- */

/* Columns that a terminal shows a text in: UTF-8 bytes that begin a character. */
static int width_of(const char *text) {
    int width = 0;
    for (; *text; text++) width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

static void put_padded(const char *text, int width, bool right, FILE *stream) {
    int blanks = width - width_of(text);
    if (right) fprintf(stream, "%*s", blanks > 0 ? blanks : 0, "");
    fputs(text, stream);
    if (!right) fprintf(stream, "%*s", blanks > 0 ? blanks : 0, "");
}

static void put_text_table(const bench_table *table, FILE *stream) {
    fprintf(stream, "%s\n\n", table->title);
    int *widths = bench_allocate(table->column_count, sizeof *widths);
    char text[400];
    for (size_t c = 0; c < table->column_count; c++) {
        column_title(&table->columns[c], text, sizeof text);
        widths[c] = width_of(text);
        for (size_t r = 0; r < table->row_count; r++) {
            bench_cell_text(bench_cell_at(table, r, c), text, sizeof text);
            if (width_of(text) > widths[c]) widths[c] = width_of(text);
        }
    }
    for (size_t c = 0; c < table->column_count; c++) {
        column_title(&table->columns[c], text, sizeof text);
        put_padded(text, widths[c], bench_is_number_column(table, c), stream);
        fputs(c + 1 < table->column_count ? "  " : "\n", stream);
    }
    for (size_t r = 0; r < table->row_count; r++)
        for (size_t c = 0; c < table->column_count; c++) {
            bench_cell_text(bench_cell_at(table, r, c), text, sizeof text);
            put_padded(text, widths[c], bench_is_number_column(table, c), stream);
            fputs(c + 1 < table->column_count ? "  " : "\n", stream);
        }
    fputc('\n', stream);
    free(widths);
}

void bench_write_text(const bench_report *report, FILE *stream) {
    if (report->interrupted) fputs("interrupted: what follows is not complete\n\n", stream);
    for (size_t i = 0; i < report->headline_count; i++) fprintf(stream, "%s\n\n", report->headlines[i]);
    for (size_t i = 0; i < report->item_count; i++)
        if (report->items[i].table) put_text_table(report->items[i].table, stream);
}
