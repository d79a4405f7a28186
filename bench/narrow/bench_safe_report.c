/* Report of graze bench safe. */
#include "bench/narrow/bench_safe.h"

#include <math.h>

static double per(double a, uint64_t n) { return n ? a / (double)n : NAN; }
static double percent(uint64_t part, uint64_t whole) { return 100 * per((double)part, whole); }

static double nanoseconds(const safe_row *row, int variant) {
    return per(1e9 * row->seconds[variant], row->set->count);
}

static double overhead(const safe_row *row, int with, int without) {
    return row->seconds[without] > 0 ? 100 * (row->seconds[with] / row->seconds[without] - 1) : NAN;
}

/* The first two cells of every row. */
static bench_cell *begin_row(bench_table *table, const safe_row *row) {
    bench_cell *cells = bench_add_row(table);
    cells[0] = bench_text("%s", row->set->name);
    cells[1] = bench_text("%s", graze_kind_name(row->set->kind));
    return cells;
}

#define COLUMNS(list) list, sizeof list / sizeof *list
#define SET_COLUMNS                                                                                                    \
    {"set", "queries", NULL}, { "kind", "kind", NULL }

/* ---- times ---- */

static const bench_column time_columns[] = {
    SET_COLUMNS,
    {"tests", "tests", NULL},
    {"candidates", "sampled from", NULL},
    {"provot_ns", "provot", "ns"},
    {"safe_ns", "safe", "ns"},
    {"overhead_percent", "safe over provot", "%"},
    {"provot_no_planes_ns", "provot, no planes", "ns"},
    {"safe_no_planes_ns", "safe, no planes", "ns"},
    {"overhead_no_planes_percent", "safe over provot, no planes", "%"},
    {"safe_no_edge_cull_ns", "safe, all edge tests", "ns"},
    {"safe_toi_ns", "safe with its time of impact", "ns"},
    {"safe_scene_bound_ns", "safe, one B for the set", "ns"},
    {"safe_f32_ns", "safe in float", "ns"},
};

static void add_times(bench_report *report, const safe_row *rows, int count) {
    bench_table *table = bench_add_table(report, "safe-times", "The cubic test: time of a test on one core",
                                         "The verdict alone, unless the time of impact is named. Processor time.",
                                         COLUMNS(time_columns));
    double basic = 0, full = 0, toi = 0;
    uint64_t tests = 0;
    for (int i = 0; i < count; i++) {
        const safe_row *r = &rows[i];
        bench_cell *row = begin_row(table, r);
        row[2] = bench_count(r->set->count);
        row[3] = bench_count(r->set->candidates);
        row[4] = bench_number(nanoseconds(r, SAFE_BASIC));
        row[5] = bench_number(nanoseconds(r, SAFE_FULL));
        row[6] = bench_number(overhead(r, SAFE_FULL, SAFE_BASIC));
        row[7] = bench_number(nanoseconds(r, SAFE_BASIC_PLANELESS));
        row[8] = bench_number(nanoseconds(r, SAFE_PLANELESS));
        row[9] = bench_number(overhead(r, SAFE_PLANELESS, SAFE_BASIC_PLANELESS));
        row[10] = bench_number(nanoseconds(r, SAFE_EDGES));
        row[11] = bench_number(nanoseconds(r, SAFE_TOI));
        row[12] = bench_number(nanoseconds(r, SAFE_SCENE));
        row[13] = bench_number(nanoseconds(r, SAFE_F32));
        if (!r->set->cloth) continue;
        basic += r->seconds[SAFE_BASIC];
        full += r->seconds[SAFE_FULL];
        toi += r->seconds[SAFE_TOI];
        tests += r->set->count;
    }
    if (tests == 0) return;
    bench_cell *row = bench_add_row(table);
    row[0] = bench_text("all cloth");
    row[1] = bench_text("both");
    row[2] = bench_count(tests);
    row[4] = bench_number(1e9 * per(basic, tests));
    row[5] = bench_number(1e9 * per(full, tests));
    row[6] = bench_number(100 * (full / basic - 1));
    row[11] = bench_number(1e9 * per(toi, tests));
}

/* ---- culls ---- */

static const bench_column cull_columns[] = {
    SET_COLUMNS,
    {"planes_percent", "ended by planes", "%"},
    {"too_far_percent", "ended by distance", "%"},
    {"no_root_percent", "no root", "%"},
    {"edge_tests", "edge tests", NULL},
    {"edge_tests_run", "of them run", NULL},
    {"culled_percent", "culled", "%"},
    {"edge_hits", "hits of edge tests", NULL},
    {"edge_hits_denied", "of them taken back", NULL},
};

