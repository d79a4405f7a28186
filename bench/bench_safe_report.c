/* What graze bench safe prints and writes. */
#include "bench/bench_safe.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const variant_names[SAFE_VARIANTS] = {
    [SAFE_BASIC] = "provot",
    [SAFE_FULL] = "safe",
    [SAFE_BASIC_PLANELESS] = "provot_no_planes",
    [SAFE_PLANELESS] = "safe_no_planes",
    [SAFE_EDGES] = "safe_no_edge_cull",
    [SAFE_TOI] = "safe_toi",
    [SAFE_SCENE] = "safe_scene_bound",
    [SAFE_F32] = "safe_f32",
};

static const char *kind_name(const safe_row *row) { return row->set->kind == GRAZE_VF ? "vf" : "ee"; }
static double per(double a, uint64_t n) { return n ? a / (double)n : 0; }
static double percent(uint64_t part, uint64_t whole) { return 100 * per((double)part, whole); }
static double nanoseconds(const safe_row *row, int variant) {
    return per(1e9 * row->seconds[variant], row->set->count);
}
static double overhead(const safe_row *row, int with, int without) {
    return row->seconds[without] > 0 ? 100 * (row->seconds[with] / row->seconds[without] - 1) : 0;
}

/* ---- tables ---- */

static void print_label(const safe_row *row) { printf("%-24.24s %s", row->set->name, kind_name(row)); }

static void print_times(const safe_row *rows, int count) {
    printf("Time, ns a test on one core (the verdict alone; with toi: and its proven time of impact)\n\n");
    printf("%-24s    %9s  %6s %6s %7s  %6s %6s %7s  %8s %6s\n", "", "tests", "provot", "safe", "over", "provot", "safe",
           "over", "with toi", "float");
    printf("%-24s    %9s  %21s  %21s\n", "", "", "", "without planes");
    for (int i = 0; i < count; i++) {
        const safe_row *r = &rows[i];
        print_label(r);
        printf(" %9llu  %6.0f %6.0f %6.1f%%  %6.0f %6.0f %6.1f%%  %8.0f %6.0f\n", (unsigned long long)r->set->count,
               nanoseconds(r, SAFE_BASIC), nanoseconds(r, SAFE_FULL), overhead(r, SAFE_FULL, SAFE_BASIC),
               nanoseconds(r, SAFE_BASIC_PLANELESS), nanoseconds(r, SAFE_PLANELESS),
               overhead(r, SAFE_PLANELESS, SAFE_BASIC_PLANELESS), nanoseconds(r, SAFE_TOI), nanoseconds(r, SAFE_F32));
    }
    double basic = 0, full = 0, toi = 0;
    uint64_t tests = 0;
    for (int i = 0; i < count; i++) {
        if (!rows[i].set->cloth) continue;
        basic += rows[i].seconds[SAFE_BASIC];
        full += rows[i].seconds[SAFE_FULL];
        toi += rows[i].seconds[SAFE_TOI];
        tests += rows[i].set->count;
    }
    if (tests)
        printf("%-24s    %9llu  %6.0f %6.0f %6.1f%%  %21s  %8.0f\n", "all cloth", (unsigned long long)tests,
               1e9 * per(basic, tests), 1e9 * per(full, tests), 100 * (full / basic - 1), "", 1e9 * per(toi, tests));
}

static void print_culls(const safe_row *rows, int count) {
    printf("\nCulls\n\n%-24s    %8s %8s %8s  %12s %10s %9s %7s\n", "", "planes", "too far", "no root", "edge tests",
           "run", "culled", "hits");
    for (int i = 0; i < count; i++) {
        const gz_safe_counts *c = &rows[i].counts[SAFE_FULL];
        print_label(&rows[i]);
        printf(" %7.2f%% %7.2f%% %7.2f%%  %12llu %10llu %8.3f%% %7llu\n", percent(c->plane_culled, c->tests),
               percent(c->bound_culled, c->tests), percent(c->rootless, c->tests), (unsigned long long)c->edge_wanted,
               (unsigned long long)c->edge_run, 100 - percent(c->edge_run, c->edge_wanted),
               (unsigned long long)c->edge_hits);
    }
}

