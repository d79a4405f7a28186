/* graze bench: the benchmark suites, and their report in files. */
#include "app/folders.h"
#include "app/outputs.h"
#include "cli/commands.h"
#include "cli/robots/edges.h"

#include "bench/narrow/methods.h"
#include "bench/report/headlines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_stopped(void *user) {
    (void)user;
    return app_is_stopped();
}

/* ---- progress ---- */

enum { PROGRESS_UNITS = 10000 };

typedef struct shown {
    app_progress progress;
    char label[64];
} shown;

static void show_progress(void *user, const char *label, double part) {
    shown *s = user;
    snprintf(s->label, sizeof s->label, "%-28.28s", label);
    s->progress.label = s->label;
    app_progress_update(&s->progress, (uint64_t)(part * PROGRESS_UNITS));
}

/* ---- options ---- */

typedef struct settings {
    bench_settings bench;
    uint64_t device;
    const char *out, *format, *methods;
    app_texts plugins, answers;
    bool list, json;
} settings;

/* Plugins and answers from files always run, whatever --methods says. */
static void bring(settings *set) {
    io_error error = {""};
    for (size_t i = 0; i < set->plugins.count; i++)
        if (!bench_bring_plugin(&set->bench, set->plugins.texts[i], &error))
            app_fail("bench: --plugin: %s", error.message);
    for (size_t i = 0; i < set->answers.count; i++)
        if (!bench_bring_answers(&set->bench, set->answers.texts[i], &error))
            app_fail("bench: --answers: %s", error.message);
}

static void choose_methods(settings *set) {
    if (!set->methods) {
        const graze_method_info *info;
        for (int m = 1; (info = graze_method_get((graze_method)m)) != NULL; m++) {
            if (m >= BENCH_METHODS) app_fail("bench: no room for method %s (BENCH_METHODS)", info->name);
            set->bench.methods[m] = info->available != 0;
        }
        return;
    }
    char *list = app_text("%s", set->methods);
    bool some = false;
    for (char *name = list; name;) {
        char *comma = strchr(name, ',');
        if (comma) *comma = '\0';
        if (*name) {
            int m = bench_method_find(&set->bench, name);
            set->bench.methods[bench_method_brought(&set->bench, m) ? m : (int)app_method(name)] = true;
            some = true;
        }
        name = comma ? comma + 1 : NULL;
    }
    free(list);
    if (!some) app_fail("bench: --methods: names of methods with commas between them");
}

static void check(settings *set) {
    if (set->bench.threads > 1024) app_fail("bench: --threads: at most 1024");
    if (set->bench.time_budget < 0) app_fail("bench: --time-budget: seconds, not negative");
    if (set->bench.repeat > 1000) app_fail("bench: --repeat: at most 1000");
    if (strcmp(set->format, "html") != 0 && strcmp(set->format, "markdown") != 0)
        app_fail("bench: --format: '%s' is neither html nor markdown", set->format);
    if (!*set->out) app_fail("bench: --out: a folder's name");
    if (set->device != APP_ANY_DEVICE && set->device > INT32_MAX)
        app_fail("bench: --device: counted from 0, below 2^31");
    set->bench.device = set->device == APP_ANY_DEVICE ? 0 : set->device + 1;
    graze_context_destroy(app_context(1)); /* an instruction set that cannot run here is told now, not after the work */
    bring(set);
    choose_methods(set);
}

/* The command line as it could be typed again. */
static char *command_line(int argc, char **argv) {
    char *line = app_text("graze");
    for (int i = 0; i < argc; i++) {
        bool plain = argv[i][0] && !strpbrk(argv[i], " '\"\\$&|;<>()*?[]#~`\t\n");
        char *longer = app_text(plain ? "%s %s" : "%s '%s'", line, argv[i]);
        free(line);
        line = longer;
    }
    return line;
}

/* ---- files ---- */

typedef void write_report(const bench_report *report, FILE *stream);

