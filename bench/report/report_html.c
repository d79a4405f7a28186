/* The report as one HTML page: headlines, contents, tables that sort, figures. */
#include "bench/report/assets.h"
#include "bench/report/figure.h"

#include <stdlib.h>

static void put_head(const bench_report *report, FILE *stream) {
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n"
          "<link rel=\"icon\" href=\"data:,\">\n<title>graze bench ",
          stream);
    bench_write_escaped(report->name, stream);
    fprintf(stream, "</title>\n<style>\n%s%s</style>\n</head>\n<body>\n<header>\n<h1>graze bench ", bench_asset_css,
            bench_asset_figure_css);
    bench_write_escaped(report->name, stream);
    fputs("</h1>\n", stream);
    if (report->interrupted)
        fputs("<p class=\"warning\">Interrupted: what is here is true, but not all of it is here.</p>\n", stream);
    for (size_t i = 0; i < report->headline_count; i++) {
        fputs("<p class=\"headline\">", stream);
        bench_write_escaped(report->headlines[i], stream);
        fputs("</p>\n", stream);
    }
}

static void put_facts(const bench_report *report, FILE *stream) {
    fputs("<dl class=\"facts\">\n", stream);
    for (size_t i = 0; i < report->fact_count; i++) {
        fputs("<div><dt>", stream);
        bench_write_escaped(report->facts[i].name, stream);
        fputs("</dt><dd>", stream);
        bench_write_escaped(report->facts[i].value, stream);
        fputs("</dd></div>\n", stream);
    }
    fputs("</dl>\n</header>\n", stream);
}

/* ---- contents ---- */

static bool is_empty(const bench_item *item) { return item->plot && item->plot->series_count == 0; }

static void put_link(const char *kind, const char *id, const char *text, FILE *stream) {
    fprintf(stream, "<li><a href=\"#%s-%s\">", kind, id);
    bench_write_escaped(text, stream);
    fputs("</a>", stream);
}

/* Items under a heading are listed below it. */
static void put_contents(const bench_report *report, FILE *stream) {
    bool below = false;
    fputs("<nav aria-label=\"Contents\">\n<ol>\n", stream);
    for (size_t i = 0; i < report->item_count; i++) {
        const bench_item *item = &report->items[i];
        if (item->heading) {
            char id[24];
            snprintf(id, sizeof id, "%zu", i);
            if (below) fputs("</ul></li>\n", stream);
            put_link("part", id, item->heading, stream);
            fputs("<ul>\n", stream);
            below = true;
        } else if (!is_empty(item)) {
            put_link(item->table ? "table" : "figure", item->table ? item->table->id : item->plot->id,
                     item->table ? item->table->title : item->plot->title, stream);
            fputs("</li>\n", stream);
        }
    }
    fputs(below ? "</ul></li>\n</ol>\n</nav>\n" : "</ol>\n</nav>\n", stream);
}

/* ---- tables and figures ---- */

static void put_file_link(const bench_report *report, const char *id, const char *suffix, FILE *stream) {
    char *name = bench_file_name(report, id, suffix);
    fputs(" <a class=\"file\" href=\"", stream);
    bench_write_escaped(name, stream);
    fprintf(stream, "\">%s</a>", suffix);
    free(name);
}

static void put_note(const char *note, FILE *stream) {
    if (!note) return;
    fputs("<p class=\"note\">", stream);
    bench_write_escaped(note, stream);
    fputs("</p>\n", stream);
}

static void put_cell(const bench_table *table, size_t row, size_t column, FILE *stream) {
    const bench_cell *cell = bench_cell_at(table, row, column);
    char text[400];
    bench_cell_text(cell, text, sizeof text);
    const char *tag = column == 0 ? "th scope=\"row\"" : "td";
    fprintf(stream, "<%s", tag);
    if (cell->kind == BENCH_NUMBER || cell->kind == BENCH_COUNT)
        fprintf(stream, " class=\"number%s\" data-value=\"%.17g\"", cell->number == 0 ? " zero" : "", cell->number);
    if (cell->kind == BENCH_NONE) fputs(" class=\"number none\"", stream);
    fputc('>', stream);
    bench_write_escaped(text, stream);
    fprintf(stream, "</%s>", column == 0 ? "th" : "td");
}

