/* Findings of a report, said in a few sentences at its top. */
#ifndef GRAZE_BENCH_REPORT_HEADLINES_H
#define GRAZE_BENCH_REPORT_HEADLINES_H

#include "bench/report/report.h"

/* Adds the sentences of all suites whose tables are there. */
void bench_add_headlines(bench_report *report);

/* NULL when there is none. */
const bench_table *bench_find_table(const bench_report *report, const char *id);

/* The numbers of a column in the rows whose column `key` holds that text; of all rows where `key` is NULL. None where
   the table lacks either column. */
typedef struct bench_range {
    double least, largest, sum;
    size_t count;
} bench_range;
bench_range bench_column_range(const bench_table *table, const char *id, const char *key, const char *value);

#endif