static FILE *open_file(const settings *set, const bench_report *report, const char *id, const char *suffix,
                       io_output *file) {
    char *name = bench_file_name(report, id, suffix), *path = app_text("%s/%s", set->out, name);
    app_open_output("bench: --out", path, false, file);
    free(name);
    free(path);
    return file->stream;
}

/* A table as CSV, a figure as SVG and its points as CSV. */
static void write_item(const settings *set, const bench_report *report, const bench_item *item) {
    if (item->heading || (item->plot && item->plot->series_count == 0)) return;
    io_output file;
    bench_write_csv(report, item, open_file(set, report, item->table ? item->table->id : item->plot->id, "csv", &file));
    app_close_output(&file);
    if (!item->plot) return;
    bench_write_svg(item->plot, open_file(set, report, item->plot->id, "svg", &file));
    app_close_output(&file);
}

static void write_whole(const settings *set, const bench_report *report, const char *suffix, write_report *write) {
    io_output file;
    write(report, open_file(set, report, NULL, suffix, &file));
    app_close_output(&file);
}

/* Each table and figure and JSON always, and the report in the format asked for, whose path it returns. */
static char *write_files(const settings *set, const bench_report *report) {
    app_make_folder(set->out);
    for (size_t i = 0; i < report->item_count; i++) write_item(set, report, &report->items[i]);
    write_whole(set, report, "json", bench_write_json);
    bool html = strcmp(set->format, "html") == 0;
    write_whole(set, report, html ? "html" : "md", html ? bench_write_html : bench_write_markdown);
    char *name = bench_file_name(report, NULL, html ? "html" : "md"), *path = app_text("%s/%s", set->out, name);
    free(name);
    return path;
}

/* ---- suites ---- */

/* The suites of this build: "narrow, separation, …", or a line each. */
static char *list_suites(const char *before, const char *between, bool with_summaries) {
    char *list = app_text("%s", "");
    for (size_t i = 0; bench_suite_get(i); i++) {
        const bench_suite *suite = bench_suite_get(i);
        if (!suite->run) continue;
        char *longer = with_summaries
                           ? app_text("%s%s%-12s %s", list, *list ? between : before, suite->name, suite->summary)
                           : app_text("%s%s%s", list, *list ? between : before, suite->name);
        free(list);
        list = longer;
    }
    return list;
}

static int print_suites(bool json) {
    cJSON *list = cJSON_CreateArray(), *object = cJSON_CreateObject();
    for (size_t i = 0; bench_suite_get(i); i++) {
        const bench_suite *suite = bench_suite_get(i);
        if (!suite->run) continue;
        if (!json) printf("%-12s %s\n", suite->name, suite->summary);
        cJSON_AddItemToArray(list, cJSON_CreateString(suite->name));
    }
    cJSON_AddItemToObject(object, "suites", list);
    if (json) {
        app_print_json(object);
        return APP_OK;
    }
    printf("%-12s all of these, one after the other\n", "all");
    cJSON_Delete(object);
    return APP_OK;
}

static void run_suite(settings *set, const bench_suite *suite, bench_report *report) {
    io_error error = {""};
    shown s = {.label = ""};
    set->bench.watch = (bench_watch){.progress = show_progress, .stopped = is_stopped, .user = &s};
    app_progress_begin(&s.progress, suite->name, PROGRESS_UNITS);
    bool good = suite->run(&set->bench, report, &error);
    app_progress_end(&s.progress);
    if (!good) app_fail("bench: %s", error.message);
}

static bool in_all(const bench_suite *suite) {
    return suite->run && (!suite->needs_device || graze_backend_available(GRAZE_BACKEND_CUDA));
}

