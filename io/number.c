#include "io/number.h"

#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1000 }; /* more digits than any double needs to be told from its neighbors */

bool io_is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static size_t digits(const char *text, size_t length, size_t *at) {
    size_t first = *at;
    while (*at < length && text[*at] >= '0' && text[*at] <= '9') ++*at;
    return *at - first;
}

static void skip_sign(const char *text, size_t length, size_t *at) {
    if (*at < length && (text[*at] == '+' || text[*at] == '-')) ++*at;
}

/* True if all of the text is a number; `point` is where its point stands, or its length. */
static bool is_number(const char *text, size_t length, size_t *point) {
    size_t at = 0, found;
    skip_sign(text, length, &at);
    found = digits(text, length, &at);
    *point = length;
    if (at < length && text[at] == '.') {
        *point = at++;
        found += digits(text, length, &at);
    }
    if (found == 0) return false;
    if (at == length) return true;
    if (text[at] != 'e' && text[at] != 'E') return false;
    at++;
    skip_sign(text, length, &at);
    return digits(text, length, &at) > 0 && at == length;
}

/* strtod takes the point of the locale: a copy has that. */
static double number_of(const char *text, size_t length, size_t point) {
    const char *local = localeconv()->decimal_point;
    size_t wide = strlen(local);
    char copy[LONGEST + 32];
    if (point == length || wide == 0 || wide > 16) wide = 0;
    memcpy(copy, text, point);
    memcpy(copy + point, local, wide);
    size_t after = point < length ? point + 1 : length;
    memcpy(copy + point + wide, text + after, length - after);
    copy[point + wide + length - after] = '\0';
    return strtod(copy, NULL);
}

bool io_parse_number(const char *text, size_t length, double *x) {
    size_t point;
    if (length > LONGEST || !is_number(text, length, &point)) return false;
    *x = number_of(text, length, point);
    return true;
}

bool io_parse_count(const char *text, size_t length, size_t *n) {
    size_t value = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') return false;
        size_t digit = (size_t)(text[i] - '0');
        if (value > ((size_t)INT64_MAX - digit) / 10) return false;
        value = 10 * value + digit;
    }
    *n = value;
    return length > 0;
}
