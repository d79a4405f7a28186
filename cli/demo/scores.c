#include "cli/demo/scores.h"

#include "app/folders.h"

#include "io/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

cJSON *cli_demo_json(const char *folder, const char *name) {
    char *path = app_text("%s/%s", folder, name), *bytes = NULL;
    size_t size = 0;
    io_error error;
    cJSON *json = NULL;
    if (access(path, F_OK) == 0 && io_read_file(path, &bytes, &size, &error)) json = cJSON_ParseWithLength(bytes, size);
    free(bytes);
    free(path);
    return json;
}

double cli_demo_number(const cJSON *object, const char *path) {
    char name[64];
    while (object && *path) {
        size_t length = strcspn(path, ".");
        snprintf(name, sizeof name, "%.*s", (int)length, path);
        object = cJSON_GetObjectItemCaseSensitive(object, name);
        path += length + (path[length] == '.');
    }
    return cJSON_IsNumber(object) ? object->valuedouble : NAN;
}

static cli_demo_score read_score(const char *folder, const char *set, const char *method) {
    char *name = app_text("%s-%s.json", set, method);
    cJSON *json = cli_demo_json(folder, name);
    const cJSON *total = cJSON_GetObjectItemCaseSensitive(json, "total");
    cli_demo_score s = {.known = total != NULL,
                        .queries = cli_demo_number(total, "queries"),
                        .truth = cli_demo_number(total, "truth"),
                        .false_positives = cli_demo_number(total, "false_positives"),
                        .false_negatives = cli_demo_number(total, "false_negatives"),
                        .unresolved = cli_demo_number(total, "unresolved"),
                        .mean_us = cli_demo_number(total, "time_us.mean"),
                        .max_us = cli_demo_number(total, "time_us.max")};
    cJSON_Delete(json);
    char *mark = app_text("%s/%s-%s.limited", folder, set, method);
    s.limited = access(mark, F_OK) == 0;
    free(mark);
    free(name);
    return s;
}

size_t cli_demo_read_rows(const char *folder, cli_demo_row **rows) {
    size_t most = 1, count = 0;
    while (graze_method_get((graze_method)most)) most++;
    *rows = app_allocate(most, sizeof **rows);
    for (int i = 1; graze_method_get((graze_method)i); i++) {
        const graze_method_info *info = graze_method_get((graze_method)i);
        if (!info->available) continue;
        (*rows)[count++] =
            (cli_demo_row){info, read_score(folder, "scene", info->name), read_score(folder, "hand", info->name)};
    }
    return count;
}

bool cli_demo_is_one_of_three(const cli_demo_row *row) {
    static const char *const three[] = {"certified", "ti", "fprf"};
    for (int i = 0; i < 3; i++)
        if (strcmp(row->info->name, three[i]) == 0) return true;
    return false;
}

const char *cli_demo_promise(const cli_demo_row *row) {
    return row->info->exact ? "no miss, no false alarm" : row->info->conservative ? "no miss" : "nothing";
}
