#include "cli/lines.h"

#include "app/folders.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char check_name[] = ",\"check\":\"";
enum { CHECK_NAME = sizeof check_name - 1, DIGITS = IO_SHA256_SHORT - 1, CHECK_SIZE = CHECK_NAME + DIGITS + 2 };

static void check_of(const char *bytes, size_t size, char digits[IO_SHA256_SHORT]) {
    io_sha256 hash;
    char whole[IO_SHA256_TEXT];
    io_sha256_begin(&hash);
    io_sha256_bytes(&hash, bytes, size);
    io_sha256_end(&hash, whole);
    memcpy(digits, whole, DIGITS);
    digits[DIGITS] = '\0';
}

/* ---- opening ---- */

static void find_lines(cli_lines *lines, size_t size) {
    size_t capacity = 0;
    for (size_t at = lines->lead; at < size; at++) {
        if (lines->old[at] != '\n') continue;
        if (lines->count == capacity) {
            capacity = capacity ? 2 * capacity : 256;
            lines->ends = realloc(lines->ends, capacity * sizeof *lines->ends);
            if (!lines->ends) app_fail("out of memory");
        }
        lines->ends[lines->count++] = at;
    }
}

static size_t start_of(const cli_lines *lines, size_t i) { return i ? lines->ends[i - 1] + 1 : lines->lead; }

/* Its place in the file, counted from 1. */
static size_t number_of(const cli_lines *lines, size_t i) { return i + 1 + (lines->lead > 0); }

static FILE *stream_of(cli_lines *lines) {
    io_error error;
    if (!lines->output.open &&
        !io_open_growing(lines->path, lines->old, start_of(lines, lines->kept), &lines->output, &error))
        app_fail("%s: %s", lines->option, error.message);
    return lines->output.stream;
}

/* `object` with its check and a newline. Free it. */
static char *checked(const char *object) {
    size_t size = strlen(object) - 1; /* without its brace */
    char digits[IO_SHA256_SHORT];
    check_of(object, size, digits);
    return app_text("%.*s%s%s\"}\n", (int)size, object, check_name, digits);
}

static size_t read_old(cli_lines *lines) {
    io_error error;
    size_t size = 0;
    if (!io_read_growing(lines->path, &lines->old, &size, &error)) app_fail("%s: %s", lines->option, error.message);
    return size;
}

cli_lines cli_open_lines(const char *option, const char *path, bool resume, bool json) {
    cli_lines lines = {.option = option, .path = path};
    if (!path) return lines;
    if (strcmp(path, "-") == 0) {
        if (resume) app_fail("%s -: standard output cannot be continued", option);
        app_open_output(option, path, json, &lines.output);
    }
    if (resume) find_lines(&lines, read_old(&lines));
    if (!resume) stream_of(&lines); /* a file that cannot be written is told before long work */
    return lines;
}

/* ---- shards ---- */

/* Old lines must stand behind the same first line. One that was cut off within it left nothing. */
static size_t begin_shard(cli_lines *lines, char *first, size_t size) {
    bool same = size >= lines->lead && memcmp(lines->old, first, lines->lead) == 0;
    if (!same && size && memchr(lines->old, '\n', size))
        app_fail("%s: made from other inputs, with other options or by another version; without --resume it is made "
                 "anew",
                 lines->path);
    if (!same) {
        free(lines->old);
        lines->old = first;
        return lines->lead;
    }
    free(first);
    return size;
}

static const char end_name[] = "{\"graze\":\"end of shard\",";

static void forget_end(cli_lines *lines) {
    size_t last = lines->count - 1, length = sizeof end_name - 1;
    if (lines->count && lines->ends[last] - start_of(lines, last) >= length &&
        memcmp(lines->old + start_of(lines, last), end_name, length) == 0)
        lines->count--;
}

cli_lines cli_open_shard_lines(const char *path, const char *first, bool resume) {
    cli_lines lines = {.option = "--shard-out", .path = path};
    char *line = checked(first);
    lines.lead = strlen(line);
    size_t size = begin_shard(&lines, line, resume ? read_old(&lines) : 0);
    io_sha256_begin(&lines.hash);
    io_sha256_bytes(&lines.hash, lines.old, lines.lead);
    find_lines(&lines, size);
    forget_end(&lines);
    if (!resume) stream_of(&lines);
    return lines;
}

