#include "articulated/certificate/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void gz_text_flush(gz_text *text) {
    if (text->size && !text->failed) text->failed = text->write(text->user, text->bytes, text->size) != 0;
    text->size = 0;
}

void gz_text_put(gz_text *text, const char *bytes, size_t size) {
    while (size) {
        size_t part = sizeof text->bytes - text->size;
        if (part > size) part = size;
        memcpy(text->bytes + text->size, bytes, part);
        text->size += part;
        bytes += part;
        size -= part;
        if (text->size == sizeof text->bytes) gz_text_flush(text);
    }
}

void gz_text_word(gz_text *text, const char *word) { gz_text_put(text, word, strlen(word)); }

void gz_text_whole(gz_text *text, int64_t number) {
    char digits[32];
    snprintf(digits, sizeof digits, "%lld", (long long)number);
    gz_text_word(text, digits);
}

/* Whatever stands between the digits is the locale's point. */
static void set_point(char *number) {
    static const char usual[] = "+-0123456789e";
    size_t before = strspn(number, usual), between = strcspn(number + before, usual);
    if (between == 0) return;
    number[before] = '.';
    memmove(number + before + 1, number + before + between, strlen(number + before + between) + 1);
}

void gz_text_double(gz_text *text, double x) {
    char number[64];
    snprintf(number, sizeof number, "%.15g", x);
    if (strtod(number, NULL) != x) snprintf(number, sizeof number, "%.17g", x);
    set_point(number);
    gz_text_word(text, number);
}

void gz_text_doubles(gz_text *text, const double *x, size_t count) {
    for (size_t i = 0; i < count; i++) {
        gz_text_word(text, i ? "," : "[");
        gz_text_double(text, x[i]);
    }
    gz_text_word(text, count ? "]" : "[]");
}
