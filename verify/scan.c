#include "verify/scan.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool scan_fail(scanner *in, const char *format, ...) {
    size_t line = 1;
    for (const char *c = in->begin; c < in->at; c++) line += *c == '\n';
    char what[VERIFY_TEXT - 30];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    snprintf(in->message, VERIFY_TEXT, "%s (line %zu)", what, line);
    return false;
}

/* ---- bytes: nothing is read at the end or behind it ---- */

static char next(const scanner *in) { return in->at < in->end ? *in->at : '\0'; }

/* The next bytes; NUL for those behind the end. */
static void look_ahead(const scanner *in, char *bytes, size_t room) {
    const char *at = in->at;
    for (size_t i = 0; i < room; i++) bytes[i] = at < in->end ? *at++ : '\0';
}

static void go_on(scanner *in, size_t bytes) {
    while (bytes-- && in->at < in->end) in->at++;
}

static bool is_word(const char *text, const char *end, const char *word) {
    for (; *word && text < end; word++, text++)
        if (*text != *word) return false;
    return !*word && text == end;
}

/* ---- marks ---- */

static void skip_blanks(scanner *in) {
    while (next(in) == ' ' || next(in) == '\t' || next(in) == '\n' || next(in) == '\r') in->at++;
}

bool scan_take(scanner *in, char c) {
    skip_blanks(in);
    if (in->at >= in->end || *in->at != c) return false;
    in->at++;
    return true;
}

bool scan_expect(scanner *in, char c, const char *what) {
    return scan_take(in, c) || scan_fail(in, "expected %s", what);
}

bool scan_at_end(scanner *in) {
    skip_blanks(in);
    return in->at == in->end;
}

/* ---- texts ---- */

/* Bytes of the UTF-8 character that these begin with, not a control character; 0: it is none. */
static size_t character(const unsigned char c[4]) {
    if (c[0] < 0x20) return 0;
    if (c[0] < 0x80) return 1;
    size_t length = c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : 2;
    if (c[0] < 0xc2 || c[0] > 0xf4) return 0;
    for (size_t i = 1; i < length; i++)
        if (c[i] >> 6 != 2) return 0;
    bool too_long = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
    bool no_character = (c[0] == 0xed && c[1] > 0x9f) || (c[0] == 0xf4 && c[1] > 0x8f);
    return too_long || no_character ? 0 : length;
}

static bool take_character(scanner *in) {
    char bytes[4];
    look_ahead(in, bytes, sizeof bytes);
    size_t length = character((const unsigned char *)bytes);
    go_on(in, length);
    return length > 0;
}

static int hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Takes \uXXXX: its 16 bits; −1 where that is not what comes next. */
static long take_unit(scanner *in) {
    char bytes[6];
    look_ahead(in, bytes, sizeof bytes);
    if (bytes[0] != '\\' || bytes[1] != 'u') return -1;
    long unit = 0;
    for (int i = 2; i < 6; i++) {
        int digit = hex(bytes[i]);
        if (digit < 0) return -1;
        unit = unit * 16 + digit;
    }
    go_on(in, sizeof bytes);
    return unit;
}

/* From a backslash on; NUL and halves of pairs are refused. */
static bool take_escape(scanner *in) {
    char bytes[2];
    look_ahead(in, bytes, sizeof bytes);
    if (bytes[1] != 'u') {
        go_on(in, sizeof bytes);
        return bytes[1] && strchr("\"\\/bfnrt", bytes[1]);
    }
    long unit = take_unit(in);
    if (unit >= 0xd800 && unit < 0xdc00) {
        long low = take_unit(in);
        return low >= 0xdc00 && low < 0xe000;
    }
    return unit > 0 && !(unit >= 0xdc00 && unit < 0xe000);
}

static bool take_text(scanner *in, const char *what, const char **text, const char **end) {
    if (!scan_take(in, '"')) return scan_fail(in, "%s: expected a text", what);
    *text = in->at;
    for (char c; in->at < in->end && (c = *in->at) != '"';)
        if (c >= 0x20 && c < 0x7f && c != '\\') /* most are plain */
            in->at++;
        else if (!(c == '\\' ? take_escape(in) : take_character(in)))
            return scan_fail(in, "%s: a byte or an escape that no text may have", what);
    *end = in->at;
    return scan_expect(in, '"', "the end of a text");
}