static void print_verdicts(const safe_row *rows, int count) {
    printf("\nVerdicts against exact truth: missed contacts and false alarms\n\n%-24s    %9s  %18s  %18s  %18s  %30s\n",
           "", "contacts", "provot", "safe", "one B for the set", "safe in float");
    for (int i = 0; i < count; i++) {
        const safe_row *r = &rows[i];
        print_label(r);
        printf(" %9llu  %8llu %9llu  %8llu %9llu  %8llu %9llu  %9llu: %8llu %9llu\n",
               (unsigned long long)r->full.contacts, (unsigned long long)r->basic.missed,
               (unsigned long long)r->basic.alarms, (unsigned long long)r->full.missed,
               (unsigned long long)r->full.alarms, (unsigned long long)r->scene.missed,
               (unsigned long long)r->scene.alarms, (unsigned long long)r->single.contacts,
               (unsigned long long)r->single.missed, (unsigned long long)r->single.alarms);
    }
}

static void print_bins(const char *title, const safe_row *rows, int count, bool single) {
    printf("\n%s\n\n%-24s   ", title, "");
    for (int b = 0; b < SAFE_BINS; b++) printf(" %8.4g", bench_safe_bins[b]);
    printf(" %8s %9s\n", "beyond", "late toi");
    for (int i = 0; i < count; i++) {
        const safe_verdicts *v = single ? &rows[i].single : &rows[i].full;
        print_label(&rows[i]);
        for (int b = 0; b < SAFE_BINS; b++) printf(" %8llu", (unsigned long long)v->binned[b]);
        printf(" %8llu %9llu\n", (unsigned long long)v->beyond, (unsigned long long)v->late);
    }
}

static void print_others(const safe_row *rows, int count) {
    printf(
        "\nOther methods on the same queries, in batches on one thread: us a query, missed contacts, false alarms\n");
    for (int i = 0; i < count; i++) {
        const safe_row *r = &rows[i];
        if (!r->other_count) continue;
        printf("\n");
        print_label(r);
        printf("   %llu queries, %llu contacts\n", (unsigned long long)r->others[0].tests,
               (unsigned long long)r->others[0].contacts);
        for (int k = 0; k < r->other_count; k++) {
            const safe_other *o = &r->others[k];
            printf("    %-10s %9.3f %7llu %7llu\n", o->name, 1e6 * per(o->seconds, o->tests),
                   (unsigned long long)o->missed, (unsigned long long)o->alarms);
        }
    }
}

/* ---- JSON and CSV ---- */

static cJSON *verdicts_json(const safe_verdicts *v) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "contacts", (double)v->contacts);
    cJSON_AddNumberToObject(object, "false_negatives", (double)v->missed);
    cJSON_AddNumberToObject(object, "false_positives", (double)v->alarms);
    return object;
}

static cJSON *row_json(const safe_row *row) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "set", row->set->name);
    cJSON_AddStringToObject(object, "kind", kind_name(row));
    cJSON_AddNumberToObject(object, "tests", (double)row->set->count);
    cJSON_AddNumberToObject(object, "candidates", (double)row->set->candidates);
    cJSON *times = cJSON_AddObjectToObject(object, "time_ns");
    for (int v = 0; v < SAFE_VARIANTS; v++) cJSON_AddNumberToObject(times, variant_names[v], nanoseconds(row, v));
    cJSON_AddNumberToObject(object, "overhead_percent", overhead(row, SAFE_FULL, SAFE_BASIC));
    const gz_safe_counts *c = &row->counts[SAFE_FULL];
    cJSON *culls = cJSON_AddObjectToObject(object, "culls");
    cJSON_AddNumberToObject(culls, "planes", (double)c->plane_culled);
    cJSON_AddNumberToObject(culls, "too_far", (double)c->bound_culled);
    cJSON_AddNumberToObject(culls, "no_root", (double)c->rootless);
    cJSON_AddNumberToObject(culls, "edge_tests", (double)c->edge_wanted);
    cJSON_AddNumberToObject(culls, "edge_tests_run", (double)c->edge_run);
    cJSON_AddNumberToObject(culls, "edge_hits", (double)c->edge_hits);
    cJSON_AddNumberToObject(culls, "edge_hits_denied", (double)c->edge_denied);
    cJSON_AddItemToObject(object, "provot", verdicts_json(&row->basic));
    cJSON_AddItemToObject(object, "safe_scene_bound", verdicts_json(&row->scene));
    const safe_verdicts *verdicts[2] = {&row->full, &row->single};
    const char *names[2] = {"safe", "safe_f32"};
    for (int i = 0; i < 2; i++) {
        cJSON *entry = verdicts_json(verdicts[i]);
        cJSON *bins = cJSON_AddArrayToObject(entry, "false_positive_distance");
        for (int b = 0; b < SAFE_BINS; b++)
            cJSON_AddItemToArray(bins, cJSON_CreateNumber((double)verdicts[i]->binned[b]));
        cJSON_AddNumberToObject(entry, "beyond_bound", (double)verdicts[i]->beyond);
        cJSON_AddNumberToObject(entry, "late_toi", (double)verdicts[i]->late);
        cJSON_AddItemToObject(object, names[i], entry);
    }
    cJSON *others = cJSON_AddArrayToObject(object, "methods");
    for (int k = 0; k < row->other_count; k++) {
        const safe_other *o = &row->others[k];
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddStringToObject(entry, "method", o->name);
        cJSON_AddNumberToObject(entry, "queries", (double)o->tests);
        cJSON_AddNumberToObject(entry, "time_us", 1e6 * per(o->seconds, o->tests));
        cJSON_AddNumberToObject(entry, "false_negatives", (double)o->missed);
        cJSON_AddNumberToObject(entry, "false_positives", (double)o->alarms);
        cJSON_AddItemToArray(others, entry);
    }
    return object;
}

