/* Figures: their panels, scales and axes. */
#include "bench/report/figure.h"

#include <math.h>
#include <string.h>

void bench_write_escaped(const char *text, FILE *stream) {
    for (; *text; text++) switch (*text) {
        case '&': fputs("&amp;", stream); break;
        case '<': fputs("&lt;", stream); break;
        case '>': fputs("&gt;", stream); break;
        case '"': fputs("&quot;", stream); break;
        default: fputc(*text, stream);
        }
}

static void write_axis_name(const bench_axis *axis, FILE *stream) {
    bench_write_escaped(axis->title, stream);
    if (!axis->unit) return;
    fputs(" (", stream);
    bench_write_escaped(axis->unit, stream);
    fputc(')', stream);
}

void bench_write_axes(const bench_plot *plot, FILE *stream) {
    bool boxes = plot->mark == BENCH_BOXES;
    fputs("across: ", stream);
    write_axis_name(boxes ? &plot->y : &plot->x, stream);
    if (boxes) return;
    fputs("; up: ", stream);
    write_axis_name(&plot->y, stream);
}

/* ---- what is in a figure ---- */

static const char *panel_of(const bench_series *s) { return s->panel; }
static const char *name_of(const bench_series *s) { return s->name; }

/* The text `index` among those that differ. */
static const char *distinct(const bench_plot *plot, const char *(*text)(const bench_series *), size_t index) {
    for (size_t i = 0; i < plot->series_count; i++) {
        size_t before = 0;
        while (before < i && strcmp(text(&plot->series[before]), text(&plot->series[i])) != 0) before++;
        if (before == i && index-- == 0) return text(&plot->series[i]);
    }
    return NULL;
}

const char *bench_panel_name(const bench_plot *plot, size_t index) { return distinct(plot, panel_of, index); }
const char *bench_series_name(const bench_plot *plot, size_t index) { return distinct(plot, name_of, index); }

size_t bench_series_look(const bench_plot *plot, const bench_series *series) {
    size_t look = 0;
    while (strcmp(bench_series_name(plot, look), series->name) != 0) look++;
    return look;
}

bool bench_has_legend(const bench_plot *plot) {
    return plot->mark != BENCH_BOXES && bench_series_name(plot, 1) != NULL;
}

size_t bench_bar_of(const bench_plot *plot, double x, size_t *count) {
    const bench_series *first = &plot->series[0];
    size_t bar = 0;
    while (bar < first->count && first->x[bar] != x) bar++;
    *count = first->count;
    return bar;
}

size_t bench_count_names(const bench_plot *plot, const char *(*name)(const bench_plot *, size_t)) {
    size_t count = 0;
    while (name(plot, count)) count++;
    return count;
}

static bool is_single(const bench_plot *plot) { return bench_panel_name(plot, 1) == NULL; }

/* ---- sizes ---- */

enum { ROW = 15 }; /* of a box plot */

int bench_text_width(const char *text) {
    int letters = 0;
    for (; *text; text++) letters += ((unsigned char)*text & 0xc0) != 0x80;
    return 6 * letters;
}

static int widest_name(const bench_plot *plot) {
    int widest = 0;
    for (size_t i = 0; i < plot->series_count; i++) {
        int width = bench_text_width(plot->series[i].name);
        if (width > widest) widest = width;
    }
    return widest;
}

/* Space around the axes. */
typedef struct margins {
    int left, right, top, bottom;
} margins;

static margins margins_of(const bench_plot *plot) {
    bool single = is_single(plot);
    margins m = {.left = single ? 56 : 38, .right = 14, .top = single ? 8 : 22, .bottom = single ? 36 : 20};
    if (plot->mark == BENCH_BOXES) m.left = 12 + widest_name(plot);
    return m;
}

