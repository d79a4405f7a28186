/* graze query: runs a method on queries and scores it against their truth. */
#include "app/certificate.h"
#include "app/folders.h"
#include "app/input_hash.h"
#include "app/narrow.h"
#include "app/query_files.h"
#include "cli/commands.h"
#include "cli/shard.h"

#include "app/each.h"
#include "io/pairs_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    app_narrow narrow;
    graze_options options;
    const char *kind, *truth, *out, *certificate;
    cli_shard shard;
    uint64_t repeat, threads;
    bool json, exit_code, resume;
    graze_context **contexts; /* one for each thread */
    double clock_seconds;     /* what reading the clock adds to a measured time */
} settings;

/* ---- counts and times ---- */

typedef struct score {
    const char *path; /* NULL in a total */
    bool has_kind, has_truth;
    graze_kind kind;
    uint64_t queries, hits, unresolved, truth, false_positives, false_negatives;
    uint64_t timed;  /* queries that were answered now, not by old lines */
    double *us;      /* time of each of them, sorted once it is complete */
    double batch_us; /* mean time of a query in a batch, and of how many; NAN and 0 where it was not measured */
    uint64_t batched;
} score;

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double mean(const score *s) {
    double sum = 0;
    for (uint64_t i = 0; i < s->timed; i++) sum += s->us[i];
    return sum / (double)s->timed; /* NAN without any */
}

/* The least time that `percent` of the queries do not exceed. */
static double percentile(const score *s, uint64_t percent) {
    uint64_t rank = (s->timed * percent + 99) / 100;
    return s->timed ? s->us[rank ? rank - 1 : 0] : NAN;
}

static void count_results(score *s, const graze_result *results, const unsigned char *truth) {
    for (uint64_t i = 0; i < s->queries; i++) {
        bool touches = results[i].verdict != GRAZE_CLEAR; /* unresolved counts as a hit when scoring */
        s->hits += results[i].verdict == GRAZE_HIT;
        s->unresolved += results[i].verdict == GRAZE_UNRESOLVED;
        if (!truth) continue;
        s->truth += truth[i];
        s->false_positives += touches && !truth[i];
        s->false_negatives += !touches && truth[i];
    }
}

/* Over the files that have truth; over all where none has. */
static score total_of(const score *files, size_t count) {
    score total = {0};
    bool some_truth = false;
    for (size_t i = 0; i < count; i++) some_truth = some_truth || files[i].has_truth;
    for (size_t i = 0; i < count; i++)
        if (files[i].has_truth == some_truth) total.queries += files[i].queries;
    total.us = app_allocate(total.queries, sizeof *total.us);
    total.has_truth = some_truth;
    bool first = true;
    uint64_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const score *file = &files[i];
        if (file->has_truth != some_truth) continue;
        total.has_kind = first || (total.has_kind && total.kind == file->kind);
        total.kind = file->kind;
        first = false;
        total.hits += file->hits;
        total.unresolved += file->unresolved;
        total.truth += file->truth;
        total.false_positives += file->false_positives;
        total.false_negatives += file->false_negatives;
        total.batch_us += file->batch_us * (double)file->batched;
        total.batched += file->batched;
        memcpy(total.us + used, file->us, file->timed * sizeof *total.us);
        used += file->timed;
    }
    total.timed = used;
    total.batch_us /= (double)total.batched; /* NAN without any */
    qsort(total.us, total.timed, sizeof *total.us, by_value);
    return total;
}

/* ---- running ---- */

typedef struct file_work {
    const settings *set;
    const char *path;
    io_queries whole;   /* the file */
    io_queries queries; /* its queries in this shard, or all of them: points into it … */
    size_t first;       /* … from here on */
    graze_result *results;
    size_t *open; /* the queries to be answered; the score says how many */
    size_t *old;  /* of each query the old line that stands for it; SIZE_MAX: none */
} file_work;