static char *report_json(const safe_row *rows, int count) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "suite", "safe");
    cJSON_AddStringToObject(object, "version", graze_version());
    cJSON_AddItemToObject(object, "distance_bins", cJSON_CreateDoubleArray(bench_safe_bins, SAFE_BINS));
    cJSON *list = cJSON_AddArrayToObject(object, "sets");
    for (int i = 0; i < count; i++) cJSON_AddItemToArray(list, row_json(&rows[i]));
    char *text = cJSON_PrintUnformatted(object);
    cJSON_Delete(object);
    return text;
}

static void write_csv(FILE *file, const safe_row *rows, int count) {
    fprintf(file, "set,kind,tests,candidates,contacts");
    for (int v = 0; v < SAFE_VARIANTS; v++) fprintf(file, ",%s_ns", variant_names[v]);
    fprintf(file,
            ",provot_missed,provot_alarms,safe_missed,safe_alarms,f32_missed,f32_alarms,edge_tests,edge_tests_run\n");
    for (int i = 0; i < count; i++) {
        const safe_row *r = &rows[i];
        fprintf(file, "\"%s\",%s,%llu,%llu,%llu", r->set->name, kind_name(r), (unsigned long long)r->set->count,
                (unsigned long long)r->set->candidates, (unsigned long long)r->full.contacts);
        for (int v = 0; v < SAFE_VARIANTS; v++) fprintf(file, ",%.3f", nanoseconds(r, v));
        fprintf(file, ",%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu\n", (unsigned long long)r->basic.missed,
                (unsigned long long)r->basic.alarms, (unsigned long long)r->full.missed,
                (unsigned long long)r->full.alarms, (unsigned long long)r->single.missed,
                (unsigned long long)r->single.alarms, (unsigned long long)r->counts[SAFE_FULL].edge_wanted,
                (unsigned long long)r->counts[SAFE_FULL].edge_run);
    }
}

static FILE *open_output(const char *folder, const char *name) {
    char path[4096];
    FILE *file = NULL;
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (length > 0 && (size_t)length < sizeof path) file = fopen(path, "w");
    if (!file) fprintf(stderr, "graze: bench safe: cannot write %s/%s\n", folder, name);
    return file;
}

static bool close_output(FILE *file) {
    bool good = !ferror(file);
    if (fclose(file) != 0) good = false;
    if (!good) fprintf(stderr, "graze: bench safe: cannot write the results\n");
    return good;
}

static bool write_files(const char *folder, const char *json, const safe_row *rows, int count) {
    FILE *file = open_output(folder, "safe.csv");
    if (!file) return false;
    write_csv(file, rows, count);
    if (!close_output(file)) return false;
    file = open_output(folder, "safe.json");
    if (!file) return false;
    fprintf(file, "%s\n", json);
    return close_output(file);
}

bool bench_safe_report(const bench_options *options, const safe_row *rows, int count) {
    char *json = report_json(rows, count);
    if (!json) {
        fprintf(stderr, "graze: bench safe: out of memory\n");
        return false;
    }
    bool done = !options->out || write_files(options->out, json, rows, count);
    if (options->json) {
        printf("%s\n", json);
    } else {
        print_times(rows, count);
        print_culls(rows, count);
        print_verdicts(rows, count);
        print_bins("False alarms of safe by exact distance, in B eps^(1/4): up to, and beyond the bound of 41", rows,
                   count, false);
        print_bins("The same in float, where eps^(1/4) is 0.0186 (the first 2000)", rows, count, true);
        print_others(rows, count);
    }
    free(json);
    return done;
}
