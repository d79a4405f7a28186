/* Findings of a report, in a sentence or two for each suite: read from its tables, and true of what is in them
   alone. */
#include "bench/report/headlines.h"

#include "graze/graze.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

const bench_table *bench_find_table(const bench_report *report, const char *id) {
    for (size_t i = 0; i < report->item_count; i++)
        if (report->items[i].table && strcmp(report->items[i].table->id, id) == 0) return report->items[i].table;
    return NULL;
}

/* The number of columns where there is none of that name. */
static size_t column_of(const bench_table *table, const char *id) {
    size_t column = 0;
    while (column < table->column_count && strcmp(table->columns[column].id, id) != 0) column++;
    return column;
}

bench_range bench_column_range(const bench_table *table, const char *id, const char *key, const char *value) {
    bench_range range = {.least = INFINITY, .largest = -INFINITY};
    if (!table) return range;
    size_t numbers = column_of(table, id), keys = key ? column_of(table, key) : 0;
    if (numbers == table->column_count || keys == table->column_count) return range;
    for (size_t r = 0; r < table->row_count; r++) {
        const bench_cell *cell = bench_cell_at(table, r, numbers);
        if (cell->kind != BENCH_NUMBER && cell->kind != BENCH_COUNT) continue;
        if (key && strcmp(bench_cell_at(table, r, keys)->text, value) != 0) continue;
        range.least = fmin(range.least, cell->number);
        range.largest = fmax(range.largest, cell->number);
        range.sum += cell->number;
        range.count++;
    }
    return range;
}

/* ---- text ---- */

typedef struct sentence {
    char text[600];
    size_t used;
} sentence;

static void say(sentence *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(sentence *s, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(s->text + s->used, sizeof s->text - s->used, format, arguments);
    va_end(arguments);
    if (length > 0) s->used += (size_t)length;
    if (s->used >= sizeof s->text) s->used = sizeof s->text - 1;
}

/* "0 pairs", "1 pair" */
static void say_count(sentence *s, double count, const char *what) {
    say(s, "%.0f %s%s", count, what, count == 1 ? "" : "s");
}

/* "0.4 to 12" */
static void say_range(sentence *s, bench_range range) {
    if (range.count > 1 && range.largest > range.least)
        say(s, "%.3g to %.3g", range.least, range.largest);
    else
        say(s, "%.3g", range.least);
}

/* ---- narrow ---- */

static const char *const sets[] = {"handcrafted-vf", "handcrafted-ee", "simulation-vf", "simulation-ee"};
enum { SETS = 4, SIMULATION = 2 };

/* The sum of a column over all sets, for one method. */
static bench_range of_method(const bench_report *report, const char *prefix, const char *column, const char *method,
                             int first) {
    bench_range all = {0};
    for (int i = first; i < SETS; i++) {
        char id[60];
        snprintf(id, sizeof id, "%s%s", prefix, sets[i]);
        bench_range one = bench_column_range(bench_find_table(report, id), column, "method", method);
        all.sum += one.sum;
        all.count += one.count;
    }
    return all;
}

static void add_missed(bench_report *report) {
    sentence none = {.used = 0}, some = {.used = 0};
    for (int m = 1; graze_method_get((graze_method)m); m++) {
        const char *name = graze_method_get((graze_method)m)->name;
        bench_range missed = of_method(report, "", "false_negatives", name, 0);
        if (missed.count == 0) continue;
        sentence *s = missed.sum > 0 ? &some : &none;
        say(s, "%s%s", s->used ? ", " : "", name);
        if (missed.sum > 0) say(s, " (%.0f)", missed.sum);
    }
    if (none.used) bench_add_headline(report, "On these queries no contact is missed by %s.", none.text);
    if (some.used) bench_add_headline(report, "Contacts are missed by %s: the number in brackets.", some.text);
}

/* Means of some methods, of the rows of one or of all tables: "certified 0.019 µs, exact …"; nothing where none has
   been measured. */
static sentence speeds(bench_range (*of)(const bench_report *report, const char *name), const bench_report *report) {
    static const graze_method shown[] = {GRAZE_METHOD_CERTIFIED, GRAZE_METHOD_EXACT, GRAZE_METHOD_TI,
                                         GRAZE_METHOD_ACCD};
    sentence s = {.used = 0};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        const char *name = graze_method_get(shown[i])->name;
        bench_range mean = of(report, name);
        if (mean.count) say(&s, "%s%s %.3g µs", s.used ? ", " : "", name, mean.sum / (double)mean.count);
    }
    return s;
}

static bench_range of_batches(const bench_report *report, const char *name) {
    return bench_column_range(bench_find_table(report, "scenes"), "us_pair", "method", name);
}

static bench_range of_calls(const bench_report *report, const char *name) {
    return of_method(report, "", "mean_us", name, SIMULATION);
}

/* Batches first: steps and solvers have many pairs. */
static void add_speed(bench_report *report) {
    sentence batch = speeds(of_batches, report), call = speeds(of_calls, report);
    if (batch.used) bench_add_headline(report, "In batches a candidate of a scene takes %s.", batch.text);
    if (call.used)
        bench_add_headline(report, "In a call of its own a simulation query takes %s in the mean.", call.text);
}

/* ---- the other suites ---- */

