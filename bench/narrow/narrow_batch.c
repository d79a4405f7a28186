/* Every candidate of a scene, many pairs in one call, on one core. */
#include "bench/narrow/narrow.h"

#include <math.h>
#include <string.h>

static const bench_column columns[] = {
    {"scene", "scene", NULL},
    {"method", "method", NULL},
    {"candidates", "candidates", NULL},
    {"covered", "timed", NULL},
    {"us_pair", "a pair", "µs"},
    {"us_clear", "a clear pair", "µs"},
    {"us_hit", "a hit", "µs"},
    {"accd_ratio", "times as fast as accd", NULL},
    {"ti_ratio", "times as fast as ti", NULL},
    {"exact_percent", "reach exact arithmetic", "%"},
    {"false_positives", "false positives", NULL},
    {"false_negatives", "false negatives", NULL},
    {"unresolved", "unresolved", NULL},
    {"hash", "hash of the answers", NULL},
};

static void add_row(const bench_narrow_run *run, bench_table *table, const bench_scene *scene, int method,
                    const bench_batch *all) {
    const bench_batch *b = &all[method];
    bench_cell *row = bench_add_row(table);
    row[0] = bench_text("%s", scene->name);
    row[1] = bench_text("%s", bench_method(run->settings, method)->name);
    row[2] = bench_count(b->pairs);
    row[3] = bench_count(b->covered);
    row[4] = bench_number(b->us_pair);
    row[5] = bench_number(b->us_clear);
    row[6] = bench_number(b->us_hit);
    if (all[GRAZE_METHOD_ACCD].covered) row[7] = bench_number(all[GRAZE_METHOD_ACCD].us_pair / b->us_pair);
    if (all[GRAZE_METHOD_TI].covered) row[8] = bench_number(all[GRAZE_METHOD_TI].us_pair / b->us_pair);
    if (!bench_method_brought(run->settings, method))
        row[9] = bench_number(100.0 * (double)b->oracle_calls / (double)b->covered);
    if (b->covered == 0) return; /* no pair was done in time */
    row[10] = bench_count(b->false_positives);
    row[11] = bench_count(b->false_negatives);
    row[12] = bench_count(b->unresolved);
    if (b->hash) row[13] = bench_text("%016llx", (unsigned long long)b->hash);
}

bool bench_narrow_batch(bench_narrow_run *run, io_error *error) {
    if (run->data->scene_count == 0) return true;
    bench_add_heading(run->report, "Every candidate of a scene");
    bench_table *table =
        bench_add_table(run->report, "scenes", "Many pairs in one call, one core",
                        "Processor time of one thread. Clear pairs and hits are timed as lists of their own; the "
                        "column “a pair” is the whole list in its order. "
                        "Where fewer pairs are timed than there are, they are evenly spread parts of the list.",
                        columns, sizeof columns / sizeof *columns);
    bench_effort effort = {run->effort.budget, run->effort.repeat};
    for (size_t s = 0; s < run->data->scene_count; s++) {
        const bench_scene *scene = &run->data->scenes[s];
        bench_batch all[BENCH_METHODS];
        memset(all, 0, sizeof all);
        for (int m = 1; bench_method(run->settings, m); m++) {
            if (!run->settings->methods[m] || !bench_method_answers_calls(run->settings, m)) continue;
            bench_narrow_tick(run, "%s %s", scene->name, bench_method(run->settings, m)->name);
            if (bench_stopped(run->settings)) continue;
            graze_options options = graze_default_options();
            options.method = (graze_method)m;
            if (!bench_ask_scene(run->settings, &options, scene, effort, &all[m], error)) return false;
        }
        for (int m = 1; bench_method(run->settings, m); m++)
            if (all[m].pairs) add_row(run, table, scene, m, all);
    }
    return true;
}
