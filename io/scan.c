#include "io/scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

io_scan io_scan_open(const char *path, const char *bytes, size_t size, io_error *error) {
    bool marked = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0;
    const char *end = bytes + size;
    return (io_scan){
        .path = path, .begin = bytes, .at = marked ? bytes + 3 : bytes, .end = end, .stop = end, .error = error};
}

io_place io_scan_place(const io_scan *scan) {
    return (io_place){.line = scan->binary ? 0 : scan->line, .byte = (size_t)(scan->at - scan->begin)};
}

static bool fail_at(io_scan *scan, io_place place, const char *format, va_list arguments) {
    char reason[300];
    vsnprintf(reason, sizeof reason, format, arguments);
    if (place.line == 0 && scan->binary) return io_fail(scan->error, scan->path, 0, "byte %zu: %s", place.byte, reason);
    return io_fail(scan->error, scan->path, place.line, "%s", reason);
}

bool io_scan_fail(io_scan *scan, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_at(scan, io_scan_place(scan), format, arguments);
    va_end(arguments);
    return false;
}

bool io_scan_fail_at(io_scan *scan, io_place place, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_at(scan, place, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- lines ---- */

/* Each byte is looked at once for LF and once for CR, whatever ends the lines. */
static const char *next_of(const io_scan *scan, char c, const char **known) {
    if (!*known || *known < scan->at) {
        const char *found = memchr(scan->at, c, (size_t)(scan->end - scan->at));
        *known = found ? found : scan->end;
    }
    return *known;
}

/* The end of the line that `at` is in, or of the file. */
static const char *line_end(io_scan *scan) {
    const char *lf = next_of(scan, '\n', &scan->next_lf), *cr = next_of(scan, '\r', &scan->next_cr);
    return lf < cr ? lf : cr;
}

/* Behind a line end at `at`. */
static const char *after_end(const io_scan *scan, const char *at) {
    if (at == scan->end) return at;
    return at + (at[0] == '\r' && at + 1 < scan->end && at[1] == '\n' ? 2 : 1);
}

bool io_scan_line(io_scan *scan) {
    if (scan->line > 0) {
        if (scan->stop < scan->end) scan->at = scan->stop; /* perhaps the begin of a comment, not the line's end */
        scan->at = after_end(scan, line_end(scan));
    }
    scan->stop = scan->at;
    if (scan->at == scan->end) return false;
    scan->line++;
    scan->stop = line_end(scan);
    return true;
}

void io_scan_end_line(io_scan *scan) {
    const char *first = scan->begin;
    while (first < scan->stop && *first != '\r' && *first != '\n') first++;
    bool lone = first < scan->stop && *first == '\r' && first[1] != '\n';
    const char *after = lone && scan->stop < scan->end ? scan->stop + 1 : after_end(scan, scan->stop);
    if (scan->stop < scan->end) scan->line++;
    scan->at = after;
}

bool io_scan_filled_line(io_scan *scan, char comment) {
    while (io_scan_line(scan)) {
        const char *cut = comment ? memchr(scan->at, comment, (size_t)(scan->stop - scan->at)) : NULL;
        if (cut) scan->stop = cut;
        if (!io_scan_at_stop(scan)) return true;
    }
    return false;
}

void io_scan_join_lines(io_scan *scan) { scan->stop = scan->end; }

/* True if a line ends with this byte: a NUL follows the last one. */
static bool ends_line(const char *at) { return at[0] == '\n' || (at[0] == '\r' && at[1] != '\n'); }

void io_scan_skip_to(io_scan *scan, const char *to) {
    for (; scan->at < to; scan->at++) scan->line += ends_line(scan->at);
}

/* ---- words ---- */

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool io_scan_at_stop(io_scan *scan) {
    while (scan->at < scan->stop && is_blank(*scan->at)) {
        scan->line += ends_line(scan->at);
        scan->at++;
    }
    return scan->at == scan->stop;
}

bool io_scan_word(io_scan *scan, io_word *word) {
    if (io_scan_at_stop(scan)) return false;
    word->text = scan->at;
    while (scan->at < scan->stop && !is_blank(*scan->at)) scan->at++;
    word->length = (size_t)(scan->at - word->text);
    return true;
}

bool io_word_is(io_word word, const char *text) {
    return strlen(text) == word.length && memcmp(word.text, text, word.length) == 0;
}

/* The beginning of a word. */
static const char *shown(io_word word, char text[32]) {
    size_t length = word.length < 28 ? word.length : 28;
    memcpy(text, word.text, length);
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\0') text[i] = '?';
    strcpy(text + length, word.length > length ? "..." : "");
    return text;
}

bool io_word_number(io_scan *scan, io_word word, const char *what, double *x) {
    char *end;
    char text[32];
    *x = strtod(word.text, &end); /* stops at the blank or the NUL that follows every word */
    if (end != word.text + word.length)
        return io_scan_fail(scan, "expected %s, found '%s', which is not a number", what, shown(word, text));
    return true;
}

bool io_word_integer(io_scan *scan, io_word word, const char *what, int64_t *x) {
    bool negative = word.length > 0 && word.text[0] == '-';
    size_t i = word.length > 0 && (word.text[0] == '-' || word.text[0] == '+') ? 1 : 0;
    char text[32];
    bool good = i < word.length;
    int64_t value = 0;
    for (; good && i < word.length; i++) {
        int digit = word.text[i] - '0';
        good = digit >= 0 && digit <= 9 && value <= (INT64_MAX - digit) / 10;
        if (good) value = value * 10 + digit;
    }
    *x = negative ? -value : value;
    return good || io_scan_fail(scan, "expected %s, found '%s'", what, shown(word, text));
}

bool io_scan_number(io_scan *scan, const char *what, double *x) {
    io_word word;
    if (!io_scan_word(scan, &word))
        return io_scan_fail(scan, "expected %s, the %s ends", what, scan->stop == scan->end ? "file" : "line");
    return io_word_number(scan, word, what, x);
}

bool io_scan_integer(io_scan *scan, const char *what, int64_t *x) {
    io_word word;
    if (!io_scan_word(scan, &word))
        return io_scan_fail(scan, "expected %s, the %s ends", what, scan->stop == scan->end ? "file" : "line");
    return io_word_integer(scan, word, what, x);
}

/* ---- binary ---- */

bool io_scan_value(io_scan *scan, const char *what, void *value, size_t size) {
    if ((size_t)(scan->end - scan->at) < size)
        return io_scan_fail(scan, "the file is cut off: expected %s, %zu bytes are left", what,
                            (size_t)(scan->end - scan->at));
    unsigned char *to = value;
    for (size_t i = 0; i < size; i++) to[i] = (unsigned char)scan->at[scan->swap ? size - 1 - i : i];
    scan->at += size;
    return true;
}

bool io_scan_has_room(io_scan *scan, uint64_t count, uint64_t bytes_each, const char *what) {
    /* the last item of a text needs no blank after it */
    uint64_t left = (uint64_t)(scan->end - scan->at) + (scan->binary ? 0 : 1);
    if (bytes_each == 0 || count <= left / bytes_each) return true;
    return io_scan_fail(scan, "%llu %s claimed, but the rest of the file has room for at most %llu (cut off?)",
                        (unsigned long long)count, what, (unsigned long long)(left / bytes_each));
}
