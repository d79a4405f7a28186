/* Findings of a benchmark, apart from how they are shown: headlines, then tables and figures under headings, in order.
 *
 * Suites fill a report, the writers (report_html.c, report_text.c, report_data.c, figure.c) show it. Texts are copied.
 * The benchmarks are part of the program: where memory runs out they say so and exit 2. */
#ifndef GRAZE_BENCH_REPORT_REPORT_H
#define GRAZE_BENCH_REPORT_REPORT_H

#include "io/error.h"

#include <stdint.h>
#include <stdio.h>

/* ---- cells and tables ---- */

typedef enum bench_cell_kind { BENCH_NONE = 0, BENCH_TEXT, BENCH_NUMBER, BENCH_COUNT } bench_cell_kind;

typedef struct bench_cell {
    bench_cell_kind kind; /* NONE: not known, or it does not apply */
    double number;
    uint64_t count;
    char *text;
} bench_cell;

typedef struct bench_column {
    const char *id;    /* "mean_us": in CSV and JSON */
    const char *title; /* "mean": where people read */
    const char *unit;  /* "µs"; NULL: none */
} bench_column;

typedef struct bench_table {
    char *id, *title, *note;     /* note may be NULL */
    const bench_column *columns; /* borrowed: a static array */
    size_t column_count, row_count, row_capacity;
    bench_cell *cells; /* row by row */
} bench_table;

/* ---- figures ---- */

typedef enum bench_mark {
    BENCH_LINES = 0,  /* points with lines between them */
    BENCH_CUMULATIVE, /* y holds from x to the next x */
    BENCH_BOXES,      /* a box plot of the y of each series; x tells them apart */
    BENCH_BARS,       /* the series upon each other, a bar for each x */
} bench_mark;

typedef struct bench_axis {
    const char *title, *unit; /* borrowed; unit may be NULL */
    bool log;                 /* decades; values that are not positive are left out */
} bench_axis;

typedef struct bench_series {
    char *panel, *name; /* series of one panel are drawn together; the same name looks the same in all of them */
    double *x, *y;      /* a y that is not finite is a gap */
    size_t count, capacity;
} bench_series;

typedef struct bench_plot {
    char *id, *title, *note;
    const char *paper; /* "Scalable CCD, figure 5": what it answers to; borrowed, may be NULL */
    bench_axis x, y;   /* of all panels */
    bench_mark mark;
    bench_series *series;
    size_t series_count, series_capacity;
} bench_plot;

/* ---- the report ---- */

typedef struct bench_item {
    char *heading; /* one of the three is set */
    bench_table *table;
    bench_plot *plot;
} bench_item;

typedef struct bench_fact {
    char *name, *value;
} bench_fact;

typedef struct bench_report {
    char *name;       /* "narrow": its files are called bench-narrow-… */
    char **headlines; /* what was found, in a sentence each */
    size_t headline_count, headline_capacity;
    bench_fact *facts; /* machine, commit, seed, … */
    size_t fact_count;
    bench_item *items;
    size_t item_count, item_capacity;
    bench_fact *records; /* objects of JSON for programs, in lists by name, in order */
    size_t record_count, record_capacity;
    bool interrupted; /* ended early: what is there is true, but not all */
} bench_report;

void bench_report_begin(bench_report *report, const char *name);
void bench_report_free(bench_report *report);

void bench_add_headline(bench_report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));

void bench_add_fact(bench_report *report, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* An object of JSON at the end of the list `name` of the report's JSON. Records of one list are added in a row. */
void bench_add_record(bench_report *report, const char *name, const char *json);
void bench_add_heading(bench_report *report, const char *text);
bench_table *bench_add_table(bench_report *report, const char *id, const char *title, const char *note,
                             const bench_column *columns, size_t column_count);
/* A plot that no series comes to is shown nowhere. */
bench_plot *bench_add_plot(bench_report *report, const char *id, const char *title, const char *note, bench_mark mark,
                           bench_axis x, bench_axis y);
/* Valid until the next series is added. `panel` may be NULL: a figure of one panel. */
bench_series *bench_add_series(bench_plot *plot, const char *panel, const char *name);
void bench_add_point(bench_series *series, double x, double y);

/* An empty row; its cells are valid until the next one is added. */
bench_cell *bench_add_row(bench_table *table);
bench_cell bench_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
bench_cell bench_number(double x); /* NONE for what is not finite */
bench_cell bench_count(uint64_t n);
const bench_cell *bench_cell_at(const bench_table *table, size_t row, size_t column);

bool bench_is_number_column(const bench_table *table, size_t column); /* no text in it */

/* The cell as people read it: four digits, thousands grouped by thin spaces; "–" for NONE. */
void bench_cell_text(const bench_cell *cell, char *text, size_t size);

/* ---- writers ---- */

/* The file beside the page that holds a table or a figure, or the report itself where `id` is NULL: in fresh memory. */
char *bench_file_name(const bench_report *report, const char *id, const char *suffix);

/* A text as JSON has it, with its quotation marks; cut where it is too long. */
void bench_json_text(const char *text, char *out, size_t size);
/* One object on one line: facts, tables, figures, records. */
void bench_write_json(const bench_report *report, FILE *stream);
/* A header line and the rows of a table, or the points of a figure with their panel and series; machine, instruction
   set and commit at the end of each row. */
void bench_write_csv(const bench_report *report, const bench_item *item, FILE *stream);
void bench_write_markdown(const bench_report *report, FILE *stream);
/* One page that needs nothing else. */
void bench_write_html(const bench_report *report, FILE *stream);
/* Headlines, and tables in columns for a terminal. */
void bench_write_text(const bench_report *report, FILE *stream);
/* A figure as a file of its own, with title, legend and style. */
void bench_write_svg(const bench_plot *plot, FILE *stream);
/* Text for HTML and SVG, with & < > " replaced. */
void bench_write_escaped(const char *text, FILE *stream);

/* ---- memory ---- */

/* Zeroed memory, or exit 2. */
void *bench_allocate(size_t count, size_t size);
void *bench_grow(void *block, size_t count, size_t *capacity, size_t size); /* room for one more than `count` */
char *bench_copy(const char *text);

#endif
