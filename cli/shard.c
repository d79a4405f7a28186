#include "cli/shard.h"

#include "app/folders.h"
#include "app/input_hash.h"

#include "io/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- i/n ---- */

/* Digits up to `end`; false where there are none, something else, or too many. */
static bool read_count(const char *text, const char *end, uint64_t *count) {
    *count = 0;
    for (const char *at = text; at < end; at++) {
        if (*at < '0' || *at > '9' || *count > CLI_MOST_SHARDS) return false;
        *count = 10 * *count + (uint64_t)(*at - '0');
    }
    return end > text;
}

static void read_shard(cli_shard *shard) {
    const char *slash = strchr(shard->text, '/');
    if (!slash || !read_count(shard->text, slash, &shard->index) ||
        !read_count(slash + 1, shard->text + strlen(shard->text), &shard->count))
        app_fail("%s: --shard: '%s' is not I/N, the number of a part and how many there are", shard->command,
                 shard->text);
    if (shard->count < 1 || shard->count > CLI_MOST_SHARDS)
        app_fail("%s: --shard: '%s': 1 to %d parts", shard->command, shard->text, CLI_MOST_SHARDS);
    if (shard->index < 1 || shard->index > shard->count)
        app_fail("%s: --shard: '%s': parts are numbered from 1 to %llu", shard->command, shard->text,
                 (unsigned long long)shard->count);
}

/* ---- options ---- */

/* True for options that change no line. */
static bool is_about_the_run(const char *name) {
    static const char *const names[] = {"--shard",   "--shard-out", "--no-times",  "--out", "--lines",  "--resume",
                                        "--threads", "--device",    "--exit-code", "-v",    "--repeat", "--json"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

/* Text in memory that grows by printing. */
static void append(char **text, const char *name, const char *value) {
    char *longer = app_text("%s%s%s%s%s", *text, **text ? " " : "", name, *value ? " " : "", value);
    free(*text);
    *text = longer;
}

static void append_option(char **text, const app_option *option) {
    char number[40];
    const app_texts *list = option->value;
    switch (option->type) {
    case APP_FLAG:
        if (*(const bool *)option->value) append(text, option->name, "");
        break;
    case APP_TEXT:
        if (*(const char *const *)option->value) append(text, option->name, *(const char *const *)option->value);
        break;
    case APP_NUMBER:
        snprintf(number, sizeof number, "%.17g", *(const double *)option->value);
        append(text, option->name, number);
        break;
    case APP_COUNT:
        snprintf(number, sizeof number, "%llu", (unsigned long long)*(const uint64_t *)option->value);
        append(text, option->name, number);
        break;
    case APP_LIST:
        for (size_t i = 0; i < list->count; i++) append(text, option->name, list->texts[i]);
        break;
    }
}

static char *options_text(const app_usage *usage) {
    char *text = app_text("%s", "");
    for (const app_option *option = usage->options; option->name; option++)
        if (!is_about_the_run(option->name)) append_option(&text, option);
    io_make_printable(text);
    return text;
}

/* ---- preparing ---- */

static void check(const cli_shard *shard, const char *option, const char *list, bool json, const char *whole) {
    const char *command = shard->command;
    if (shard->text && !shard->folder) app_fail("%s: --shard needs --shard-out DIR", command);
    if (shard->folder && !shard->text) app_fail("%s: --shard-out needs --shard I/N", command);
    if (!shard->text) return;
    if (!*shard->folder) app_fail("%s: --shard-out: a folder's name", command);
    if (list) app_fail("%s: %s is for a whole run; `graze merge` writes it from the shards", command, option);
    if (json) app_fail("%s: --json is for a whole run; a shard has only lines", command);
    if (whole) app_fail("%s: %s is for a whole run, not for a shard", command, whole);
}

void cli_shard_prepare(const app_usage *usage, cli_shard *shard, const char *option, const char **list, bool json,
                       const char *whole) {
    shard->command = usage->command;
    check(shard, option, *list, json, whole);
    if (!shard->text) return;
    read_shard(shard);
    shard->options = options_text(usage);
    shard->no_times = true;
    shard->path = app_text("%s/shard-%llu-of-%llu.jsonl", shard->folder, (unsigned long long)shard->index,
                           (unsigned long long)shard->count);
    *list = shard->path;
}

static size_t share(size_t items, uint64_t i, uint64_t n) { /* ⌊items · i/n⌋, where the product may not fit */
    return (size_t)(items / n * i + items % n * i / n);
}

void cli_shard_deal(cli_shard *shard, size_t items) {
    shard->items = shard->end = items;
    if (!shard->path) return;
    shard->first = share(items, shard->index - 1, shard->count);
    shard->end = share(items, shard->index, shard->count);
}

/* ---- the first line ---- */

static void hash_inputs(char text[IO_SHA256_TEXT]) {
    io_sha256 hash;
    io_sha256_begin(&hash);
    app_hash_files(&hash);
    io_sha256_end(&hash, text);
}

static char *first_line(const cli_shard *shard) {
    char *options = app_quoted(shard->options), neighbors[2 * IO_SHA256_TEXT + 40] = "";
    if (shard->begins[0])
        snprintf(neighbors, sizeof neighbors, ",\"begins\":\"%s\",\"ends\":\"%s\"", shard->begins, shard->ends);
    char *line = app_text("{\"graze\":\"shard\",\"version\":\"%s\",\"command\":\"%s\",\"shard\":%llu,\"of\":%llu,"
                          "\"items\":%zu,\"options\":%s,\"inputs\":\"%s\"%s}",
                          graze_version(), shard->command, (unsigned long long)shard->index,
                          (unsigned long long)shard->count, shard->items, options, shard->inputs, neighbors);
    free(options);
    return line;
}

cli_lines cli_shard_open(cli_shard *shard, const char *option, const char *list, bool resume, bool json) {
    if (!shard->path) return cli_open_lines(option, list, resume, json);
    if (!shard->inputs[0]) hash_inputs(shard->inputs);
    app_make_folder(shard->folder);
    char *first = first_line(shard);
    cli_lines lines = cli_open_shard_lines(shard->path, first, resume);
    free(first);
    return lines;
}

void cli_shard_free(cli_shard *shard) {
    free(shard->options);
    free(shard->path);
}
