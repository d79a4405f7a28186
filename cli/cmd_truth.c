/* graze truth: exact verdict and time of impact of every query; compares with the truth column, or fills it in. */
#include "app/folders.h"
#include "app/input_hash.h"
#include "app/outputs.h"
#include "app/query_files.h"
#include "cli/commands.h"
#include "cli/shard.h"
#include "cli/truths.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    cli_truth_job job;
    const char *kind, *out, *norm;
    cli_shard shard;
    bool resume, write, json;
} settings;

typedef struct tally {
    const char *path; /* NULL in a total */
    graze_kind kind;
    uint64_t queries, hits, decided; /* decided now, not taken from an old line */
    bool compared;
    uint64_t truth, disagreements;
    double seconds, slowest;
} tally;

enum { BLOCK = 1 << 12 }; /* queries whose lines are written at once: what an interruption can cost */

/* Says which query disagrees; the first ones of a file are enough. */
static void compare(const char *path, size_t first, const io_queries *queries, const unsigned char *hits, tally *t) {
    enum { SHOWN = 5 };
    t->compared = true;
    for (size_t i = 0; i < queries->count; i++) {
        t->truth += queries->truth[i];
        if (hits[i] == queries->truth[i]) continue;
        if (++t->disagreements <= SHOWN)
            app_notice("%s:%zu: query %zu %s, but column 7 says %d", path, 8 * (first + i) + 1, first + i,
                       hits[i] ? "touches" : "is clear", queries->truth[i]);
    }
    if (t->disagreements > SHOWN)
        app_notice("%s: %llu queries disagree with column 7", path, (unsigned long long)t->disagreements);
}

/* Says how to go on, and ends as the signal would. */
static void end_stopped(const settings *set, app_progress *progress) {
    app_progress_end(progress);
    if (set->out)
        app_notice("truth: stopped; the same command with --resume goes on from the lines in %s.graze-part", set->out);
    else
        app_notice("truth: stopped; with --out FILE.jsonl a run can be continued by --resume");
    app_end_stopped();
}

/* ---- lines ---- */

static char *line_text(const char *file, size_t index, const char *input, const cli_truth *answer) {
    char *quoted = app_quoted(file);
    char *text = answer->hit ? app_text("{\"file\":%s,\"index\":%zu,\"input\":\"%s\",\"hit\":true,\"toi_lower\":%.17g,"
                                        "\"toi_upper\":%.17g,\"polynomial\":%s}",
                                        quoted, index, input, answer->lower, answer->upper, answer->polynomial)
                             : app_text("{\"file\":%s,\"index\":%zu,\"input\":\"%s\",\"hit\":false,"
                                        "\"toi_lower\":null,\"toi_upper\":null,\"polynomial\":null}",
                                        quoted, index, input);
    free(quoted);
    return text;
}

/* ---- one file ---- */

typedef struct work {
    const settings *set;
    const char *path;
    io_queries whole;   /* the file */
    io_queries queries; /* its queries in this shard, or all of them: points into it … */
    size_t first;       /* … from here on */
    io_sha256 begun;    /* the options, in front of each query's hash */
    cli_lines *lines;
    size_t next; /* old line to be looked at */
    unsigned char *hits;
    tally *t;
} work;

/* True if the next old line tells the truth of this query. */
static bool old_agrees(work *w, size_t index) {
    if (w->next >= w->lines->count) return false;
    char input[IO_SHA256_SHORT];
    app_hash_query(w->begun, w->t->kind, &w->queries.queries[index], input);
    cJSON *line = cli_old_line(w->lines, w->next);
    cli_check_place(w->lines, w->next, line, w->path, w->first + index);
    const cJSON *hit = cJSON_GetObjectItemCaseSensitive(line, "hit");
    bool good = cli_line_has_input(line, input) && cJSON_IsBool(hit);
    w->hits[index] = good && cJSON_IsTrue(hit);
    if (!good) cli_drop_line(w->lines, w->next);
    w->next++;
    cJSON_Delete(line);
    return good;
}

/* Decides queries from `first` on, and puts their lines. */
static void decide(work *w, size_t first, size_t count, cli_truth *answers, app_progress *progress) {
    const graze_query *queries = w->queries.queries + first;
    cli_find_truths(&w->set->job, w->path, w->t->kind, queries, count, answers, progress);
    for (size_t i = 0; i < count; i++) {
        char input[IO_SHA256_SHORT];
        app_hash_query(w->begun, w->t->kind, &queries[i], input);
        char *text = w->set->out ? line_text(w->path, w->first + first + i, input, &answers[i]) : NULL;
        if (text) cli_put_line(w->lines, text);
        free(text);
        w->hits[first + i] = answers[i].hit;
        w->t->seconds += answers[i].seconds;
        if (answers[i].seconds > w->t->slowest) w->t->slowest = answers[i].seconds;
        free(answers[i].polynomial);
    }
    cli_flush_lines(w->lines);
    w->t->decided += count;
}

