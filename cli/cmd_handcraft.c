/* graze handcraft: writes degenerate and near-degenerate queries by family, with exact truth. */
#include "app/app.h"
#include "app/folders.h"
#include "app/outputs.h"
#include "cli/commands.h"
#include "cli/truths.h"

#include "io/file.h"
#include "io/query_csv.h"
#include "scenes/handcraft.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct settings {
    const char *out;
    uint64_t seed, count;
    cli_truth_job job;
} settings;

static const char *const kind_folders[2] = {"vertex-face", "edge-edge"};

/* Counts the queries that touch within a separation. */
static uint64_t count_within(const settings *set, double separation, const char *path, graze_kind kind,
                             const graze_query *queries, size_t count) {
    cli_truth_job job = set->job;
    job.options.min_separation = separation;
    cli_truth *answers = app_allocate(count, sizeof *answers);
    cli_find_truths(&job, path, kind, queries, count, answers, NULL);
    uint64_t hits = 0;
    for (size_t i = 0; i < count; i++) hits += answers[i].hit;
    cli_free_truths(answers, count);
    return hits;
}

/* One file: the queries of a family, kind and value of the parameter. Returns its entry for the index. */
static cJSON *write_file(const settings *set, const handcraft_family *family, graze_kind kind, size_t value,
                         uint64_t totals[3]) {
    size_t count = 0, room = (size_t)((set->count + family->value_count - 1) / family->value_count);
    graze_query *queries = app_allocate(room, sizeof *queries);
    for (uint64_t i = value; i < set->count; i += family->value_count)
        handcraft_make(family, kind, set->seed, i, &queries[count++]);
    if (count == 0) {
        free(queries);
        return NULL;
    }
    char *name =
        app_text("%s/%s/%s_%g.csv", family->name, kind_folders[kind], family->parameter, family->values[value]);
    char *path = app_text("%s/%s", set->out, name);
    cli_truth *answers = app_allocate(count, sizeof *answers);
    unsigned char *truth = app_allocate(count, 1);
    cli_find_truths(&set->job, path, kind, queries, count, answers, NULL);
    uint64_t hits = 0, within = 0;
    for (size_t i = 0; i < count; i++) hits += truth[i] = answers[i].hit;
    if (family->separation > 0) within = count_within(set, family->separation, path, kind, queries, count);
    io_error error;
    if (!io_write_query_csv(path, queries, count, truth, &error)) app_fail("handcraft: %s", error.message);
    cJSON *entry = cJSON_CreateObject();
    cJSON_AddStringToObject(entry, "file", name);
    cJSON_AddStringToObject(entry, "kind", graze_kind_name(kind));
    cJSON_AddItemToObject(entry, "value", app_json_double(family->values[value]));
    cJSON_AddItemToObject(entry, "queries", app_json_count(count));
    cJSON_AddItemToObject(entry, "hits", app_json_count(hits));
    if (family->separation > 0) cJSON_AddItemToObject(entry, "hits_within", app_json_count(within));
    totals[0] += count;
    totals[1] += hits;
    totals[2] += within;
    cli_free_truths(answers, count);
    free(truth);
    free(queries);
    free(path);
    free(name);
    return entry;
}

static cJSON *write_family(const settings *set, const handcraft_family *family, uint64_t totals[3]) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "family", family->name);
    cJSON_AddStringToObject(object, "parameter", family->parameter);
    cJSON_AddStringToObject(object, "summary", family->summary);
    cJSON *files = cJSON_CreateArray();
    uint64_t found[3] = {0, 0, 0};
    for (int kind = 0; kind < 2; kind++) {
        char *folder = app_text("%s/%s/%s", set->out, family->name, kind_folders[kind]);
        app_make_folder(folder);
        free(folder);
        for (size_t value = 0; value < family->value_count; value++) {
            cJSON *entry = write_file(set, family, (graze_kind)kind, value, found);
            if (entry) cJSON_AddItemToArray(files, entry);
        }
    }
    cJSON_AddItemToObject(object, "queries", app_json_count(found[0]));
    cJSON_AddItemToObject(object, "hits", app_json_count(found[1]));
    if (family->separation > 0) {
        cJSON_AddItemToObject(object, "separation", app_json_double(family->separation));
        cJSON_AddItemToObject(object, "hits_within", app_json_count(found[2]));
    }
    cJSON_AddItemToObject(object, "files", files);
    for (int i = 0; i < 3; i++) totals[i] += found[i];
    return object;
}

