/* A plot as SVG: for print, and for pages without the interactive plots. */
#include "bench/report.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 720, HEIGHT = 340, LEFT = 70, RIGHT = 16, TOP = 12, BOTTOM = 52 };

void bench_write_escaped(const char *text, FILE *stream) {
    for (; *text; text++) switch (*text) {
        case '&': fputs("&amp;", stream); break;
        case '<': fputs("&lt;", stream); break;
        case '>': fputs("&gt;", stream); break;
        case '"': fputs("&quot;", stream); break;
        default: fputc(*text, stream);
        }
}

/* From values to places between 0 and 1. */
typedef struct scale {
    double low, high; /* of the value, or of its log10 */
    bool log;
} scale;

static bool usable(const bench_axis *axis, double value) { return isfinite(value) && (!axis->log || value > 0); }

static double place(const scale *s, double value) {
    double x = s->log ? log10(value) : value;
    return (x - s->low) / (s->high - s->low);
}

static double x_of(const scale *s, double value) { return LEFT + (WIDTH - LEFT - RIGHT) * place(s, value); }
static double y_of(const scale *s, double value) { return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * place(s, value); }

/* A round step so that there are about `ticks` of them. */
static double round_step(double span, int ticks) {
    double raw = span / ticks, power = pow(10, floor(log10(raw))), part = raw / power;
    return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

static scale find_scale(const bench_plot *plot, bool vertical) {
    const bench_axis *axis = vertical ? &plot->y : &plot->x;
    scale s = {INFINITY, -INFINITY, axis->log};
    for (size_t i = 0; i < plot->series_count; i++)
        for (size_t k = 0; k < plot->series[i].count; k++) {
            double x = plot->series[i].x[k], y = plot->series[i].y[k];
            if (!usable(&plot->x, x) || !usable(&plot->y, y)) continue;
            double value = vertical ? y : x;
            if (s.log) value = log10(value);
            s.low = fmin(s.low, value);
            s.high = fmax(s.high, value);
        }
    if (!(s.low <= s.high)) s.low = 0, s.high = 1;
    if (s.log) {
        s.low = floor(s.low + 1e-9);
        s.high = ceil(s.high - 1e-9);
    } else if (vertical) {
        s.low = fmin(s.low, 0);
        double step = round_step(s.high > s.low ? s.high - s.low : 1, 5);
        s.high = step * ceil(s.high / step - 1e-9);
    }
    if (!(s.high > s.low)) s.high = s.low + 1;
    return s;
}

static void tick_text(double value, bool log, char *text, size_t size) {
    if (!log) {
        snprintf(text, size, "%g", value);
        return;
    }
    if (value >= -3 && value <= 4)
        snprintf(text, size, "%g", pow(10, value));
    else
        snprintf(text, size, "1e%d", (int)value);
}

static void write_axis(const bench_plot *plot, const scale *s, bool vertical, FILE *stream) {
    double step = s->log ? fmax(1, ceil((s->high - s->low) / 9)) : round_step(s->high - s->low, vertical ? 5 : 8);
    for (double v = ceil(s->low / step - 1e-9) * step; v <= s->high + 1e-9 * step; v += step) {
        double value = s->log ? pow(10, v) : v;
        char text[32];
        tick_text(fabs(v) < 1e-12 ? 0 : v, s->log, text, sizeof text);
        if (vertical)
            fprintf(stream,
                    "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
                    "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                    LEFT, WIDTH - RIGHT, y_of(s, value), y_of(s, value), LEFT - 6, y_of(s, value) + 4, text);
        else
            fprintf(stream,
                    "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>"
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                    x_of(s, value), x_of(s, value), TOP, HEIGHT - BOTTOM, x_of(s, value), HEIGHT - BOTTOM + 17, text);
    }
    const bench_axis *axis = vertical ? &plot->y : &plot->x;
    if (vertical)
        fprintf(stream, "<text class=\"axis\" transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">",
                (TOP + HEIGHT - BOTTOM) / 2);
    else
        fprintf(stream, "<text class=\"axis\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + WIDTH - RIGHT) / 2,
                HEIGHT - 10);
    bench_write_escaped(axis->title, stream);
    if (axis->unit) {
        fputs(" (", stream);
        bench_write_escaped(axis->unit, stream);
        fputc(')', stream);
    }
    fputs("</text>\n", stream);
}

static void write_series(const bench_plot *plot, size_t index, const scale *sx, const scale *sy, FILE *stream) {
    const bench_series *series = &plot->series[index];
    bool histogram = plot->mark == BENCH_HISTOGRAM, pen_down = false;
    fprintf(stream, "<path class=\"line s%zu%s\" d=\"", index % 10, index >= 10 ? " dashed" : "");
    for (size_t k = 0; k < series->count; k++) {
        if (!usable(&plot->x, series->x[k]) || !usable(&plot->y, series->y[k])) {
            pen_down = false;
            continue;
        }
        double x = x_of(sx, series->x[k]), y = y_of(sy, series->y[k]);
        if (!pen_down)
            fprintf(stream, "M%.1f %.1f", x, y);
        else if (histogram)
            fprintf(stream, "H%.1fV%.1f", x, y);
        else
            fprintf(stream, "L%.1f %.1f", x, y);
        pen_down = true;
    }
    fputs("\"/>\n", stream);
    if (histogram) return;
    for (size_t k = 0; k < series->count; k++)
        if (usable(&plot->x, series->x[k]) && usable(&plot->y, series->y[k]))
            fprintf(stream, "<circle class=\"dot s%zu\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>\n", index % 10,
                    x_of(sx, series->x[k]), y_of(sy, series->y[k]));
}

void bench_write_svg(const bench_plot *plot, FILE *stream) {
    scale sx = find_scale(plot, false), sy = find_scale(plot, true);
    fprintf(stream, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDTH, HEIGHT);
    bench_write_escaped(plot->title, stream);
    fputs("\">\n", stream);
    write_axis(plot, &sx, false, stream);
    write_axis(plot, &sy, true, stream);
    for (size_t i = 0; i < plot->series_count; i++) write_series(plot, i, &sx, &sy, stream);
    fputs("</svg>\n", stream);
}