typedef struct job {
    const settings *set;
    graze_kind kind;
    const graze_query *queries;
    const size_t *open; /* the queries to be answered */
    graze_result *results;
    double *us;
    bool *warm; /* of each worker: its context has its buffers */
    app_progress *progress;
} job;

/* One call for one query: the one without a context, as it is cheaper, unless its memory does not suffice. */
static graze_status answer(const job *work, size_t worker, size_t i, double *seconds) {
    const graze_options *options = &work->set->options;
    graze_result result;
    double begin = app_seconds();
    graze_status status = graze_ccd(work->kind, &work->queries[i], options, &result);
    *seconds = app_seconds() - begin;
    if (status == GRAZE_OK && result.verdict == GRAZE_UNRESOLVED && result.reason == GRAZE_REASON_MEMORY) {
        graze_context *context = work->set->contexts[worker];
        if (!work->warm[worker]) graze_ccd_batch(context, work->kind, &work->queries[i], 1, options, &result);
        work->warm[worker] = true;
        begin = app_seconds();
        status = graze_ccd_batch(context, work->kind, &work->queries[i], 1, options, &result);
        *seconds = app_seconds() - begin;
    }
    work->results[i] = result;
    return status;
}

enum { CHUNK = 64 };

static graze_status time_query(void *user, size_t worker, size_t i) {
    job *work = user;
    double seconds;
    graze_status status = answer(work, worker, work->open[i], &seconds);
    double us = 1e6 * (seconds > work->set->clock_seconds ? seconds - work->set->clock_seconds : 0);
    if (us < work->us[i]) work->us[i] = us;
    if (worker == 0 && i % CHUNK == 0) /* the others are about as far */
        app_progress_update(work->progress, work->progress->done + CHUNK * work->set->threads);
    return status;
}

static bool run_queries(const file_work *w, score *s, io_error *error) {
    const settings *set = w->set;
    app_progress progress;
    size_t length;
    app_progress_begin(&progress, io_base_name(w->path, &length), set->repeat * s->timed);
    job work = {.set = set,
                .kind = s->kind,
                .queries = w->queries.queries,
                .open = w->open,
                .results = w->results,
                .us = s->us};
    work.warm = app_allocate(set->threads, sizeof *work.warm);
    work.progress = &progress;
    for (size_t i = 0; i < s->timed; i++) s->us[i] = 1e300;
    app_loop loop = {.count = s->timed, .threads = set->threads, .chunk = CHUNK, .item = time_query, .user = &work};
    graze_status status = GRAZE_OK;
    size_t refused = SIZE_MAX;
    for (uint64_t r = 0; r < set->repeat && refused == SIZE_MAX; r++) refused = app_each(&loop, &status);
    app_progress_end(&progress);
    free(work.warm);
    return refused == SIZE_MAX || app_refused_query(w->path, &w->whole, w->first + w->open[refused], status, error);
}

/* Times the same queries in one call, as many as single calls answer in a second. */
static void time_batch(const settings *set, const io_queries *queries, score *s, graze_result *results) {
    const double most_us = 1e6;
    double spent = 0;
    s->batch_us = NAN;
    if (s->timed < queries->count) return; /* there is no time of each */
    while (s->batched < queries->count && spent < most_us) spent += s->us[s->batched++];
    graze_context *context = app_context(set->threads);
    for (uint64_t r = 0; r <= set->repeat; r++) { /* once more: the first call finds its memory */
        double begin = app_seconds();
        graze_status status = graze_ccd_batch(context, s->kind, queries->queries, s->batched, &set->options, results);
        double us = 1e6 * (app_seconds() - begin) / (double)s->batched;
        if (status != GRAZE_OK) break; /* the single calls have told what is wrong */
        if (r > 0 && !(us >= s->batch_us)) s->batch_us = us;
    }
    graze_context_destroy(context);
}