static void write_index(const settings *set, const cJSON *index) {
    char *path = app_text("%s/index.json", set->out), *text = cJSON_Print(index);
    io_output file;
    if (!text) app_fail("out of memory");
    app_open_output("handcraft", path, false, &file);
    fprintf(file.stream, "%s\n", text);
    app_close_output(&file);
    cJSON_free(text);
    free(path);
}

int cmd_handcraft(int argc, char **argv) {
    settings set = {.seed = 1, .count = 100, .job = {.options = graze_default_truth_options()}};
    bool json = false;
    const app_option options[] = {
        {"--out", APP_TEXT, &set.out, "DIR",
         "folder to write: DIR/FAMILY/{vertex-face,edge-edge}/*.csv, DIR/index.json"},
        {"--seed", APP_COUNT, &set.seed, "K", "another seed gives other queries (1)"},
        {"--count", APP_COUNT, &set.count, "N",
         "queries of each family and kind, over all values of its parameter (100)"},
        {"--threads", APP_COUNT, &set.job.threads, "N", "threads (0: all cores)"},
        {"--json", APP_FLAG, &json, NULL, "one JSON object on stdout: what index.json holds"},
        {0},
    };
    const app_usage usage = {"handcraft", "--out DIR [options]",
                             "Writes families of degenerate and near-degenerate queries with exact truth in column 7. "
                             "Each family varies one\n"
                             "parameter (a time, a number of ulps, an exponent). index.json names the separation of "
                             "families that touch only\n"
                             "within one, and how many of their queries do.",
                             options, "example: graze handcraft --out /tmp/hand && graze query /tmp/hand --method ti"};
    const char **operands = app_allocate((size_t)argc, sizeof *operands);
    if (app_parse(&usage, argc, argv, operands) != 0) app_fail("handcraft: takes no arguments but --out DIR");
    free(operands);
    if (!set.out || !*set.out) app_fail("handcraft: --out DIR is missing");
    if (set.count < 1 || set.count > 10000000) app_fail("handcraft: --count: from 1 to 10000000");
    if (set.job.threads > 1024) app_fail("handcraft: --threads: at most 1024");
    size_t families = 0;
    while (handcraft_get(families)) families++;
    uint64_t totals[3] = {0, 0, 0};
    cJSON *index = cJSON_CreateObject(), *list = cJSON_CreateArray();
    app_progress progress;
    app_progress_begin(&progress, "handcraft", families);
    for (size_t i = 0; i < families; i++) {
        const handcraft_family *family = handcraft_get(i);
        cJSON *entry = write_family(&set, family, totals);
        cJSON_AddItemToArray(list, entry);
        app_progress_update(&progress, i + 1);
    }
    app_progress_end(&progress);
    cJSON_AddItemToObject(index, "seed", app_json_count(set.seed));
    cJSON_AddItemToObject(index, "queries", app_json_count(totals[0]));
    cJSON_AddItemToObject(index, "hits", app_json_count(totals[1]));
    cJSON_AddItemToObject(index, "hits_within", app_json_count(totals[2]));
    cJSON_AddItemToObject(index, "families", list);
    write_index(&set, index);
    if (json) {
        app_print_json(index);
        return APP_OK;
    }
    printf("%-18s %8s %8s  %s\n", "family", "queries", "hits", "");
    const cJSON *entry;
    cJSON_ArrayForEach(entry, list) {
        const handcraft_family *family = handcraft_find(cJSON_GetObjectItem(entry, "family")->valuestring);
        printf("%-18s %8s %8s  %s\n", family->name, cJSON_GetObjectItem(entry, "queries")->valuestring,
               cJSON_GetObjectItem(entry, "hits")->valuestring, family->summary);
    }
    char *shown = app_shown(set.out, 1000);
    printf("%-18s %8llu %8llu  in %s\n", "all", (unsigned long long)totals[0], (unsigned long long)totals[1], shown);
    free(shown);
    cJSON_Delete(index);
    return APP_OK;
}