bool scan_text(scanner *in, const char *what, const char **text, size_t *length) {
    const char *end;
    if (!take_text(in, what, text, &end)) return false;
    *length = (size_t)(end - *text);
    return true;
}

static int find_word(const char *const *words, int count, const char *text, const char *end) {
    for (int i = 0; i < count; i++)
        if (is_word(text, end, words[i])) return i;
    return -1;
}

bool scan_word(scanner *in, const char *const *words, int count, const char *what, int *which) {
    const char *text = NULL, *end = NULL;
    if (!take_text(in, what, &text, &end)) return false;
    *which = find_word(words, count, text, end);
    return *which >= 0 || scan_fail(in, "%s: not one of the words that it may be", what);
}

bool scan_name(scanner *in, const char *const *names, int count, unsigned *seen, int *which) {
    const char *text = NULL, *end = NULL;
    if (!take_text(in, "a name", &text, &end)) return false;
    *which = find_word(names, count, text, end);
    if (*which < 0) return scan_fail(in, "an unknown name");
    if (*seen >> *which & 1) return scan_fail(in, "\"%s\" occurs twice", names[*which]);
    *seen |= 1u << *which;
    return scan_expect(in, ':', "a colon after a name");
}

/* ---- numbers and words without quotes ---- */

enum { MOST_CHARACTERS = 400 };

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Takes digits; false: there is none. */
static bool take_digits(scanner *in) {
    bool some = is_digit(next(in));
    while (is_digit(next(in))) in->at++;
    return some;
}

/* Takes a number as the grammar has it. */
static bool take_number(scanner *in) {
    if (next(in) == '-') in->at++;
    if (next(in) == '0')
        in->at++; /* no digit follows */
    else if (!take_digits(in))
        return false;
    if (next(in) == '.') {
        in->at++;
        if (!take_digits(in)) return false;
    }
    if (next(in) != 'e' && next(in) != 'E') return true;
    in->at++;
    if (next(in) == '+' || next(in) == '-') in->at++;
    return take_digits(in);
}

bool scan_number(scanner *in, const char *what, double *x) {
    char number[MOST_CHARACTERS + 1];
    size_t length = 0;
    skip_blanks(in);
    scanner start = *in;
    if (!take_number(in) || is_digit(next(in))) {
        in->at = start.at;
        return scan_fail(in, "%s: expected a number", what);
    }
    for (; start.at < in->at && length < MOST_CHARACTERS; length++) number[length] = *start.at++;
    number[length] = '\0';
    if (start.at < in->at) return scan_fail(in, "%s: a number of more than %d characters", what, MOST_CHARACTERS);
    *x = strtod(number, NULL);
    return isfinite(*x) || scan_fail(in, "%s is not a finite double", what);
}

bool scan_numbers(scanner *in, const char *what, double *x, int count) {
    if (!scan_take(in, '[')) return scan_fail(in, "%s: expected %d numbers in brackets", what, count);
    for (int i = 0; i < count; i++) {
        if (i && !scan_take(in, ',')) return scan_fail(in, "%s: fewer than %d numbers", what, count);
        if (!scan_number(in, what, &x[i])) return false;
    }
    return scan_take(in, ']') || scan_fail(in, "%s: more than %d numbers", what, count);
}

static bool take_bare(scanner *in, const char *word) {
    skip_blanks(in);
    const char *at = in->at;
    for (; *word; word++, at++)
        if (at >= in->end || *at != *word) return false;
    in->at = at;
    return true;
}

bool scan_true(scanner *in, const char *what) {
    return take_bare(in, "true") || scan_fail(in, "%s: expected true", what);
}

bool scan_null(scanner *in) { return take_bare(in, "null"); }

bool scan_skip_object(scanner *in) {
    skip_blanks(in);
    if (next(in) != '{') return scan_fail(in, "expected a pair, {…}");
    size_t depth = 0; /* in brackets; the first byte opens one */
    bool quoted = false;
    for (; in->at < in->end; in->at++) {
        char c = *in->at;
        if (quoted) {
            if (c == '\\' && in->at + 1 < in->end)
                in->at++;
            else if (c == '"')
                quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' || c == '[') {
            depth++;
        } else if ((c == '}' || c == ']') && --depth == 0) {
            in->at++;
            return true;
        }
    }
    return scan_fail(in, "the last pair has no end");
}
