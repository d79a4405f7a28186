/* A figure as a file of its own: title, legend, panels in rows. */
#include "bench/report/assets.h"
#include "bench/report/figure.h"

enum { MARGIN = 12, LINE = 18, MOST_COLUMNS = 4 };

/* The legend in lines of `width` below `y`, where that is known already; its height. */
static int draw_legend(const bench_plot *plot, int width, int y, FILE *stream) {
    if (!bench_has_legend(plot)) return 0;
    int x = MARGIN, top = y;
    for (size_t look = 0; bench_series_name(plot, look); look++) {
        const char *name = bench_series_name(plot, look);
        int needed = BENCH_SWATCH_WIDTH + bench_text_width(name) + 14;
        if (x > MARGIN && x + needed > width) x = MARGIN, y += LINE;
        if (stream) {
            fprintf(stream, "<g transform=\"translate(%d %d)\">", x, y);
            bench_draw_swatch(plot, look, stream);
            fprintf(stream, "<text x=\"%d\" y=\"10\">", BENCH_SWATCH_WIDTH);
            bench_write_escaped(name, stream);
            fputs("</text></g>\n", stream);
        }
        x += needed;
    }
    return y + LINE - top;
}

static void draw_file_head(const bench_plot *plot, FILE *stream) {
    fprintf(stream, "<text class=\"title\" x=\"%d\" y=\"20\">", MARGIN);
    bench_write_escaped(plot->title, stream);
    if (plot->paper) {
        fputs(" (", stream);
        bench_write_escaped(plot->paper, stream);
        fputc(')', stream);
    }
    fputs("</text>\n", stream);
}

void bench_write_svg(const bench_plot *plot, FILE *stream) {
    bench_size panel = bench_panel_size(plot);
    int count = (int)bench_count_names(plot, bench_panel_name), columns = count < MOST_COLUMNS ? count : MOST_COLUMNS;
    int rows = (count + columns - 1) / columns, width = 2 * MARGIN + columns * panel.width;
    if (width < 2 * MARGIN + 520) width = 2 * MARGIN + 520; /* titles are long */
    int top = 30 + draw_legend(plot, width, 0, NULL), height = top + rows * panel.height + (count == 1 ? 4 : 24);
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n"
            "<style>\n%s</style>\n<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n",
            width, height, width, height, bench_asset_figure_css, width, height);
    draw_file_head(plot, stream);
    draw_legend(plot, width, 30, stream);
    for (int i = 0; i < count; i++) {
        fprintf(stream, "<g transform=\"translate(%d %d)\">\n", MARGIN + i % columns * panel.width,
                top + i / columns * panel.height);
        bench_draw_panel(plot, bench_panel_name(plot, (size_t)i), stream);
        fputs("</g>\n", stream);
    }
    if (count > 1) {
        fprintf(stream, "<text class=\"axis\" x=\"%d\" y=\"%d\">", MARGIN, height - 8);
        bench_write_axes(plot, stream);
        fputs("</text>\n", stream);
    }
    fputs("</svg>\n", stream);
}