bench_size bench_panel_size(const bench_plot *plot) {
    bench_size size = is_single(plot) ? (bench_size){520, 300} : (bench_size){250, 160};
    margins m = margins_of(plot);
    if (plot->mark == BENCH_BOXES) {
        size.height = m.top + m.bottom + ROW * (int)bench_count_names(plot, bench_series_name);
        if (size.width < m.left + 160) size.width = m.left + 160;
    }
    return size;
}

/* ---- scales ---- */

bool bench_usable(const bench_axis *axis, double value) { return isfinite(value) && (!axis->log || value > 0); }

double bench_place(const bench_axis_scale *s, double value) {
    double x = s->log ? log10(value) : value;
    return s->from + (s->to - s->from) * (x - s->low) / (s->high - s->low);
}

/* A round step so that there are about `ticks` of them. */
static double round_step(double span, int ticks) {
    double raw = span / ticks, power = pow(10, floor(log10(raw))), part = raw / power;
    return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

static void include(bench_axis_scale *s, double value) {
    if (s->log) value = log10(value);
    s->low = fmin(s->low, value);
    s->high = fmax(s->high, value);
}

/* Whole decades; heights from zero to a round number. */
static void round_scale(bench_axis_scale *s, bool height) {
    if (!(s->low <= s->high)) s->low = 0, s->high = 1;
    if (s->log) {
        s->low = floor(s->low + 1e-9);
        s->high = ceil(s->high - 1e-9);
    } else if (height) {
        s->low = fmin(s->low, 0);
        double step = round_step(s->high > s->low ? s->high - s->low : 1, 5);
        s->high = step * ceil(s->high / step - 1e-9);
    }
    if (!(s->high > s->low)) s->high = s->low + 1;
}

/* The height of the bar at an x, all series of the panel together. */
static double bar_height(const bench_plot *plot, const char *panel, double x) {
    double sum = 0;
    for (size_t s = 0; s < plot->series_count; s++)
        for (size_t i = 0; i < plot->series[s].count; i++)
            if (strcmp(plot->series[s].panel, panel) == 0 && plot->series[s].x[i] == x &&
                isfinite(plot->series[s].y[i]))
                sum += plot->series[s].y[i];
    return sum;
}

/* The values of an axis over all panels. */
static bench_axis_scale find_scale(const bench_plot *plot, bool height) {
    bench_axis_scale scale = {.low = INFINITY, .high = -INFINITY, .log = height ? plot->y.log : plot->x.log};
    for (size_t k = 0; k < plot->series_count; k++) {
        const bench_series *s = &plot->series[k];
        for (size_t i = 0; i < s->count; i++) {
            if (!bench_usable(&plot->x, s->x[i]) || !bench_usable(&plot->y, s->y[i])) continue;
            bool stacked = height && plot->mark == BENCH_BARS;
            include(&scale, stacked ? bar_height(plot, s->panel, s->x[i]) : height ? s->y[i] : s->x[i]);
        }
    }
    round_scale(&scale, height);
    return scale;
}

/* ---- axes ---- */

static void tick_text(double value, bool log, char *text, size_t size) {
    if (!log)
        snprintf(text, size, "%g", value);
    else if (value >= -3 && value <= 4)
        snprintf(text, size, "%g", pow(10, value));
    else
        snprintf(text, size, "1e%d", (int)value);
}

static void draw_tick(const bench_canvas *c, bool vertical, double at, const char *text) {
    const bench_axis_scale *other = vertical ? &c->across : &c->up;
    if (vertical)
        fprintf(c->stream, "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/><text x=\"%.1f\" y=\"%.1f\" class=\"end\">",
                other->from, at, other->to, other->from - 5, at + 3.5);
    else
        fprintf(c->stream, "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/><text x=\"%.1f\" y=\"%.1f\" class=\"middle\">",
                at, other->from, other->to, at, other->from + 13);
    bench_write_escaped(text, c->stream);
    fputs("</text>\n", c->stream);
}

/* Numbers of threads and of steps have nothing between them. */
static bool has_whole_x(const bench_plot *plot) {
    for (size_t s = 0; s < plot->series_count; s++)
        for (size_t i = 0; i < plot->series[s].count; i++)
            if (plot->series[s].x[i] != floor(plot->series[s].x[i])) return false;
    return true;
}

static void draw_ticks(const bench_canvas *c, bool vertical) {
    const bench_axis_scale *s = vertical ? &c->up : &c->across;
    int most = (int)(fabs(s->to - s->from) / (vertical ? 26 : 44));
    double span = s->high - s->low, step = s->log ? fmax(1, ceil(span / most)) : round_step(span, most);
    if (!vertical && c->plot->mark != BENCH_BOXES && has_whole_x(c->plot)) step = fmax(step, 1);
    for (double v = ceil(s->low / step - 1e-9) * step; v <= s->high + 1e-9 * step; v += step) {
        char text[32];
        tick_text(fabs(v) < 1e-9 * step ? 0 : v, s->log, text, sizeof text);
        draw_tick(c, vertical, bench_place(s, s->log ? pow(10, v) : v), text);
    }
}

/* Names in place of numbers: of box plots upwards, of bars across. */
static void draw_names(const bench_canvas *c) {
    if (c->plot->mark == BENCH_BOXES)
        for (size_t i = 0; bench_series_name(c->plot, i); i++)
            draw_tick(c, true, bench_place(&c->up, (double)i), bench_series_name(c->plot, i));
    const bench_series *first = &c->plot->series[0];
    for (size_t i = 0; c->plot->mark == BENCH_BARS && i < first->count; i++) {
        char text[32];
        snprintf(text, sizeof text, "%g", first->x[i]);
        draw_tick(c, false, c->across.from + (c->across.to - c->across.from) * ((double)i + 0.5) / (double)first->count,
                  text);
    }
}

/* A figure of one panel has the names of its axes beside them. */
static void draw_axis_names(const bench_canvas *c, bench_size size) {
    const bench_axis *across = c->plot->mark == BENCH_BOXES ? &c->plot->y : &c->plot->x;
    fprintf(c->stream, "<text class=\"axis middle\" x=\"%.1f\" y=\"%d\">", (c->across.from + c->across.to) / 2,
            size.height - 6);
    write_axis_name(across, c->stream);
    fputs("</text>\n", c->stream);
    if (c->plot->mark == BENCH_BOXES) return;
    fprintf(c->stream, "<text class=\"axis middle\" transform=\"translate(12 %.1f) rotate(-90)\">",
            (c->up.from + c->up.to) / 2);
    write_axis_name(&c->plot->y, c->stream);
    fputs("</text>\n", c->stream);
}

/* ---- panels ---- */

static bench_canvas make_canvas(const bench_plot *plot, const char *panel, FILE *stream) {
    bench_canvas c = {plot, panel, find_scale(plot, false), find_scale(plot, true), stream};
    bench_size size = bench_panel_size(plot);
    margins m = margins_of(plot);
    if (plot->mark == BENCH_BOXES) { /* values across, a row for each name */
        c.across = c.up;
        c.up = (bench_axis_scale){.low = (double)bench_count_names(plot, bench_series_name) - 0.5, .high = -0.5};
    }
    c.across.from = m.left;
    c.across.to = size.width - m.right;
    c.up.from = size.height - m.bottom;
    c.up.to = m.top;
    return c;
}

void bench_draw_panel(const bench_plot *plot, const char *panel, FILE *stream) {
    bench_canvas c = make_canvas(plot, panel, stream);
    draw_names(&c);
    if (plot->mark != BENCH_BARS) draw_ticks(&c, false);
    if (plot->mark != BENCH_BOXES) draw_ticks(&c, true);
    if (is_single(plot)) {
        draw_axis_names(&c, bench_panel_size(plot));
    } else {
        fprintf(stream, "<text class=\"panel\" x=\"%.1f\" y=\"13\">", c.across.from);
        bench_write_escaped(panel, stream);
        fputs("</text>\n", stream);
    }
    bench_draw_marks(&c);
}
