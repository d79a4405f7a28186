/* graze view: a page that shows a query file, a certificate, a step, a sequence or articulated models. */
#include "app/outputs.h"
#include "app/query_files.h"
#include "cli/commands.h"
#include "cli/view/models.h"
#include "cli/view/motion.h"
#include "cli/view/world.h"

#include "io/file.h"

#include <stdlib.h>
#include <string.h>

#define MOST_QUERIES 2000 /* in one page; how many there are is said beside */

static bool ends_in(const char *path, const char *suffix) {
    size_t length = strlen(path), tail = strlen(suffix);
    return length > tail && strcmp(path + length - tail, suffix) == 0;
}

/* ---- queries ---- */

static cJSON *rows_json(const double (*rows)[3], int count) {
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < count; i++) {
        cJSON *row = cJSON_CreateArray();
        for (int c = 0; c < 3; c++) cJSON_AddItemToArray(row, app_json_double(rows[i][c]));
        cJSON_AddItemToArray(list, row);
    }
    return list;
}

static void view_queries(const char *path, const char *kind_option, FILE *out) {
    io_error error;
    io_queries queries;
    graze_kind kind;
    if (!app_query_kind(path, kind_option, &kind, &error) || !io_read_query_csv(path, &queries, &error))
        app_fail("%s", error.message);
    cli_page page;
    cli_page_open(&page, out, "queries", path);
    cJSON *list = cJSON_AddArrayToObject(page.data, "queries");
    for (size_t i = 0; i < queries.count && i < MOST_QUERIES; i++) {
        cJSON *query = cJSON_CreateObject();
        cJSON_AddStringToObject(query, "kind", graze_kind_name(kind));
        cJSON_AddNumberToObject(query, "index", (double)i);
        cJSON_AddItemToObject(query, "x0", rows_json((const double(*)[3])queries.queries[i].x0, 4));
        cJSON_AddItemToObject(query, "x1", rows_json((const double(*)[3])queries.queries[i].x1, 4));
        if (queries.truth) cJSON_AddBoolToObject(query, "truth", queries.truth[i]);
        cJSON_AddItemToArray(list, query);
    }
    cJSON_AddItemToObject(page.data, "total", app_json_count(queries.count));
    cli_page_close(&page);
    io_free_queries(&queries);
}

/* ---- certificates ---- */

static cJSON *read_json(const char *path) {
    char *bytes;
    size_t size;
    io_error error;
    if (!io_read_file(path, &bytes, &size, &error)) app_fail("%s", error.message);
    cJSON *file = cJSON_ParseWithLength(bytes, size);
    free(bytes);
    return file;
}

static void check_certificate(const char *path, const cJSON *file) {
    const char *format = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(file, "format"));
    if (!format || strncmp(format, "graze certificate", 17) != 0)
        app_fail("%s: not a certificate, a model file, a world, queries or a mesh: `graze view` cannot show it", path);
}

static void view_certificate(const char *path, const cJSON *file, FILE *out) {
    static const char *const kept[] = {"kind", "a", "b", "file", "index", "x0", "x1", "verdict", "toi", "free"};
    check_certificate(path, file);
    const cJSON *pairs = cJSON_GetObjectItemCaseSensitive(file, "pairs"), *pair;
    cli_page page;
    cli_page_open(&page, out, "queries", path);
    cJSON *list = cJSON_AddArrayToObject(page.data, "queries");
    int total = 0;
    cJSON_ArrayForEach(pair, pairs) {
        if (total++ >= MOST_QUERIES) continue;
        cJSON *query = cJSON_CreateObject();
        for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
            const cJSON *field = cJSON_GetObjectItemCaseSensitive(pair, kept[i]);
            if (field) cJSON_AddItemToObject(query, kept[i], cJSON_Duplicate(field, true));
        }
        cJSON_AddItemToArray(list, query);
    }
    cJSON_AddItemToObject(page.data, "total", app_json_count((uint64_t)total));
    const cJSON *separation = cJSON_GetObjectItemCaseSensitive(file, "separation");
    if (cJSON_IsNumber(separation))
        cJSON_AddItemToObject(page.data, "separation", app_json_double(separation->valuedouble));
    cli_page_close(&page);
}