/* Old lines are kept where they agree; what lies between them is decided in blocks. */
static void decide_file(work *w) {
    size_t count = w->queries.count, from = 0; /* all before it is told */
    cli_truth *answers = app_allocate(BLOCK, sizeof *answers);
    app_progress progress;
    app_progress_begin(&progress, "exact truth", count);
    for (size_t i = 0; i <= count; i++) {
        bool old = i < count && old_agrees(w, i);
        if (i > from && (old || i == count || i - from == BLOCK)) {
            if (app_is_stopped()) end_stopped(w->set, &progress);
            decide(w, from, i - from, answers, &progress);
            from = i;
        }
        if (!old) continue;
        cli_keep_line(w->lines, w->next - 1);
        progress.done = from = i + 1;
    }
    app_progress_end(&progress);
    free(answers);
}

/* Compares with column 7, or rewrites it. */
static void use_truth(const work *w) {
    const graze_truth_options *options = &w->set->job.options;
    const io_queries *queries = &w->queries;
    bool zero = options->min_separation == 0 && options->t_max == 1; /* column 7 speaks of contact, not of a distance */
    if (queries->truth && zero) compare(w->path, w->first, queries, w->hits, w->t);
    if (!w->set->write || (queries->truth && memcmp(w->hits, queries->truth, queries->count) == 0)) return;
    io_error error;
    io_forget_input(w->path); /* the one input that is meant to be rewritten */
    if (!io_write_query_csv(w->path, queries->queries, queries->count, w->hits, &error)) app_fail("%s", error.message);
    io_note_input(w->path);
}

/* `begin` is the file's place among the queries of all files, and becomes that of the next. */
static void do_file(const settings *set, const char *path, size_t *begin, cli_lines *lines, size_t *next, tally *t) {
    io_error error;
    *t = (tally){.path = path};
    work w = {.set = set, .path = path, .lines = lines, .next = *next, .t = t};
    if (!app_query_kind(path, set->kind, &t->kind, &error) || !io_read_query_csv(path, &w.whole, &error))
        app_fail("%s", error.message);
    w.queries = app_part_of_queries(&w.whole, set->shard.first, set->shard.end, begin, &w.first);
    w.begun = app_hash_truth(&set->job.options);
    w.hits = app_allocate(w.queries.count, 1);
    t->queries = w.queries.count;
    decide_file(&w);
    *next = w.next;
    for (size_t i = 0; i < t->queries; i++) t->hits += w.hits[i];
    use_truth(&w);
    free(w.hits);
    io_free_queries(&w.whole);
}

static tally total_of(const tally *files, size_t count) {
    tally total = {.kind = files[0].kind};
    for (size_t i = 0; i < count; i++) {
        const tally *t = &files[i];
        total.queries += t->queries;
        total.hits += t->hits;
        total.decided += t->decided;
        total.compared = total.compared || t->compared;
        total.truth += t->truth;
        total.disagreements += t->disagreements;
        total.seconds += t->seconds;
        if (t->slowest > total.slowest) total.slowest = t->slowest;
    }
    return total;
}

static double mean_us(const tally *t) { return t->decided ? 1e6 * t->seconds / (double)t->decided : NAN; }

static cJSON *tally_json(const tally *t, bool no_times) {
    cJSON *object = cJSON_CreateObject();
    if (t->path) {
        cJSON_AddItemToObject(object, "path", app_json_text(t->path));
        cJSON_AddStringToObject(object, "kind", graze_kind_name(t->kind));
    }
    cJSON_AddItemToObject(object, "queries", app_json_count(t->queries));
    cJSON_AddItemToObject(object, "hits", app_json_count(t->hits));
    cJSON_AddItemToObject(object, "decided", app_json_count(t->decided));
    cJSON_AddItemToObject(object, "truth", app_json_count(t->compared ? t->truth : GRAZE_NOT_COUNTED));
    cJSON_AddItemToObject(object, "disagreements", app_json_count(t->compared ? t->disagreements : GRAZE_NOT_COUNTED));
    if (no_times) return object;
    cJSON *time = cJSON_AddObjectToObject(object, "time_us");
    cJSON_AddItemToObject(time, "mean", app_json_double(mean_us(t)));
    cJSON_AddItemToObject(time, "max", app_json_double(t->decided ? 1e6 * t->slowest : NAN));
    return object;
}

static void print_json(const settings *set, const tally *files, size_t count, const tally *total) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToObject(object, "separation", app_json_double(set->job.options.min_separation));
    cJSON_AddStringToObject(object, "norm", set->norm);
    cJSON *list = cJSON_AddArrayToObject(object, "files");
    for (size_t i = 0; i < count; i++) cJSON_AddItemToArray(list, tally_json(&files[i], set->shard.no_times));
    cJSON_AddItemToObject(object, "total", tally_json(total, set->shard.no_times));
    app_print_json(object);
}

