/* The parts of the suite `narrow`: one for each table or figure. */
#ifndef GRAZE_BENCH_NARROW_NARROW_H
#define GRAZE_BENCH_NARROW_NARROW_H

#include "bench/narrow/measure.h"
#include "bench/narrow/methods.h"

/* Answers of each method on each set, for the tables and plots that look at them from several sides. */
typedef struct bench_narrow_run {
    const bench_settings *settings;
    bench_report *report;
    const bench_data *data;
    bench_effort effort;
    bench_answers answers[BENCH_METHODS][BENCH_GROUPS][2];
    size_t planned, done; /* units of work, for the progress bar */
} bench_narrow_run;

/* Says what is under way and counts a unit of work as begun. */
void bench_narrow_tick(bench_narrow_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Each returns false with the error set; a stop is no error. */
bool bench_narrow_methods(bench_narrow_run *run, io_error *error); /* table 1, and false answers by source */
bool bench_narrow_brought(bench_narrow_run *run, io_error *error); /* promises of what the user brought */
bool bench_narrow_batch(bench_narrow_run *run, io_error *error);   /* every candidate of a scene in one call */
void bench_narrow_times(bench_narrow_run *run);                    /* figure 7 */
void bench_narrow_toi(bench_narrow_run *run);                      /* figure 7 of the scalable CCD paper */
bool bench_narrow_sweeps(bench_narrow_run *run, io_error *error);  /* figures 8, 9, 15 */
size_t bench_narrow_sweep_units(const bench_narrow_run *run);

/* Counts of log10 of values in bins of an eighth of a decade, as a series of what is below each, in percent. */
typedef struct bench_histogram {
    int first; /* eighths of a decade */
    size_t bins;
    uint64_t *counts;
    uint64_t total;
} bench_histogram;
enum { BENCH_BINS_A_DECADE = 8 };
void bench_histogram_begin(bench_histogram *histogram, int first_decade, int decades);
void bench_histogram_add(bench_histogram *histogram, double value); /* what lies outside goes to the outer bins */
/* Adds the series and releases the counts; `plot` may be NULL. */
void bench_histogram_end(bench_histogram *histogram, bench_plot *plot, const char *panel, const char *name);
/* Cuts off both ends where no series rises. The series have the same bins. */
void bench_histograms_trim(bench_plot *plot);

#endif