static void put_end(cli_lines *lines) {
    char hash[IO_SHA256_TEXT];
    io_sha256_end(&lines->hash, hash);
    char *end = app_text("%s\"lines\":%zu,\"hash\":\"%s\"}", end_name, lines->written, hash);
    cli_put_line(lines, end);
    free(end);
}

/* ---- old lines ---- */

bool cli_line_is_whole(const char *text, size_t length) {
    if (length < CHECK_SIZE) return false;
    const char *end = text + length - CHECK_SIZE;
    char digits[IO_SHA256_SHORT];
    check_of(text, length - CHECK_SIZE, digits);
    return memcmp(end, check_name, CHECK_NAME) == 0 && memcmp(end + CHECK_NAME, digits, DIGITS) == 0 &&
           memcmp(end + CHECK_NAME + DIGITS, "\"}", 2) == 0;
}

cJSON *cli_old_line(const cli_lines *lines, size_t i) {
    size_t start = start_of(lines, i), length = lines->ends[i] - start;
    cJSON *line =
        cli_line_is_whole(lines->old + start, length) ? cJSON_ParseWithLength(lines->old + start, length) : NULL;
    if (cJSON_IsObject(line)) return line;
    cJSON_Delete(line);
    return NULL;
}

bool cli_line_has_input(const cJSON *line, const char *input) {
    const cJSON *there = cJSON_GetObjectItemCaseSensitive(line, "input");
    return cJSON_IsString(there) && strcmp(there->valuestring, input) == 0;
}

bool cli_line_has_its_times(const cJSON *line, bool no_times) {
    return (cJSON_GetObjectItemCaseSensitive(line, "time_ms") == NULL) == no_times;
}

void cli_check_place(const cli_lines *lines, size_t i, const cJSON *line, const char *file, size_t index) {
    if (!line) return;
    const cJSON *place = cJSON_GetObjectItemCaseSensitive(line, "index");
    cJSON *this_file = app_json_text(file);
    bool same = cJSON_Compare(cJSON_GetObjectItemCaseSensitive(line, "file"), this_file, 1) && cJSON_IsNumber(place) &&
                place->valuedouble == (double)index;
    cJSON_Delete(this_file);
    if (!same)
        app_fail("%s:%zu: not the line of query %zu of %s; --resume continues the same files in the same order",
                 lines->path, number_of(lines, i), index, file);
}

void cli_check_rest(const cli_lines *lines, size_t next) {
    if (next < lines->count)
        app_fail("%s:%zu: more lines than queries; --resume continues the same files in the same order", lines->path,
                 number_of(lines, next));
}

/* ---- writing ---- */

static void count_line(cli_lines *lines, const char *line, size_t size) {
    if (lines->lead) io_sha256_bytes(&lines->hash, line, size);
    lines->written++;
}

void cli_keep_line(cli_lines *lines, size_t i) {
    size_t start = start_of(lines, i), size = lines->ends[i] - start + 1;
    if (!lines->output.open && i == lines->kept)
        lines->kept++;
    else
        fwrite(lines->old + start, 1, size, stream_of(lines));
    count_line(lines, lines->old + start, size);
}

void cli_drop_line(cli_lines *lines, size_t i) {
    if (lines->again++ == 0) lines->first = i;
}

void cli_put_line(cli_lines *lines, const char *object) {
    if (!lines->path) return;
    char *line = checked(object);
    size_t size = strlen(line);
    fwrite(line, 1, size, stream_of(lines));
    count_line(lines, line, size);
    free(line);
}

void cli_flush_lines(cli_lines *lines) {
    if (lines->output.open && fflush(lines->output.stream) != 0)
        app_fail("%s: cannot write: %s", lines->path, strerror(errno));
}

static void release(cli_lines *lines) {
    if (lines->again)
        app_notice("%s: %zu line%s changed since, or of other input, made again; the first was line %zu", lines->path,
                   lines->again, app_plural(lines->again), number_of(lines, lines->first));
    free(lines->old);
    free(lines->ends);
    *lines = (cli_lines){0};
}

void cli_close_lines(cli_lines *lines) {
    if (!lines->path) return;
    stream_of(lines); /* all lines may have been there, and half of one behind them */
    if (lines->lead) put_end(lines);
    app_close_output(&lines->output);
    release(lines);
}

void cli_abandon_lines(cli_lines *lines) {
    if (!lines->path) return;
    io_abandon_output(&lines->output);
    release(lines);
}
