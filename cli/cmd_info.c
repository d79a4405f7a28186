/* graze info: what this build is and can do. */
#include "app/app.h"
#include "cli/commands.h"

#include <stdio.h>
#include <stdlib.h>

static cJSON *describe(uint64_t threads) {
    cJSON *info = cJSON_CreateObject();
    cJSON_AddStringToObject(info, "version", graze_version());
    cJSON_AddStringToObject(info, "isa", graze_isa_name(graze_isa_in_use()));
    cJSON *isas = cJSON_AddArrayToObject(info, "isas");
    for (graze_isa i = GRAZE_ISA_SCALAR; i <= GRAZE_ISA_WASM; i = (graze_isa)(i + 1))
        if (graze_isa_available(i)) cJSON_AddItemToArray(isas, cJSON_CreateString(graze_isa_name(i)));
    cJSON *methods = cJSON_AddArrayToObject(info, "methods");
    for (int i = 1; graze_method_get((graze_method)i); i++) {
        const graze_method_info *m = graze_method_get((graze_method)i);
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddStringToObject(entry, "name", m->name);
        cJSON_AddStringToObject(entry, "summary", m->summary);
        cJSON_AddBoolToObject(entry, "available", m->available);
        cJSON_AddBoolToObject(entry, "conservative", m->conservative);
        cJSON_AddBoolToObject(entry, "exact", m->exact);
        cJSON_AddItemToArray(methods, entry);
    }
    cJSON_AddStringToObject(info, "default_method", graze_method_get(GRAZE_METHOD_DEFAULT)->name);
    cJSON *broads = cJSON_AddArrayToObject(info, "broad");
    for (int i = 0; i <= GRAZE_BROAD_LBVH; i++)
        if (graze_broad_available((graze_broad)i))
            cJSON_AddItemToArray(broads, cJSON_CreateString(graze_broad_name((graze_broad)i)));
    cJSON *backends = cJSON_AddArrayToObject(info, "backends");
    for (int i = 0; i <= GRAZE_BACKEND_CUDA; i++)
        if (graze_backend_available((graze_backend)i))
            cJSON_AddItemToArray(backends, cJSON_CreateString(graze_backend_name((graze_backend)i)));
    cJSON_AddItemToObject(info, "max_coordinate", app_json_double(GRAZE_MAX_COORDINATE));
    graze_context *context = app_context(threads);
    cJSON_AddItemToObject(info, "threads", app_json_count(graze_context_threads(context)));
    graze_context_destroy(context);
    return info;
}

static void print_list(const cJSON *info, const char *key, const char *label) {
    printf("%-16s", label);
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(info, key)) printf(" %s", item->valuestring);
    printf("\n");
}

int cmd_info(int argc, char **argv) {
    bool json = false;
    uint64_t threads = 0;
    const app_option options[] = {
        {"--threads", APP_COUNT, &threads, "N", "report for this number of threads (0: all cores)"},
        {"--json", APP_FLAG, &json, NULL, "one JSON object on stdout"},
        {0},
    };
    const app_usage usage = {"info", "[options]",
                             "Version, instruction sets, methods, broad phases, back ends, limits.", options, NULL};
    const char **operands = app_allocate((size_t)argc, sizeof *operands);
    if (app_parse(&usage, argc, argv, operands) != 0) app_fail("info: takes no arguments");
    free(operands);
    cJSON *info = describe(threads);
    if (json) {
        app_print_json(info);
        return APP_OK;
    }
    printf("graze %s\n", graze_version());
    printf("%-16s %s\n", "instruction set", graze_isa_name(graze_isa_in_use()));
    print_list(info, "isas", "available");
    print_list(info, "broad", "broad phases");
    print_list(info, "backends", "back ends");
    printf("%-16s 2^160\n", "max coordinate");
    printf("%-16s\n", "methods");
    for (int i = 1; graze_method_get((graze_method)i); i++) {
        const graze_method_info *m = graze_method_get((graze_method)i);
        printf("  %-10s %s%s\n", m->name, m->summary, m->available ? "" : " (not in this build)");
    }
    cJSON_Delete(info);
    return APP_OK;
}