static void add_separation(bench_report *report) {
    static const graze_method shown[] = {GRAZE_METHOD_CERTIFIED, GRAZE_METHOD_EXACT};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        const char *name = graze_method_get(shown[i])->name;
        bench_range missed = of_method(report, "separation-", "false_negatives", name, 0);
        bench_range alarms = of_method(report, "separation-", "false_positives", name, 0);
        if (!missed.count || !alarms.count) continue;
        sentence s = {.used = 0};
        say(&s, "With separations from 0 to 1e-2 %s misses ", name);
        say_count(&s, missed.sum, "contact");
        say(&s, " and raises ");
        say_count(&s, alarms.sum, "false alarm");
        bench_add_headline(report, "%s.", s.text);
    }
}

static void add_agreement(bench_report *report) {
    const bench_table *table = bench_find_table(report, "agreement");
    if (!table) return;
    bench_range queries = bench_column_range(table, "queries", NULL, NULL),
                missed = bench_column_range(table, "certified_missed", NULL, NULL),
                late = bench_column_range(table, "certified_late", NULL, NULL),
                differ = bench_column_range(table, "exact_disagreements", NULL, NULL);
    if (!queries.count || !missed.count || !late.count || !differ.count) return;
    sentence s = {.used = 0};
    say(&s, "On %.0f queries certified misses ", queries.sum);
    say_count(&s, missed.sum, "contact");
    say(&s, " and is late %.0f times; exact disagrees with the oracle ", late.sum);
    say_count(&s, differ.sum, "time");
    bench_add_headline(report, "%s.", s.text);
}

static void add_safe(bench_report *report) {
    const bench_table *table = bench_find_table(report, "safe-verdicts");
    if (!table) return;
    bench_range missed = bench_column_range(table, "false_negatives", "variant", "safe");
    bench_range contacts = bench_column_range(table, "contacts", "variant", "safe");
    bench_range over = bench_column_range(bench_find_table(report, "safe-times"), "overhead_percent", NULL, NULL);
    if (!missed.count || !contacts.count || !over.count) return;
    bench_add_headline(report, "safe misses %.0f of %.0f contacts, and takes %.3g to %.3g %% longer than provot.",
                       missed.sum, contacts.sum, over.least, over.largest);
}

static void add_broad(bench_report *report) {
    const bench_table *table = bench_find_table(report, "broad-scenes");
    if (!table || table->row_count == 0) return;
    bench_range bvh = bench_column_range(table, "ms_all", "broad", "bvh"), next = {.least = INFINITY};
    for (int b = 0; graze_broad_name((graze_broad)b); b++)
        if (b != GRAZE_BROAD_BVH)
            next.least = fmin(next.least,
                              bench_column_range(table, "bvh_ratio", "broad", graze_broad_name((graze_broad)b)).least);
    bench_range pairs = bench_column_range(table, "missing", NULL, NULL),
                contacts = bench_column_range(table, "contacts_missing", NULL, NULL);
    if (!bvh.count || !pairs.count || !contacts.count) return;
    sentence s = {.used = 0};
    say_count(&s, (double)bvh.count, "scene");
    say(&s, ": ");
    say_count(&s, pairs.sum, "pair");
    say(&s, " and ");
    say_count(&s, contacts.sum, "contact");
    say(&s, " missing in all broad phases together. bvh takes ");
    say_range(&s, bvh);
    if (isfinite(next.least))
        say(&s, " ms, the others %.2g times that or more", next.least);
    else
        say(&s, " ms");
    bench_add_headline(report, "%s.", s.text);
}

static void add_step(bench_report *report) {
    bench_range times = bench_column_range(bench_find_table(report, "step-modes"), "ms_all", "mode", "earliest"),
                differences =
                    bench_column_range(bench_find_table(report, "step-differences"), "differences", NULL, NULL);
    if (!times.count) return;
    sentence s = {.used = 0};
    say(&s, "The earliest impact takes ");
    say_range(&s, times);
    say(&s, " ms");
    bench_range ti = bench_column_range(bench_find_table(report, "step-unfused"), "ratio", "method", "ti");
    if (ti.count) {
        say(&s, "; candidates, then ti, ");
        say_range(&s, ti);
        say(&s, " times that");
    }
    if (differences.count) {
        say(&s, ". Between numbers of threads, instruction sets and broad phases ");
        say_count(&s, differences.sum, "answer");
        say(&s, " differ");
    }
    bench_add_headline(report, "%s.", s.text);
}

static void add_articulated(bench_report *report) {
    const bench_table *table = bench_find_table(report, "articulated_times");
    bench_range times = bench_column_range(table, "ms_mean", NULL, NULL),
                unresolved = bench_column_range(table, "unresolved", NULL, NULL);
    if (!times.count || !unresolved.count) return;
    sentence s = {.used = 0};
    say(&s, "A motion takes ");
    say_range(&s, times);
    say(&s, " ms in the mean, ");
    say_count(&s, unresolved.sum, "motion");
    say(&s, " unresolved");
    bench_add_headline(report, "%s.", s.text);
}

static void add_sim(bench_report *report) {
    const bench_table *table = bench_find_table(report, "sim-ccd");
    bench_range crossings = bench_column_range(table, "intersections", NULL, NULL),
                ratios = bench_column_range(table, "ccd_ratio", NULL, NULL);
    if (!crossings.count || !ratios.count) return;
    sentence s = {.used = 0};
    say_count(&s, (double)table->row_count, "scene");
    say(&s, " simulated with ");
    say_count(&s, crossings.sum, "intersection");
    say(&s, "; collision detection is ");
    say_range(&s, ratios);
    say(&s, " times as fast as hash + ti");
    bench_add_headline(report, "%s.", s.text);
}

void bench_add_headlines(bench_report *report) {
    add_missed(report);
    add_speed(report);
    add_separation(report);
    add_agreement(report);
    add_safe(report);
    add_broad(report);
    add_step(report);
    add_articulated(report);
    add_sim(report);
}