/* Least time between two readings of the clock. */
static double clock_cost(void) {
    double least = 1;
    for (int i = 0; i < 1000; i++) {
        double begin = app_seconds();
        double spent = app_seconds() - begin;
        if (spent < least) least = spent;
    }
    return least;
}

/* ---- --out ---- */

static void put_number(char **to, const char *name, double x, bool known) {
    *to += known ? sprintf(*to, ",\"%s\":%.17g", name, x) : sprintf(*to, ",\"%s\":null", name);
}

/* Everything behind file, index and input, which is short. */
static void result_text(const graze_result *r, char text[400]) {
    bool hit = r->verdict == GRAZE_HIT;
    text += sprintf(text, "\"verdict\":\"%s\"", graze_verdict_name(r->verdict));
    if (hit) text += sprintf(text, ",\"proven\":%s", r->proven ? "true" : "false");
    if (r->verdict == GRAZE_UNRESOLVED) text += sprintf(text, ",\"reason\":\"%s\"", graze_reason_name(r->reason));
    put_number(&text, "toi", r->toi, true);
    put_number(&text, "toi_upper", r->toi_upper, hit && r->toi_upper <= 1);
    put_number(&text, "u", r->u, hit && r->u == r->u);
    put_number(&text, "v", r->v, hit && r->v == r->v);
    sprintf(text, ",\"checks\":%llu}", (unsigned long long)r->checks);
}

/* Lines of an earlier run, and the next of them. */
typedef struct continued {
    cli_lines lines;
    size_t next;
} continued;

/* The old line that answers this query, whose verdict is then that of the result; SIZE_MAX where none does. */
static size_t take_old(continued *out, const char *path, size_t index, const char *input, graze_result *result) {
    if (out->next >= out->lines.count) return SIZE_MAX;
    size_t i = out->next++;
    cJSON *line = cli_old_line(&out->lines, i);
    cli_check_place(&out->lines, i, line, path, index);
    bool good = cli_line_has_input(line, input) &&
                app_verdict_read(cJSON_GetObjectItemCaseSensitive(line, "verdict"), &result->verdict);
    if (!good) cli_drop_line(&out->lines, i);
    cJSON_Delete(line);
    return good ? i : SIZE_MAX;
}

static void find_old(file_work *w, continued *out, score *s) {
    io_sha256 begun = app_hash_narrow(&w->set->options);
    for (size_t i = 0; i < w->queries.count; i++) {
        char input[IO_SHA256_SHORT];
        w->old[i] = SIZE_MAX;
        if (w->set->resume) {
            app_hash_query(begun, s->kind, &w->queries.queries[i], input);
            w->old[i] = take_old(out, w->path, w->first + i, input, &w->results[i]);
        }
        if (w->old[i] == SIZE_MAX) w->open[s->timed++] = i;
    }
}

static void write_lines(const file_work *w, continued *out, graze_kind kind) {
    io_sha256 begun = app_hash_narrow(&w->set->options);
    char *quoted = app_quoted(w->path);
    for (size_t i = 0; i < w->queries.count; i++) {
        if (w->old[i] != SIZE_MAX) {
            cli_keep_line(&out->lines, w->old[i]);
            continue;
        }
        char input[IO_SHA256_SHORT], result[400];
        app_hash_query(begun, kind, &w->queries.queries[i], input);
        result_text(&w->results[i], result);
        char *text = app_text("{\"file\":%s,\"index\":%zu,\"input\":\"%s\",%s", quoted, w->first + i, input, result);
        cli_put_line(&out->lines, text);
        free(text);
    }
    cli_flush_lines(&out->lines);
    free(quoted);
}

/* ---- one file ---- */