static void put_table(const bench_report *report, const bench_table *table, FILE *stream) {
    fprintf(stream, "<section class=\"table\" id=\"table-%s\">\n<h3>", table->id);
    bench_write_escaped(table->title, stream);
    put_file_link(report, table->id, "csv", stream);
    fputs("</h3>\n", stream);
    put_note(table->note, stream);
    fputs("<div class=\"scroll\" tabindex=\"0\">\n<table>\n<thead><tr>", stream);
    for (size_t c = 0; c < table->column_count; c++) {
        fprintf(stream, "<th scope=\"col\"%s><button type=\"button\">",
                bench_is_number_column(table, c) ? " class=\"number\"" : "");
        bench_write_escaped(table->columns[c].title, stream);
        if (table->columns[c].unit) {
            fputs(" <small>", stream);
            bench_write_escaped(table->columns[c].unit, stream);
            fputs("</small>", stream);
        }
        fputs("</button></th>", stream);
    }
    fputs("</tr></thead>\n<tbody>\n", stream);
    for (size_t r = 0; r < table->row_count; r++) {
        fputs("<tr>", stream);
        for (size_t c = 0; c < table->column_count; c++) put_cell(table, r, c, stream);
        fputs("</tr>\n", stream);
    }
    fputs("</tbody>\n</table>\n</div>\n</section>\n", stream);
}

static void put_legend(const bench_plot *plot, FILE *stream) {
    if (!bench_has_legend(plot)) return;
    fputs("<ul class=\"legend\">", stream);
    for (size_t look = 0; bench_series_name(plot, look); look++) {
        fprintf(stream, "<li><button type=\"button\"><svg class=\"swatch\" viewBox=\"0 0 %d %d\" aria-hidden=\"true\">",
                BENCH_SWATCH_WIDTH, BENCH_SWATCH_HEIGHT);
        bench_draw_swatch(plot, look, stream);
        fputs("</svg>", stream);
        bench_write_escaped(bench_series_name(plot, look), stream);
        fputs("</button></li>\n", stream);
    }
    fputs("</ul>\n", stream);
}

static void put_panel(const bench_plot *plot, const char *panel, FILE *stream) {
    bench_size size = bench_panel_size(plot);
    fprintf(stream, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", size.width, size.height);
    bench_write_escaped(*panel ? panel : plot->title, stream);
    fputs("\">\n", stream);
    bench_draw_panel(plot, panel, stream);
    fputs("</svg>\n", stream);
}

static void put_figure(const bench_report *report, const bench_plot *plot, FILE *stream) {
    bool single = !bench_panel_name(plot, 1);
    fprintf(stream, "<figure id=\"figure-%s\">\n<figcaption>", plot->id);
    bench_write_escaped(plot->title, stream);
    if (plot->paper) {
        fputs(" <span class=\"source\">", stream);
        bench_write_escaped(plot->paper, stream);
        fputs("</span>", stream);
    }
    put_file_link(report, plot->id, "svg", stream);
    put_file_link(report, plot->id, "csv", stream);
    fputs("</figcaption>\n", stream);
    put_note(plot->note, stream);
    put_legend(plot, stream);
    fprintf(stream, "<div class=\"panels%s\">\n", single ? " single" : "");
    for (size_t i = 0; bench_panel_name(plot, i); i++) put_panel(plot, bench_panel_name(plot, i), stream);
    fputs("</div>\n", stream);
    if (!single) {
        fputs("<p class=\"axes\">", stream);
        bench_write_axes(plot, stream);
        fputs("</p>\n", stream);
    }
    fputs("</figure>\n", stream);
}

void bench_write_html(const bench_report *report, FILE *stream) {
    put_head(report, stream);
    put_facts(report, stream);
    put_contents(report, stream);
    fputs("<main>\n", stream);
    for (size_t i = 0; i < report->item_count; i++) {
        const bench_item *item = &report->items[i];
        if (item->heading) {
            fprintf(stream, "<h2 id=\"part-%zu\">", i);
            bench_write_escaped(item->heading, stream);
            fputs("</h2>\n", stream);
        }
        if (item->table) put_table(report, item->table, stream);
        if (item->plot && !is_empty(item)) put_figure(report, item->plot, stream);
    }
    fprintf(stream, "</main>\n<script>\n%s</script>\n</body>\n</html>\n", bench_asset_js);
}
