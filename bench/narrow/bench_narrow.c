/* graze bench narrow: every method, one pair at a time and many at once, against exact truth. */
#include "bench/narrow/narrow.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

void bench_narrow_tick(bench_narrow_run *run, const char *format, ...) {
    char label[100];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(label, sizeof label, format, arguments);
    va_end(arguments);
    bench_progress(run->settings, label, (double)run->done / (double)(run->planned ? run->planned : 1));
    run->done++;
}

static size_t method_count(const bench_settings *settings) {
    size_t count = 0;
    for (int m = 1; bench_method(settings, m); m++) count += settings->methods[m];
    return count;
}

/* ---- table 1 ---- */

static const bench_column method_columns[] = {
    {"method", "method", NULL},
    {"covered", "queries", NULL},
    {"mean_us", "mean", "µs"},
    {"median_us", "median", "µs"},
    {"p99_us", "99 %", "µs"},
    {"max_us", "slowest", "µs"},
    {"mean_clear_us", "a clear pair", "µs"},
    {"mean_hit_us", "a hit", "µs"},
    {"false_positives", "false positives", NULL},
    {"false_negatives", "false negatives", NULL},
    {"unresolved", "unresolved", NULL},
    {"hash", "hash of the answers", NULL},
};
#define COLUMNS(list) list, sizeof list / sizeof *list

static void add_score_row(bench_table *table, const char *method, const bench_score *s, uint64_t hash) {
    bench_cell *row = bench_add_row(table);
    row[0] = bench_text("%s", method);
    row[1] = bench_count(s->covered);
    row[2] = bench_number(s->mean);
    row[3] = bench_number(s->median);
    row[4] = bench_number(s->p99);
    row[5] = bench_number(s->max);
    row[6] = bench_number(s->mean_clear);
    row[7] = bench_number(s->mean_hit);
    row[8] = bench_count(s->false_positives);
    row[9] = bench_count(s->false_negatives);
    row[10] = bench_count(s->unresolved);
    if (hash) row[11] = bench_text("%016llx", (unsigned long long)hash);
}

static uint64_t hits_of(const bench_queries *set) {
    uint64_t hits = 0;
    for (size_t i = 0; i < set->count; i++) hits += set->hit[i] == 1;
    return hits;
}

static void add_method_tables(bench_narrow_run *run) {
    for (int group = 0; group < BENCH_GROUPS; group++)
        for (int kind = 0; kind < 2; kind++) {
            const bench_queries *set = &run->data->sets[group][kind];
            if (set->count == 0) continue;
            char id[60], title[120], note[400];
            const char *name = bench_group_name((bench_group)group);
            snprintf(id, sizeof id, "%s-%s", name, graze_kind_name((graze_kind)kind));
            snprintf(title, sizeof title, "%s, %s", group == BENCH_HANDCRAFTED ? "Handcrafted" : "Simulation",
                     kind == GRAZE_VF ? "vertex–face" : "edge–edge");
            snprintf(note, sizeof note,
                     "%zu queries, %llu of them touch. One call for one query on one thread; least of the passes. "
                     "A method that covered fewer queries ran out of its %g s, and is scored on those. No hash then.",
                     set->count, (unsigned long long)hits_of(set), run->effort.budget);
            bench_table *table = bench_add_table(run->report, id, title, note, COLUMNS(method_columns));
            for (int m = 1; bench_method(run->settings, m); m++) {
                const bench_answers *answers = &run->answers[m][group][kind];
                if (answers->covered == 0) continue;
                const graze_method_info *info = bench_method(run->settings, m);
                bench_score s = bench_score_of(set, set->hit, answers, BENCH_ALL_SOURCES, info->gives_toi);
                add_score_row(table, info->name, &s, answers->hash);
            }
        }
}

/* ---- false answers by family, file or scene ---- */