static void add_culls(bench_report *report, const safe_row *rows, int count) {
    bench_table *table =
        bench_add_table(report, "safe-culls", "The cubic test: what the culls end", NULL, COLUMNS(cull_columns));
    for (int i = 0; i < count; i++) {
        const gz_safe_counts *c = &rows[i].counts[SAFE_FULL];
        bench_cell *row = begin_row(table, &rows[i]);
        row[2] = bench_number(percent(c->plane_culled, c->tests));
        row[3] = bench_number(percent(c->bound_culled, c->tests));
        row[4] = bench_number(percent(c->rootless, c->tests));
        row[5] = bench_count(c->edge_wanted);
        row[6] = bench_count(c->edge_run);
        row[7] = bench_number(100 - percent(c->edge_run, c->edge_wanted));
        row[8] = bench_count(c->edge_hits);
        row[9] = bench_count(c->edge_denied);
    }
}

/* ---- verdicts, and how far away false alarms are ---- */

static const bench_column verdict_columns[] = {
    SET_COLUMNS,
    {"variant", "variant", NULL},
    {"contacts", "contacts", NULL},
    {"false_negatives", "missed", NULL},
    {"false_positives", "false alarms", NULL},
    {"late_toi", "late times of impact", NULL},
    {"to_0_01", "≤ 0.01", NULL},
    {"to_0_1", "≤ 0.1", NULL},
    {"to_1", "≤ 1", NULL},
    {"to_5", "≤ 5", NULL},
    {"to_10", "≤ 10", NULL},
    {"to_20", "≤ 20", NULL},
    {"to_41", "≤ 41", NULL},
    {"beyond_bound", "beyond", NULL},
};

static void add_verdicts(bench_report *report, const safe_row *rows, int count) {
    bench_table *table = bench_add_table(
        report, "safe-verdicts", "The cubic test: verdicts against exact truth",
        "False alarms by exact distance in units of B·ε^¼, whose bound is 41 (the first 2000 of a set).",
        COLUMNS(verdict_columns));
    for (int i = 0; i < count; i++) {
        const struct {
            const char *name;
            const safe_verdicts *verdicts;
            bool measured;
        } variants[] = {{"provot", &rows[i].basic, false},
                        {"safe", &rows[i].full, true},
                        {"safe, one B for the set", &rows[i].scene, false},
                        {"safe in float", &rows[i].single, true}};
        for (size_t k = 0; k < sizeof variants / sizeof *variants; k++) {
            const safe_verdicts *v = variants[k].verdicts;
            bench_cell *row = begin_row(table, &rows[i]);
            row[2] = bench_text("%s", variants[k].name);
            row[3] = bench_count(v->contacts);
            row[4] = bench_count(v->missed);
            row[5] = bench_count(v->alarms);
            if (!variants[k].measured) continue;
            row[6] = bench_count(v->late);
            for (int b = 0; b < SAFE_BINS; b++) row[7 + b] = bench_count(v->binned[b]);
            row[7 + SAFE_BINS] = bench_count(v->beyond);
        }
    }
}

/* ---- other methods ---- */

static const bench_column other_columns[] = {
    SET_COLUMNS,
    {"method", "method", NULL},
    {"tests", "queries", NULL},
    {"contacts", "contacts", NULL},
    {"time_us", "a query", "µs"},
    {"false_negatives", "missed", NULL},
    {"false_positives", "false alarms", NULL},
};

static void add_others(bench_report *report, const safe_row *rows, int count) {
    bench_table *table = bench_add_table(report, "safe-methods", "Other methods on the same queries",
                                         "Batches on one thread, processor time.", COLUMNS(other_columns));
    for (int i = 0; i < count; i++)
        for (int k = 0; k < rows[i].other_count; k++) {
            const safe_other *o = &rows[i].others[k];
            bench_cell *row = begin_row(table, &rows[i]);
            row[2] = bench_text("%s", o->name);
            row[3] = bench_count(o->tests);
            row[4] = bench_count(o->contacts);
            row[5] = bench_number(1e6 * per(o->seconds, o->tests));
            row[6] = bench_count(o->missed);
            row[7] = bench_count(o->alarms);
        }
}

void bench_safe_report(bench_report *report, const safe_row *rows, int count) {
    bench_add_heading(report, "The failure-proof cubic test");
    add_times(report, rows, count);
    add_culls(report, rows, count);
    add_verdicts(report, rows, count);
    add_others(report, rows, count);
}
