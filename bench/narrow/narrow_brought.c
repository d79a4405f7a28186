/* Methods that were brought, and whether they keep what they promise. */
#include "bench/narrow/narrow.h"

#include <string.h>

static const bench_column columns[] = {
    {"method", "method", NULL},
    {"from", "from", NULL},
    {"covered", "queries", NULL},
    {"conservative", "promises no misses", NULL},
    {"missed", "missed", NULL},
    {"late", "after the contact", NULL},
    {"exact", "promises no alarms", NULL},
    {"alarms", "false alarms", NULL},
    {"kept", "kept", NULL},
};

typedef struct tally {
    uint64_t covered, missed, late, alarms;
} tally;

static tally tally_of(const bench_narrow_run *run, int m) {
    tally sum = {0};
    for (int group = 0; group < BENCH_GROUPS; group++)
        for (int kind = 0; kind < 2; kind++) {
            const bench_queries *set = &run->data->sets[group][kind];
            bench_score s = bench_score_of(set, set->hit, &run->answers[m][group][kind], BENCH_ALL_SOURCES,
                                           bench_method(run->settings, m)->gives_toi);
            sum.covered += s.covered;
            sum.missed += s.false_negatives;
            sum.late += s.late;
            sum.alarms += s.false_positives;
        }
    return sum;
}

static const char *kept(const graze_method_info *info, const tally *sum) {
    if (info->conservative && (sum->missed || sum->late)) return "no";
    if (info->exact && sum->alarms) return "no";
    return info->conservative || info->exact ? "yes" : NULL;
}

static void add_row(bench_table *table, const bench_brought *brought, const tally *sum) {
    const graze_method_info *info = &brought->info;
    bench_cell *row = bench_add_row(table);
    row[0] = bench_text("%s", info->name);
    row[1] = bench_text("%s", brought->path);
    row[2] = bench_count(sum->covered);
    if (brought->plugin) row[3] = bench_text("%s", info->conservative ? "yes" : "no");
    row[4] = bench_count(sum->missed);
    if (info->gives_toi) row[5] = bench_count(sum->late);
    if (brought->plugin) row[6] = bench_text("%s", info->exact ? "yes" : "no");
    row[7] = bench_count(sum->alarms);
    if (kept(info, sum)) row[8] = bench_text("%s", kept(info, sum));
}

bool bench_narrow_brought(bench_narrow_run *run, io_error *error) {
    const bench_settings *settings = run->settings;
    if (settings->brought_count == 0) return true;
    bench_table *table =
        bench_add_table(run->report, "brought", "Methods that were brought",
                        "Unresolved counts as a hit. What a plugin promises is held against exact truth.", columns,
                        sizeof columns / sizeof *columns);
    for (int m = 1; bench_method(settings, m); m++) {
        const bench_brought *brought = bench_method_brought(settings, m);
        if (!brought || !settings->methods[m]) continue;
        tally sum = tally_of(run, m);
        if (brought->given && sum.covered == 0 && !bench_stopped(settings))
            return io_fail(error, brought->path, 0, "it answers no query of %s",
                           settings->data ? settings->data : "generated data: name the folder of its files by --data");
        add_row(table, brought, &sum);
        const char *promise = kept(&brought->info, &sum);
        bench_add_headline(run->report, "%s, which was brought, misses %llu contacts and raises %llu false alarms%s.",
                           brought->name, (unsigned long long)sum.missed, (unsigned long long)sum.alarms,
                           promise && strcmp(promise, "no") == 0 ? "; it promises otherwise" : "");
    }
    return true;
}
