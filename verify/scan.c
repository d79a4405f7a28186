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

static char next(const scanner *in) { return in->at < in->end ? *in->at : '\0'; }

static void skip_blanks(scanner *in) {
    while (next(in) == ' ' || next(in) == '\t' || next(in) == '\n' || next(in) == '\r') in->at++;
}

bool scan_take(scanner *in, char c) {
    skip_blanks(in);
    if (in->at == in->end || *in->at != c) return false;
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

/* Bytes of the UTF-8 character here, not a control character; 0: it is none. */
static size_t character(const scanner *in) {
    const unsigned char *c = (const unsigned char *)in->at;
    if (c[0] < 0x20) return 0;
    if (c[0] < 0x80) return 1;
    size_t length = c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : 2;
    if (c[0] < 0xc2 || c[0] > 0xf4 || (size_t)(in->end - in->at) < length) return 0;
    for (size_t i = 1; i < length; i++)
        if (c[i] >> 6 != 2) return 0;
    bool too_long = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
    bool no_character = (c[0] == 0xed && c[1] > 0x9f) || (c[0] == 0xf4 && c[1] > 0x8f);
    return too_long || no_character ? 0 : length;
}

static int hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The 16 bits of \uXXXX; −1 where that is not what comes next. */
static long escaped_unit(scanner *in) {
    if (in->end - in->at < 6 || in->at[0] != '\\' || in->at[1] != 'u') return -1;
    long unit = 0;
    for (int i = 2; i < 6; i++) {
        int digit = hex(in->at[i]);
        if (digit < 0) return -1;
        unit = unit * 16 + digit;
    }
    in->at += 6;
    return unit;
}

/* After a backslash; NUL and halves of pairs are refused. */
static bool take_escape(scanner *in) {
    if (in->end - in->at < 2) return false;
    if (in->at[1] != 'u') {
        bool known = memchr("\"\\/bfnrt", in->at[1], 8) != NULL;
        in->at += 2;
        return known;
    }
    long unit = escaped_unit(in);
    if (unit >= 0xd800 && unit < 0xdc00) {
        long low = escaped_unit(in);
        return low >= 0xdc00 && low < 0xe000;
    }
    return unit > 0 && !(unit >= 0xdc00 && unit < 0xe000);
}

bool scan_text(scanner *in, const char *what, const char **text, size_t *length) {
    if (!scan_take(in, '"')) return scan_fail(in, "%s: expected a text", what);
    *text = in->at;
    while (in->at < in->end && *in->at != '"') {
        size_t bytes = *in->at == '\\' ? 0 : character(in);
        if (bytes == 0 && !(*in->at == '\\' && take_escape(in)))
            return scan_fail(in, "%s: a byte or an escape that no text may have", what);
        in->at += bytes;
    }
    *length = (size_t)(in->at - *text);
    return scan_expect(in, '"', "the end of a text");
}

static int find_word(const char *const *words, int count, const char *text, size_t length) {
    for (int i = 0; i < count; i++)
        if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0) return i;
    return -1;
}

bool scan_word(scanner *in, const char *const *words, int count, const char *what, int *which) {
    const char *text;
    size_t length;
    if (!scan_text(in, what, &text, &length)) return false;
    *which = find_word(words, count, text, length);
    return *which >= 0 || scan_fail(in, "%s: not one of the words that it may be", what);
}

bool scan_name(scanner *in, const char *const *names, int count, unsigned *seen, int *which) {
    const char *text;
    size_t length;
    if (!scan_text(in, "a name", &text, &length)) return false;
    *which = find_word(names, count, text, length);
    if (*which < 0) return scan_fail(in, "an unknown name");
    if (*seen >> *which & 1) return scan_fail(in, "\"%s\" occurs twice", names[*which]);
    *seen |= 1u << *which;
    return scan_expect(in, ':', "a colon after a name");
}

/* ---- numbers and words without quotes ---- */

static size_t digits(const char *at) {
    size_t count = 0;
    while (at[count] >= '0' && at[count] <= '9') count++;
    return count;
}

/* Length of the number here by the grammar; 0: it is none. The NUL at the end stops it. */
static size_t number_length(const char *start) {
    const char *at = start;
    if (*at == '-') at++;
    size_t whole = digits(at);
    if (whole == 0 || (whole > 1 && *at == '0')) return 0;
    at += whole;
    if (*at == '.') {
        size_t part = digits(at + 1);
        if (part == 0) return 0;
        at += 1 + part;
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        if (*at == '+' || *at == '-') at++;
        size_t exponent = digits(at);
        if (exponent == 0) return 0;
        at += exponent;
    }
    return (size_t)(at - start);
}

bool scan_number(scanner *in, const char *what, double *x) {
    skip_blanks(in);
    size_t length = number_length(in->at);
    if (length == 0 || in->at + length > in->end) return scan_fail(in, "%s: expected a number", what);
    if (length > 400) return scan_fail(in, "%s: a number of %zu characters", what, length);
    *x = strtod(in->at, NULL);
    if (!isfinite(*x)) return scan_fail(in, "%s is not a finite double", what);
    in->at += length;
    return true;
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
    size_t length = strlen(word);
    if ((size_t)(in->end - in->at) < length || memcmp(in->at, word, length) != 0) return false;
    in->at += length;
    return true;
}

bool scan_true(scanner *in, const char *what) {
    return take_bare(in, "true") || scan_fail(in, "%s: expected true", what);
}

bool scan_null(scanner *in) { return take_bare(in, "null"); }

bool scan_skip_object(scanner *in) {
    skip_blanks(in);
    if (next(in) != '{') return scan_fail(in, "expected a pair, {…}");
    int depth = 0;
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
