/* Marks between the axes: lines, cumulative curves, box plots, bars. Looks differ by color and by shape, so that they
   can be told apart without colors as well. */
#include "bench/report/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLOURS = 8, SHAPES = 7, DASHES = 3 }; /* 8 and 7 have no common factor: 56 looks */

static bool is_in(const bench_canvas *c, const bench_series *s) { return strcmp(s->panel, c->panel) == 0; }

static bool is_shown(const bench_plot *plot, const bench_series *s, size_t i) {
    return bench_usable(&plot->x, s->x[i]) && bench_usable(&plot->y, s->y[i]);
}

/* ---- looks ---- */

/* A shape around a point, a few pixels wide. */
static void draw_shape(size_t look, double x, double y, FILE *stream) {
    static const char *const paths[SHAPES] = {
        "m-2.6 0a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0-5.2 0z", /* disc */
        "m-2.5-2.5h5v5h-5z",                                /* square */
        "m0-3.4l3.2 5.6h-6.4z",                             /* triangle */
        "m0-3.5l3.2 3.5l-3.2 3.5l-3.2-3.5z",                /* diamond */
        "m-2.6-2.6l5.2 5.2m0-5.2l-5.2 5.2",                 /* cross */
        "m0 3.4l3.2-5.6h-6.4z",                             /* triangle on its tip */
        "m-3.2 0h6.4m-3.2-3.2v6.4",                         /* plus */
    };
    fprintf(stream, "<path class=\"mark\" d=\"M%.1f %.1f%s\"/>", x, y, paths[look % SHAPES]);
}

static void begin_look(const bench_plot *plot, size_t look, const char *name, FILE *stream) {
    fprintf(stream, "<g class=\"series c%zu", look % COLOURS);
    if (plot->mark == BENCH_CUMULATIVE) fprintf(stream, " dash%zu", look % DASHES);
    fputs("\" data-name=\"", stream);
    bench_write_escaped(name, stream);
    fputs("\">", stream);
}

void bench_draw_swatch(const bench_plot *plot, size_t look, FILE *stream) {
    const double middle = BENCH_SWATCH_HEIGHT / 2.0;
    begin_look(plot, look, bench_series_name(plot, look), stream);
    if (plot->mark == BENCH_BARS)
        fprintf(stream, "<rect class=\"bar\" width=\"%d\" height=\"%d\"/>", BENCH_SWATCH_WIDTH - 6,
                BENCH_SWATCH_HEIGHT);
    else
        fprintf(stream, "<path class=\"line\" d=\"M0 %.1fH%d\"/>", middle, BENCH_SWATCH_WIDTH - 4);
    if (plot->mark == BENCH_LINES) draw_shape(look, (BENCH_SWATCH_WIDTH - 4) / 2.0, middle, stream);
    fputs("</g>", stream);
}

/* ---- lines ---- */

static void draw_line(const bench_canvas *c, const bench_series *s) {
    bool pen_down = false, stepped = c->plot->mark == BENCH_CUMULATIVE;
    fputs("<path class=\"line\" d=\"", c->stream);
    for (size_t i = 0; i < s->count; i++) {
        bool shown = is_shown(c->plot, s, i);
        if (shown) {
            double x = bench_place(&c->across, s->x[i]), y = bench_place(&c->up, s->y[i]);
            fprintf(c->stream, !pen_down ? "M%.1f %.1f" : stepped ? "H%.1fV%.1f" : "L%.1f %.1f", x, y);
        }
        pen_down = shown;
    }
    fputs("\"/>", c->stream);
}

static void draw_points(const bench_canvas *c, const bench_series *s, size_t look) {
    for (size_t i = 0; i < s->count; i++) {
        if (!is_shown(c->plot, s, i)) continue;
        fputs("<g><title>", c->stream);
        bench_write_escaped(s->name, c->stream);
        fprintf(c->stream, ": %.3g, %.3g</title>", s->x[i], s->y[i]);
        draw_shape(look, bench_place(&c->across, s->x[i]), bench_place(&c->up, s->y[i]), c->stream);
        fputs("</g>", c->stream);
    }
}

