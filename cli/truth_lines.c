#include "cli/truth_lines.h"

#include "app/folders.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

cli_truth_lines cli_open_truth_lines(const char *path, bool resume, bool json) {
    cli_truth_lines lines = {.path = path};
    if (!path) return lines;
    if (strcmp(path, "-") == 0) {
        if (resume) cli_fail("--out -: standard output cannot be continued");
        cli_open_output("--out", path, json, &lines.output);
    }
    io_error error;
    size_t size = 0;
    if (resume && !io_read_growing(path, &lines.old, &size, &error)) cli_fail("%s", error.message);
    while (size > 0 && lines.old[size - 1] != '\n') size--;
    lines.old_size = size;
    return lines;
}

bool cli_more_old_lines(const cli_truth_lines *lines) { return lines->at < lines->old_size; }

/* A line without its newline. Free it. */
static char *line_text(const char *file, size_t index, const cli_truth *answer) {
    char *quoted = cli_quoted(file);
    char *text = answer->hit
                     ? cli_text("{\"file\":%s,\"index\":%zu,\"hit\":true,\"toi_lower\":%.17g,\"toi_upper\":%.17g,"
                                "\"polynomial\":%s}",
                                quoted, index, answer->lower, answer->upper, answer->polynomial)
                     : cli_text("{\"file\":%s,\"index\":%zu,\"hit\":false,\"toi_lower\":null,\"toi_upper\":null,"
                                "\"polynomial\":null}",
                                quoted, index);
    free(quoted);
    return text;
}

bool cli_take_old_line(cli_truth_lines *lines, const char *file, size_t index) {
    const char *start = lines->old + lines->at;
    size_t length = (size_t)((const char *)memchr(start, '\n', lines->old_size - lines->at) - start);
    lines->line_start = lines->at;
    lines->at += length + 1;
    lines->line++;
    cJSON *line = cJSON_ParseWithLength(start, length);
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(line, "file");
    const cJSON *place = cJSON_GetObjectItemCaseSensitive(line, "index");
    const cJSON *hit = cJSON_GetObjectItemCaseSensitive(line, "hit");
    cJSON *this_file = cli_json_text(file);
    bool good = cJSON_IsString(name) && cJSON_Compare(name, this_file, 1) && cJSON_IsNumber(place) &&
                place->valuedouble == (double)index && cJSON_IsBool(hit);
    bool touches = cJSON_IsTrue(hit);
    cJSON_Delete(this_file);
    cJSON_Delete(line);
    if (!good)
        cli_fail("%s:%zu: not the line of query %zu of %s; --resume continues the same files in the same order",
                 lines->path, lines->line, index, file);
    return touches;
}

void cli_check_old_line(const cli_truth_lines *lines, const char *file, size_t index, const cli_truth *answer) {
    char *again = line_text(file, index, answer);
    size_t length = lines->at - lines->line_start - 1;
    if (strlen(again) != length || memcmp(again, lines->old + lines->line_start, length) != 0)
        cli_fail("%s:%zu: this run says otherwise; --resume continues with the same options on the same queries",
                 lines->path, lines->line);
    free(again);
}

/* Old lines stay, what follows them goes. */
static void start_writing(cli_truth_lines *lines) {
    io_error error;
    if (!io_open_growing(lines->path, lines->old, lines->old_size, &lines->output, &error))
        cli_fail("--out: %s", error.message);
}

void cli_put_truth_lines(cli_truth_lines *lines, const char *file, size_t first, const cli_truth *answers,
                         size_t count) {
    if (!lines->path) return;
    if (!lines->output.open) start_writing(lines);
    for (size_t i = 0; i < count; i++) {
        char *text = line_text(file, first + i, &answers[i]);
        fprintf(lines->output.stream, "%s\n", text);
        free(text);
    }
    if (fflush(lines->output.stream) != 0) cli_fail("%s: cannot write: %s", lines->path, strerror(errno));
}

void cli_close_truth_lines(cli_truth_lines *lines) {
    if (!lines->path) return;
    if (cli_more_old_lines(lines))
        cli_fail("%s:%zu: more lines than queries; --resume continues the same files in the same order", lines->path,
                 lines->line + 1);
    if (!lines->output.open) start_writing(lines); /* no query was left, half a line may be */
    cli_close_output(&lines->output);
    free(lines->old);
    *lines = (cli_truth_lines){0};
}
