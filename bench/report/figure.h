/* Figures as drawings: panels with common axes. A page sets them side by side as it has room, a file in rows. */
#ifndef GRAZE_BENCH_REPORT_FIGURE_H
#define GRAZE_BENCH_REPORT_FIGURE_H

#include "bench/report/report.h"

/* ---- what is in a figure ---- */

/* The panels by name, in order; NULL past the last one. A figure of one panel has one without a name. */
const char *bench_panel_name(const bench_plot *plot, size_t index);
/* The names of series, each once, in order; NULL past the last one. */
const char *bench_series_name(const bench_plot *plot, size_t index);
/* The number of panels or names. */
size_t bench_count_names(const bench_plot *plot, const char *(*name)(const bench_plot *, size_t));
/* The number of the look (color, dash, mark) that a series has. */
size_t bench_series_look(const bench_plot *plot, const bench_series *series);
/* Series that differ by color and shape need a legend; box plots have their names beside them. */
bool bench_has_legend(const bench_plot *plot);

/* ---- drawing ---- */

typedef struct bench_size {
    int width, height;
} bench_size;

int bench_text_width(const char *text); /* about: who reads it has another font */

enum { BENCH_SWATCH_WIDTH = 26, BENCH_SWATCH_HEIGHT = 12 };

bench_size bench_panel_size(const bench_plot *plot); /* of every panel, ticks and names included */
/* The inside of an <svg> of that size. */
void bench_draw_panel(const bench_plot *plot, const char *panel, FILE *stream);
/* As bench_draw_panel, but for a swatch. */
void bench_draw_swatch(const bench_plot *plot, size_t look, FILE *stream);
/* "across: frame; up: time (ms)": small panels have their axes named once for all of them. */
void bench_write_axes(const bench_plot *plot, FILE *stream);

/* ---- for drawing alone ---- */

/* From values to places. */
typedef struct bench_axis_scale {
    double low, high; /* of the value, or of its log10 */
    double from, to;  /* where they lie */
    bool log;
} bench_axis_scale;

typedef struct bench_canvas {
    const bench_plot *plot;
    const char *panel;
    bench_axis_scale across, up;
    FILE *stream;
} bench_canvas;

bool bench_usable(const bench_axis *axis, double value);
double bench_place(const bench_axis_scale *scale, double value);
/* The bar of an x among those of the figure, and their number. */
size_t bench_bar_of(const bench_plot *plot, double x, size_t *count);
void bench_draw_marks(const bench_canvas *canvas);

#endif