/* ---- box plots ---- */

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *sorted, size_t count, double part) {
    double at = part * (double)(count - 1);
    size_t below = (size_t)at;
    return below + 1 < count ? sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below])
                             : sorted[below];
}

/* From the first to the third quartile with the median; whiskers to the outermost values within 1.5 times that, what is
   beyond as rings. */
static void draw_box(const bench_canvas *c, const bench_series *s, size_t row) {
    double *values = bench_allocate(s->count, sizeof *values), y = bench_place(&c->up, (double)row);
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++)
        if (bench_usable(&c->plot->y, s->y[i])) values[count++] = s->y[i];
    qsort(values, count, sizeof *values, by_value);
    if (count) {
        double q1 = quantile(values, count, 0.25), q3 = quantile(values, count, 0.75), reach = 1.5 * (q3 - q1);
        size_t first = 0, last = count - 1;
        while (values[first] < q1 - reach) first++;
        while (values[last] > q3 + reach) last--;
        double a = bench_place(&c->across, q1), b = bench_place(&c->across, q3);
        double middle = bench_place(&c->across, quantile(values, count, 0.5));
        fprintf(c->stream, "<path class=\"line\" d=\"M%.1f %.1fH%.1f\"/>", bench_place(&c->across, values[first]), y,
                bench_place(&c->across, values[last]));
        fprintf(c->stream, "<rect class=\"box\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"8\"/>", a, y - 4,
                fmax(b - a, 1));
        fprintf(c->stream, "<path class=\"median\" d=\"M%.1f %.1fv8\"/>", middle, y - 4);
        for (size_t i = 0; i < count; i++)
            if (i < first || i > last)
                fprintf(c->stream, "<circle class=\"ring\" cx=\"%.1f\" cy=\"%.1f\" r=\"2\"/>",
                        bench_place(&c->across, values[i]), y);
    }
    free(values);
}

/* ---- bars ---- */

/* Sum at an x of the series before this one. */
static double height_below(const bench_canvas *c, const bench_series *s, double x) {
    double sum = 0;
    for (const bench_series *below = c->plot->series; below < s; below++)
        for (size_t i = 0; i < below->count; i++)
            if (is_in(c, below) && below->x[i] == x && isfinite(below->y[i])) sum += below->y[i];
    return sum;
}

static void draw_bars(const bench_canvas *c, const bench_series *s) {
    for (size_t i = 0; i < s->count; i++) {
        if (!isfinite(s->y[i])) continue;
        size_t count, bar = bench_bar_of(c->plot, s->x[i], &count);
        double below = height_below(c, s, s->x[i]), width = (c->across.to - c->across.from) / (double)count;
        double bottom = bench_place(&c->up, below), top = bench_place(&c->up, below + s->y[i]);
        fprintf(c->stream, "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>",
                c->across.from + width * ((double)bar + 0.15), top, 0.7 * width, bottom - top);
        bench_write_escaped(s->name, c->stream);
        fprintf(c->stream, ": %.3g</title></rect>", s->y[i]);
    }
}

void bench_draw_marks(const bench_canvas *c) {
    for (const bench_series *s = c->plot->series; s < c->plot->series + c->plot->series_count; s++) {
        if (!is_in(c, s)) continue;
        size_t look = bench_series_look(c->plot, s);
        begin_look(c->plot, look, s->name, c->stream);
        switch (c->plot->mark) {
        case BENCH_LINES:
            draw_line(c, s);
            draw_points(c, s, look);
            break;
        case BENCH_CUMULATIVE: draw_line(c, s); break;
        case BENCH_BOXES: draw_box(c, s, look); break;
        case BENCH_BARS: draw_bars(c, s); break;
        }
        fputs("</g>\n", c->stream);
    }
}