int cmd_bench(int argc, char **argv) {
    settings set = {
        .bench = {.seed = 1, .robots = &cli_robot_reader}, .device = APP_ANY_DEVICE, .out = "report", .format = "html"};
    const app_option options[] = {
        {"--data", APP_TEXT, &set.bench.data, "DIR",
         "query files, scene folders, or robots with their edges to measure on (generated data)"},
        {"--out", APP_TEXT, &set.out, "DIR", "folder for the report, JSON, CSV and SVG (report)"},
        {"--quick", APP_FLAG, &set.bench.quick, NULL, "little data and little time: under two minutes"},
        {"--format", APP_TEXT, &set.format, "html|markdown", "of the report (html)"},
        {"--seed", APP_COUNT, &set.bench.seed, "K", "another seed gives other generated data (1)"},
        {"--repeat", APP_COUNT, &set.bench.repeat, "N", "passes over fast cases; the least time counts (3)"},
        {"--time-budget", APP_NUMBER, &set.bench.time_budget, "S",
         "seconds for each method and data set; a method is scored on what it covered (the suite's default)"},
        {"--cases", APP_COUNT, &set.bench.cases, "N",
         "random queries of the suites agreement and safe (10000000, quick 100000)"},
        {"--methods", APP_TEXT, &set.methods, "A,B,…", "methods to run (all)"},
        {"--plugin", APP_LIST, &set.plugins, "FILE.so",
         "your own method beside them (graze/plugin.h); may be repeated"},
        {"--answers", APP_LIST, &set.answers, "NAME=FILE",
         "score answers that `graze query --out` wrote (with --data); may be repeated"},
        {"--threads", APP_COUNT, &set.bench.threads, "N",
         "threads for exact truth and of broad and step (0: all cores); the other suites time one"},
        {"--device", APP_COUNT, &set.device, "N", "GPU of the suite gpu, counted from 0"},
        {"--list", APP_FLAG, &set.list, NULL, "list the suites"},
        {"--json", APP_FLAG, &set.json, NULL, "the report as one JSON object on stdout"},
        {0},
    };
    char *names = list_suites("", ", ", false), *lines = list_suites("suites:\n  ", "\n  ", true);
    char *description = app_text(
        "Measures the methods against exact truth and against each other, and writes one self-contained HTML page\n"
        "with JSON, CSV and the figures as SVG beside it. Ctrl-C writes what there is so far. Without a suite: narrow "
        "--quick.\n\n%s\n"
        "  %-12s all of these, one after the other",
        lines, "all");
    const app_usage usage = {"bench", "[SUITE] [options] | --list", description, options,
                             "example: graze bench narrow --quick"};
    const char **operands = app_allocate((size_t)argc, sizeof *operands);
    int count = app_parse(&usage, argc, argv, operands);
    if (set.list && count == 0) {
        free(operands);
        free(description);
        free(lines);
        free(names);
        return print_suites(set.json);
    }
    if (set.list || count > 1) app_fail("bench: one suite at a time, or `all`");
    const char *name = count ? operands[0] : "narrow";
    if (!count && !set.bench.quick) {
        set.bench.quick = true;
        app_notice("bench: no suite is named: `narrow --quick`; there are: %s, all", names);
    }
    free(operands);
    const bench_suite *suite = bench_suite_find(name);
    bool all = strcmp(name, "all") == 0;
    if (!suite && !all) {
        char *choices = app_text("%s, all", names);
        app_fail_choice("suite", name, choices);
    }
    if (suite && !suite->run) app_fail("bench: the suite '%s' is not in this build; there are: %s, all", name, names);
    check(&set);
    app_check_folder(set.out); /* not after all the work */
    app_catch_stop();
    bench_report report;
    char *line = command_line(argc, argv);
    bench_report_begin(&report, name);
    bench_add_facts(&report, &set.bench, line);
    for (size_t i = 0; bench_suite_get(i); i++) {
        const bench_suite *each = bench_suite_get(i);
        if ((all ? in_all(each) : each == suite) && !app_is_stopped()) run_suite(&set, each, &report);
    }
    bench_add_headlines(&report);
    char *path = write_files(&set, &report);
    (set.json ? bench_write_json : bench_write_text)(&report, stdout);
    if (!set.json) printf("%s\n", path);
    free(path);
    free(line);
    free(description);
    free(lines);
    free(names);
    bench_report_free(&report);
    bench_release_brought(&set.bench);
    if (app_is_stopped()) {
        app_notice("stopped: the report has what there was until then");
        app_end_stopped();
    }
    return APP_OK;
}
