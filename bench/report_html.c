/* The report as one HTML page: tables that sort, plots as SVG, interactive ones on top where the build has them. */
#include "bench/assets.h"
#include "bench/report.h"

#include <string.h>

static void put_head(const bench_report *report, FILE *stream) {
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n"
          "<link rel=\"icon\" href=\"data:,\">\n<title>",
          stream);
    bench_write_escaped(report->title, stream);
    fprintf(stream, "</title>\n<style>\n%s%s</style>\n</head>\n<body>\n", bench_asset_plot_css, bench_asset_css);
}

static void put_facts(const bench_report *report, FILE *stream) {
    fputs("<header>\n<h1>", stream);
    bench_write_escaped(report->title, stream);
    fputs("</h1>\n", stream);
    if (report->interrupted)
        fputs("<p class=\"warning\">Interrupted: what is here is true, but not all of it is here.</p>\n", stream);
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

static void put_table(const bench_table *table, FILE *stream) {
    fprintf(stream, "<section class=\"table\" id=\"table-%s\">\n<h3>", table->id);
    bench_write_escaped(table->title, stream);
    fputs("</h3>\n", stream);
    put_note(table->note, stream);
    fputs("<div class=\"scroll\" tabindex=\"0\">\n<table>\n<thead><tr>", stream);
    for (size_t c = 0; c < table->column_count; c++) {
        fputs("<th scope=\"col\"><button type=\"button\">", stream);
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

static void put_plot(const bench_plot *plot, FILE *stream) {
    if (plot->series_count == 0) return;
    fprintf(stream, "<figure class=\"plot\" id=\"plot-%s\" data-plot=\"%s\">\n<figcaption>", plot->id, plot->id);
    bench_write_escaped(plot->title, stream);
    fputs("</figcaption>\n", stream);
    put_note(plot->note, stream);
    fputs("<div class=\"static\">\n<ul class=\"legend\">", stream);
    for (size_t s = 0; s < plot->series_count; s++) {
        fprintf(stream, "<li><span class=\"key s%zu%s\"></span>", s % 10, s >= 10 ? " dashed" : "");
        bench_write_escaped(plot->series[s].name, stream);
        fputs("</li>", stream);
    }
    fputs("</ul>\n", stream);
    bench_write_svg(plot, stream);
    fputs("</div>\n</figure>\n", stream);
}

void bench_write_html(const bench_report *report, FILE *stream) {
    put_head(report, stream);
    put_facts(report, stream);
    fputs("<main>\n", stream);
    for (size_t i = 0; i < report->item_count; i++) {
        const bench_item *item = &report->items[i];
        if (item->heading) {
            fputs("<h2>", stream);
            bench_write_escaped(item->heading, stream);
            fputs("</h2>\n", stream);
        }
        if (item->table) put_table(item->table, stream);
        if (item->plot) put_plot(item->plot, stream);
    }
    fputs("</main>\n<script type=\"application/json\" id=\"report\">", stream);
    bench_write_json(report, stream);
    fputs("</script>\n", stream);
    if (bench_asset_plot_js[0])
        fprintf(stream, "<script>\n/*\n%s\n*/\n%s</script>\n", bench_asset_plot_license, bench_asset_plot_js);
    fprintf(stream, "<script>\n%s</script>\n</body>\n</html>\n", bench_asset_js);
}