static const bench_column source_columns[] = {
    {"source", "queries from", NULL},
    {"kind", "kind", NULL},
    {"method", "method", NULL},
    {"covered", "queries", NULL},
    {"false_positives", "false positives", NULL},
    {"false_negatives", "false negatives", NULL},
    {"unresolved", "unresolved", NULL},
    {"mean_us", "mean", "µs"},
};

static void add_source_table(bench_narrow_run *run) {
    bench_table *table = bench_add_table(run->report, "wrong-by-source", "Where the false answers come from",
                                         "Only families, files and scenes on which a method was wrong or unresolved.",
                                         COLUMNS(source_columns));
    for (size_t source = 0; source < run->data->source_count; source++)
        for (int group = 0; group < BENCH_GROUPS; group++)
            for (int kind = 0; kind < 2; kind++) {
                const bench_queries *set = &run->data->sets[group][kind];
                for (int m = 1; bench_method(run->settings, m); m++) {
                    const bench_answers *answers = &run->answers[m][group][kind];
                    if (answers->covered == 0) continue;
                    bench_score s = bench_score_of(set, set->hit, answers, (int64_t)source, false);
                    if (s.false_positives + s.false_negatives + s.unresolved == 0) continue;
                    bench_cell *row = bench_add_row(table);
                    row[0] = bench_text("%s", run->data->sources[source]);
                    row[1] = bench_text("%s", graze_kind_name((graze_kind)kind));
                    row[2] = bench_text("%s", bench_method(run->settings, m)->name);
                    row[3] = bench_count(s.covered);
                    row[4] = bench_count(s.false_positives);
                    row[5] = bench_count(s.false_negatives);
                    row[6] = bench_count(s.unresolved);
                    row[7] = bench_number(s.mean);
                }
            }
}

bool bench_narrow_methods(bench_narrow_run *run, io_error *error) {
    for (int group = 0; group < BENCH_GROUPS; group++)
        for (int kind = 0; kind < 2; kind++)
            for (int m = 1; bench_method(run->settings, m); m++) {
                if (!run->settings->methods[m]) continue;
                bench_narrow_tick(run, "%s %s %s", bench_group_name((bench_group)group),
                                  graze_kind_name((graze_kind)kind), bench_method(run->settings, m)->name);
                if (bench_stopped(run->settings)) continue;
                graze_options options = graze_default_options();
                options.method = (graze_method)m;
                if (!bench_ask(run->settings, &options, &run->data->sets[group][kind], run->effort,
                               &run->answers[m][group][kind], error))
                    return false;
            }
    bench_add_heading(run->report, "One pair at a time");
    add_method_tables(run);
    return true;
}

/* ---- the suite ---- */

bool bench_narrow(const bench_settings *settings, bench_report *report, io_error *error) {
    bench_data data;
    bench_narrow_run *run = bench_allocate(1, sizeof *run);
    bool good = bench_data_load(settings, &data, error);
    *run = (bench_narrow_run){.settings = settings, .report = report, .data = &data};
    run->effort.budget = settings->time_budget > 0 ? settings->time_budget : settings->quick ? 2 : 10;
    run->effort.repeat = settings->repeat ? settings->repeat : 3;
    size_t methods = method_count(settings);
    run->planned = methods * (2 * BENCH_GROUPS + data.scene_count) + bench_narrow_sweep_units(run);
    if (good && !bench_stopped(settings)) {
        good = bench_narrow_methods(run, error) && bench_narrow_brought(run, error) && bench_narrow_batch(run, error);
        if (good) {
            bench_add_heading(report, "Times");
            bench_narrow_times(run);
            bench_add_heading(report, "Time of impact");
            bench_narrow_toi(run);
            good = bench_narrow_sweeps(run, error);
            bench_add_heading(report, "False answers");
            add_source_table(run);
        }
    }
    report->interrupted = report->interrupted || bench_stopped(settings);
    for (int m = 0; m < BENCH_METHODS; m++)
        for (int group = 0; group < BENCH_GROUPS; group++)
            for (int kind = 0; kind < 2; kind++) bench_answers_free(&run->answers[m][group][kind]);
    free(run);
    bench_data_free(&data);
    return good;
}