/* The truth of --truth takes the place of the file's own. */
static bool take_truth(const settings *set, const char *path, io_queries *queries, io_error *error) {
    if (!set->truth) return true;
    io_booleans list;
    if (!io_read_booleans(set->truth, &list, error)) return false;
    if (list.count != queries->count) {
        io_fail(error, set->truth, 0, "%zu entries, but %s has %zu queries", list.count, path, queries->count);
        io_free_booleans(&list);
        return false;
    }
    free(queries->truth);
    queries->truth = list.values;
    return true;
}

static void use_results(const file_work *w, continued *out, app_certificate *proofs, score *s) {
    s->has_truth = w->queries.truth != NULL;
    count_results(s, w->results, w->queries.truth);
    if (w->set->out) write_lines(w, out, s->kind);
    for (size_t i = 0; proofs && i < w->queries.count; i++)
        app_certificate_query(proofs, w->path, w->first + i, s->kind, &w->queries.queries[i], &w->results[i]);
    if (w->set->json && !w->set->shard.no_times) time_batch(w->set, &w->queries, s, w->results);
    qsort(s->us, s->timed, sizeof *s->us, by_value);
}

/* `begin` is the file's place among the queries of all files, and becomes that of the next. */
static bool score_file(const settings *set, const char *path, size_t *begin, continued *out, app_certificate *proofs,
                       score *s, io_error *error) {
    *s = (score){.path = path, .has_kind = true};
    file_work w = {.set = set, .path = path};
    if (!app_query_kind(path, set->kind, &s->kind, error)) return false;
    if (!io_read_query_csv(path, &w.whole, error)) return false;
    bool good = take_truth(set, path, &w.whole, error);
    w.queries = app_part_of_queries(&w.whole, set->shard.first, set->shard.end, begin, &w.first);
    size_t count = w.queries.count;
    w.results = app_allocate(count, sizeof *w.results);
    w.open = app_allocate(count, sizeof *w.open);
    w.old = app_allocate(count, sizeof *w.old);
    s->us = app_allocate(count, sizeof *s->us);
    s->queries = count;
    find_old(&w, out, s);
    good = good && run_queries(&w, s, error);
    if (good) use_results(&w, out, proofs, s);
    free(w.results);
    free(w.open);
    free(w.old);
    io_free_queries(&w.whole);
    return good;
}

/* ---- what is printed ---- */

static cJSON *score_json(const score *s, bool no_times) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToObject(object, "path", s->path ? app_json_text(s->path) : cJSON_CreateNull());
    cJSON_AddItemToObject(object, "kind",
                          s->has_kind ? cJSON_CreateString(graze_kind_name(s->kind)) : cJSON_CreateNull());
    cJSON_AddItemToObject(object, "queries", app_json_count(s->queries));
    cJSON_AddItemToObject(object, "hits", app_json_count(s->hits));
    cJSON_AddItemToObject(object, "unresolved", app_json_count(s->unresolved));
    cJSON_AddItemToObject(object, "truth", app_json_count(s->has_truth ? s->truth : GRAZE_NOT_COUNTED));
    cJSON_AddItemToObject(object, "false_positives",
                          app_json_count(s->has_truth ? s->false_positives : GRAZE_NOT_COUNTED));
    cJSON_AddItemToObject(object, "false_negatives",
                          app_json_count(s->has_truth ? s->false_negatives : GRAZE_NOT_COUNTED));
    if (no_times) return object;
    cJSON *time = cJSON_AddObjectToObject(object, "time_us");
    cJSON_AddItemToObject(time, "mean", app_json_double(mean(s)));
    cJSON_AddItemToObject(time, "p50", app_json_double(percentile(s, 50)));
    cJSON_AddItemToObject(time, "p99", app_json_double(percentile(s, 99)));
    cJSON_AddItemToObject(time, "max", app_json_double(percentile(s, 100)));
    cJSON_AddItemToObject(object, "batch_us", app_json_double(s->batch_us));
    return object;
}