/* A certificate, the file of `graze articulate`, or a world. */
static void view_json(const char *path, const char *plan, const app_step_settings *settings, FILE *out) {
    cJSON *file = read_json(path);
    if (cJSON_GetObjectItemCaseSensitive(file, "models") && cJSON_GetObjectItemCaseSensitive(file, "format"))
        app_fail("%s: a certificate of paths cannot be shown; give its model file", path);
    if (cJSON_GetObjectItemCaseSensitive(file, "models"))
        cli_view_models(path, plan, out);
    else if (plan)
        app_fail("view: --plan is for the model file of `graze articulate`");
    else if (cJSON_GetObjectItemCaseSensitive(file, "bodies"))
        cli_view_world(path, settings, out);
    else
        view_certificate(path, file, out);
    cJSON_Delete(file);
}

/* ---- meshes ---- */

static void view_frames(const char **operands, int count, const app_step_settings *settings, FILE *out) {
    const char *twice[] = {operands[0], operands[0]}; /* one mesh: it stands still */
    bool folder = io_is_folder(operands[0]), still = count == 1 && !folder;
    io_frames frames;
    io_error error;
    if (folder ? !io_list_frames(operands[0], &frames, &error)
               : !io_order_frames(still ? twice : operands, still ? 2 : (size_t)count, &frames, &error))
        app_fail("%s", error.message);
    if (frames.count < 2) app_fail("%s: %zu frames in it; a sequence needs two", operands[0], frames.count);
    cli_motion_files(out, operands[0], settings, &frames);
    io_free_frames(&frames);
}

int cmd_view(int argc, char **argv) {
    app_step_settings settings = APP_STEP_DEFAULTS;
    const char *out = NULL, *kind = NULL, *plan = NULL;
    const app_option options[] = {
        {"--out", APP_TEXT, &out, "FILE.html", "the page to write"},
        {"--kind", APP_TEXT, &kind, "vf|ee", "of the queries in a CSV file"},
        {"--plan", APP_TEXT, &plan, "FILE", "of a model file: its joints follow this trajectory (JSON, .csv, .yaml)"},
        APP_STEP_OPTIONS(settings),
        {"--json", APP_FLAG, &settings.json, NULL, "one JSON object on stdout"},
        {0},
    };
    const app_usage usage = {
        "view", "FILE…|DIR --out FILE.html [options]",
        "Writes one page that a browser opens from the disk. It shows one of these: the frames of a folder, or two or\n"
        "more meshes, with what touches between them; the queries of a CSV file; the pairs of a certificate; the "
        "motion\n"
        "of a model file of `graze articulate`, or of the world of `graze step WORLD.json`.",
        options, "example: graze view frames/ --out page.html"};
    const char **operands = app_allocate((size_t)argc, sizeof *operands);
    int count = app_parse(&usage, argc, argv, operands);
    if (count == 0)
        app_fail("view: nothing to view: name a folder of frames, meshes, a query file, a certificate, a model file or "
                 "a world");
    if (!out) app_fail("view: where to? --out FILE.html");
    if (!cli_has_viewer()) app_fail("view: %s", cli_no_viewer);
    bool models = count == 1 && ends_in(operands[0], ".json");
    if (plan && !models) app_fail("view: --plan is for the model file of `graze articulate`");
    app_step_prepare("view", &settings);
    io_output page;
    for (int i = 0; i < count; i++) io_note_input(operands[i]);
    if (plan) io_note_input(plan);
    app_open_output("--out", out, settings.json, &page);
    if (count == 1 && ends_in(operands[0], ".csv"))
        view_queries(operands[0], kind, page.stream);
    else if (models)
        view_json(operands[0], plan, &settings, page.stream);
    else
        view_frames(operands, count, &settings, page.stream);
    app_close_output(&page);
    if (settings.json) {
        cJSON *object = cJSON_CreateObject();
        cJSON_AddItemToObject(object, "page", app_json_text(out));
        app_print_json(object);
    } else {
        printf("%s\n", out);
    }
    free(operands);
    return APP_OK;
}