static void print_row(const tally *t, const char *name, bool no_times) {
    printf("%10llu %10llu", (unsigned long long)t->queries, (unsigned long long)t->hits);
    if (t->compared)
        printf(" %10llu", (unsigned long long)t->disagreements);
    else
        printf(" %10s", "-");
    if (!no_times && t->decided) printf(" %10.2f %10.1f", mean_us(t), 1e6 * t->slowest);
    if (!no_times && !t->decided) printf(" %10s %10s", "-", "-");
    char *shown = app_shown(name, 1000);
    printf("  %s\n", shown);
    free(shown);
}

static void print_table(const tally *files, size_t count, const tally *total, bool no_times) {
    printf("%10s %10s %10s", "queries", "hits", "disagree");
    if (!no_times) printf(" %10s %10s", "mean us", "max us");
    printf("\n");
    for (size_t i = 0; i < count; i++) print_row(&files[i], files[i].path, no_times);
    if (count > 1) print_row(total, "total", no_times);
}

int cmd_truth(int argc, char **argv) {
    settings set = {.job = {.options = graze_default_truth_options(), .polynomials = true}, .norm = "euclidean"};
    const app_option options[] = {
        {"--kind", APP_TEXT, &set.kind, "vf|ee", "kind of the queries, if neither folder nor file name says it"},
        {"--out", APP_TEXT, &set.out, "FILE.jsonl", "write the answer to each query, a line of JSON each"},
        {"--resume", APP_FLAG, &set.resume, NULL,
         "continue an interrupted --out file; changed lines and changed queries are decided again"},
        CLI_SHARD_OPTIONS(set.shard),
        {"--write", APP_FLAG, &set.write, NULL, "write the truth into column 7 of the files"},
        {"--separation", APP_NUMBER, &set.job.options.min_separation, "D", "distance that counts as contact (0)"},
        {"--norm", APP_TEXT, &set.norm, "euclidean|max", "how that distance is measured (euclidean)"},
        {"--t-max", APP_NUMBER, &set.job.options.t_max, "T", "end of the time interval, in (0, 1] (1)"},
        {"--threads", APP_COUNT, &set.job.threads, "N", "threads (0: all cores)"},
        {"--json", APP_FLAG, &set.json, NULL, "one JSON object on stdout"},
        {0},
    };
    const app_usage usage = {
        "truth", "FILE.csv… [options]",
        "Decides every query in exact arithmetic: whether the pair touches, the adjacent doubles around the first\n"
        "contact, and the integer polynomial of which it is a root. Compares with the truth in column 7 (for "
        "separation\n"
        "0) and exits 1 where they disagree. A folder stands for all CSV files below it.",
        options, "example: graze truth queries/ --out truth.jsonl --resume"};
    const char **operands = app_allocate((size_t)argc, sizeof *operands);
    int operand_count = app_parse(&usage, argc, argv, operands);
    cli_shard_prepare(&usage, &set.shard, "--out", &set.out, set.json, set.write ? "--write" : NULL);
    if (strcmp(set.norm, "max") == 0)
        set.job.options.norm = GRAZE_NORM_MAX;
    else if (strcmp(set.norm, "euclidean") != 0)
        app_fail("truth: --norm: '%s' is not a norm; there are: euclidean, max", set.norm);
    if (!(set.job.options.min_separation >= 0)) app_fail("truth: --separation: at least 0");
    if (!(set.job.options.t_max > 0 && set.job.options.t_max <= 1)) app_fail("truth: --t-max: above 0, at most 1");
    if (set.job.threads > 1024) app_fail("truth: --threads: at most 1024");
    if (set.resume && !set.out) app_fail("truth: --resume needs --out FILE");
    set.job.polynomials = set.out != NULL;
    io_paths paths = app_query_paths("truth", operands, operand_count);
    for (size_t i = 0; i < paths.count; i++) io_note_input(paths.paths[i]);
    app_catch_stop();
    cli_shard_deal(&set.shard, set.shard.path ? app_count_queries(&paths) : SIZE_MAX);
    cli_lines lines = cli_shard_open(&set.shard, "--out", set.out, set.resume, set.json);
    size_t next = 0, begin = 0;
    tally *files = app_allocate(paths.count, sizeof *files);
    for (size_t i = 0; i < paths.count; i++) do_file(&set, paths.paths[i], &begin, &lines, &next, &files[i]);
    cli_check_rest(&lines, next);
    cli_close_lines(&lines);
    tally total = total_of(files, paths.count);
    if (set.json)
        print_json(&set, files, paths.count, &total);
    else
        print_table(files, paths.count, &total, set.shard.no_times);
    free(files);
    free(operands);
    cli_shard_free(&set.shard);
    io_free_paths(&paths);
    return total.disagreements ? APP_FOUND : APP_OK;
}