static void print_json(const settings *set, const score *files, size_t count, const score *total) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "method", graze_method_get(set->options.method)->name);
    cJSON_AddItemToObject(object, "separation", app_json_double(set->options.min_separation));
    cJSON_AddItemToObject(object, "tolerance", app_json_double(app_tolerance_in_force(&set->options)));
    cJSON_AddItemToObject(object, "t_max", app_json_double(set->options.t_max));
    cJSON_AddItemToObject(object, "repeat", app_json_count(set->repeat));
    if (!set->shard.no_times) {
        cJSON_AddItemToObject(object, "threads", app_json_count(set->threads));
        cJSON_AddStringToObject(object, "isa", graze_isa_name(graze_isa_in_use()));
    }
    cJSON *list = cJSON_AddArrayToObject(object, "files");
    for (size_t i = 0; i < count; i++) cJSON_AddItemToArray(list, score_json(&files[i], set->shard.no_times));
    cJSON_AddItemToObject(object, "total", score_json(total, set->shard.no_times));
    app_print_json(object);
}

static void print_row(const score *s, int width, bool no_times) {
    char *name = app_shown(s->path ? s->path : "total", (size_t)width);
    int bytes_more = name[0] == '\xe2' ? 2 : 0; /* an ellipsis has three bytes and one column */
    printf("%-*s  %-4s %9llu %8llu %6llu ", width + bytes_more, name, s->has_kind ? graze_kind_name(s->kind) : "-",
           (unsigned long long)s->queries, (unsigned long long)s->hits, (unsigned long long)s->unresolved);
    if (s->has_truth)
        printf("%8llu %7llu %7llu", (unsigned long long)s->truth, (unsigned long long)s->false_positives,
               (unsigned long long)s->false_negatives);
    else
        printf("%8s %7s %7s", "-", "-", "-");
    if (no_times)
        printf("\n");
    else if (s->timed)
        printf(" %9.3f %9.3f %9.3f %9.1f\n", mean(s), percentile(s, 50), percentile(s, 99), percentile(s, 100));
    else
        printf(" %9s %9s %9s %9s\n", "-", "-", "-", "-");
    free(name);
}

static void print_table(const settings *set, const score *files, size_t count, const score *total) {
    int width = 5;
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(files[i].path);
        if ((int)length > width) width = length > 56 ? 56 : (int)length;
    }
    bool no_times = set->shard.no_times;
    printf("method %s, separation %g%s\n\n", graze_method_get(set->options.method)->name, set->options.min_separation,
           no_times ? "" : ", times in µs for one query");
    printf("%-*s  %-4s %9s %8s %6s %8s %7s %7s", width, "file", "kind", "queries", "hits", "unres.", "truth", "false+",
           "false-");
    if (!no_times) printf(" %9s %9s %9s %9s", "mean", "p50", "p99", "max");
    printf("\n");
    for (size_t i = 0; i < count; i++) print_row(&files[i], width, no_times);
    if (count > 1) print_row(total, width, no_times);
}

/* ---- the command ---- */

static void prepare(settings *set) {
    app_certificate_choose("query", set->certificate, &set->narrow);
    set->options = app_narrow_options("query", &set->narrow);
    if (set->repeat == 0) app_fail("query: --repeat: at least 1");
    if (set->resume && !set->out) app_fail("query: --resume needs --out FILE");
    if (set->resume && set->certificate) app_fail("query: --certificate needs every answer of this run; not --resume");
    if (set->threads > 1024) app_fail("query: --threads: at most 1024");
    set->threads = app_threads(set->threads);
    set->contexts = app_allocate(set->threads, sizeof *set->contexts);
    for (uint64_t i = 0; i < set->threads; i++) set->contexts[i] = app_context(1);
    set->clock_seconds = clock_cost();
}

int cmd_query(int argc, char **argv) {
    settings set = {.narrow = APP_NARROW_DEFAULTS, .repeat = 1, .threads = 1};
    const app_option options[] = {
        APP_NARROW_OPTIONS(set.narrow),
        {"--kind", APP_TEXT, &set.kind, "vf|ee", "kind of the queries, if neither folder nor file name says it"},
        {"--truth", APP_TEXT, &set.truth, "FILE.json", "the truth of the one CSV file, as an array of booleans"},
        {"--repeat", APP_COUNT, &set.repeat, "N", "run everything N times and report the least times (1)"},
        {"--out", APP_TEXT, &set.out, "FILE.jsonl", "write the answer to each query, a line of JSON each"},
        {"--resume", APP_FLAG, &set.resume, NULL,
         "continue an interrupted --out file; changed lines and changed queries are answered again"},
        CLI_SHARD_OPTIONS(set.shard),
        {"--certificate", APP_TEXT, &set.certificate, "FILE.json", "write proofs that `graze verify` checks"},
        {"--threads", APP_COUNT, &set.threads, "N", "threads, each with its own queries (1; 0: all cores)"},
        {"--json", APP_FLAG, &set.json, NULL, "one JSON object on stdout"},
        {"--exit-code", APP_FLAG, &set.exit_code, NULL, "exit 1 when a query hits, else 3 when one is unresolved"},
        {0},
    };
    const app_usage usage = {
        "query", "FILE.csv… [options]",
        "Runs a method on queries and scores it against the truth in column 7. A query has 8 rows of numerators and\n"
        "denominators. A folder stands for all CSV files below it. Unresolved queries are scored as hits. Times are "
        "the\n"
        "wall time of one call for one query, without reading files. In the JSON, batch_us is the mean time of a "
        "query\n"
        "when one call answers many (as many as single calls answer in a second).",
        options, "example: graze query --method ti --json data/unit-tests/vertex-face/data_0_0.csv"};
    const char **operands = app_allocate((size_t)argc, sizeof *operands);
    int operand_count = app_parse(&usage, argc, argv, operands);
    cli_shard_prepare(&usage, &set.shard, "--out", &set.out, set.json, set.certificate ? "--certificate" : NULL);
    prepare(&set);
    io_paths paths = app_query_paths("query", operands, operand_count);
    if (set.truth && paths.count != 1) app_fail("query: --truth is for one CSV file, there are %zu", paths.count);

    io_error error = {""};
    for (size_t i = 0; i < paths.count; i++) io_note_input(paths.paths[i]);
    if (set.truth) io_note_input(set.truth);
    cli_shard_deal(&set.shard, set.shard.path ? app_count_queries(&paths) : SIZE_MAX);
    continued out = {.lines = cli_shard_open(&set.shard, "--out", set.out, set.resume, set.json)};
    app_certificate proofs;
    if (set.certificate) app_certificate_open(&proofs, set.certificate, &set.options, set.json);
    score *files = app_allocate(paths.count, sizeof *files);
    bool good = true;
    size_t begin = 0; /* of the next file, among all queries */
    for (size_t i = 0; good && i < paths.count; i++)
        good = score_file(&set, paths.paths[i], &begin, &out, set.certificate ? &proofs : NULL, &files[i], &error);
    if (!good) app_fail("%s", error.message);
    cli_check_rest(&out.lines, out.next);
    cli_close_lines(&out.lines);
    if (set.certificate) app_certificate_close(&proofs);
    score total = total_of(files, paths.count);
    (set.json ? print_json : print_table)(&set, files, paths.count, &total);

    bool hit = false, unresolved = false;
    for (size_t i = 0; i < paths.count; i++) {
        hit = hit || files[i].hits > 0;
        unresolved = unresolved || files[i].unresolved > 0;
        free(files[i].us);
    }
    for (uint64_t i = 0; i < set.threads; i++) graze_context_destroy(set.contexts[i]);
    free(set.contexts);
    cli_shard_free(&set.shard);
    free(total.us);
    free(files);
    free(operands);
    io_free_paths(&paths);
    return app_verdict_status(set.exit_code, hit, unresolved);
}
